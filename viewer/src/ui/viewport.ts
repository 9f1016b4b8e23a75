// The area of the 3D view: the canvas with its buttons and labels, and the loop that draws when something changed.
import { Vector3 } from "three";
import type { ReportData } from "../data/contract";
import { lengthText } from "../data/number_text";
import type { Replay } from "../data/replay";
import type { Shown } from "../stage/overlays";
import type { Theme } from "../stage/palette";
import { Stage, type ScreenPlace } from "../stage/stage";
import { Compass } from "./compass";
import { el, iconButton } from "./dom";
import { OverlayMenu } from "./overlay_menu";
import type { Player } from "./player";

const kSlow = 90;  // [ms] for a picture; above it pictures in motion get fewer pixels
const kTextPause = 100;  // [ms] between changes of numbers

export class Viewport {
  readonly root: HTMLElement;
  readonly stage: Stage | null;
  readonly menu: OverlayMenu;
  readonly shown: Shown = { ground: true, shadows: true, joints: true, frames: false, names: false, twists: false, wrenches: false, reactions: false, contacts: true, forces: true, com: false, momentum: false, onlySelected: false };
  /** Called for every picture; true now and then: numbers may change too. */
  onFrame: (texts: boolean) => void = () => {};
  onPick: (body: number) => void = () => {};
  fps = 0;
  private readonly canvas = el("canvas", { class: "picture", tabindex: 0, "aria-label": "The mechanism in 3D" });
  private readonly compass: Compass;
  private readonly labels: HTMLElement[] = [];
  private readonly labelHost = el("div", { class: "labels", "aria-hidden": "true" });
  private readonly lost = el("p", { class: "lost", role: "status", hidden: true }, "Numbers overflow here: not all bodies can be drawn.");
  private readonly followButton: HTMLButtonElement;
  private readonly screen: ScreenPlace = { x: 0, y: 0, visible: false };
  private scheduled = 0;
  private lastFrame = 0;
  private lastText = 0;
  private cost = 30;
  private ratio = 1;
  private quality = 1;
  private fitted = false;

  constructor(private readonly data: ReportData, private readonly replay: Replay, private readonly player: Player, theme: Theme) {
    let problem = "";
    let stage: Stage | null = null;
    try {
      stage = new Stage(data, replay, this.canvas, theme);
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    this.stage = stage;
    this.compass = new Compass((direction) => this.look(direction));
    this.menu = new OverlayMenu(data, this.shown, () => this.invalidate(), (scale) => {
      if (this.stage) this.stage.overlays.scale = scale;
    });
    this.followButton = iconButton("follow", "Go with the centre of mass (H)", () => this.toggleFollow(), { "aria-pressed": String(stage?.follow ?? false) });
    const tools = el("div", { class: "view-tools" }, this.menu.root, iconButton("fit", "See everything (A)", () => this.fit()), this.followButton);
    const scale = stage ? el("div", { class: "grid-scale" }, `grid ${lengthText(stage.ground.cell, 1)}`) : "";
    this.root = el("section", { class: "viewport", "aria-label": "3D view" });
    if (stage) this.root.append(this.canvas, this.labelHost, this.lost, tools, this.compass.root, scale);
    else this.root.append(el("div", { class: "no-webgl" }, el("p", {}, el("strong", {}, "This browser cannot draw 3D (no WebGL).")), el("p", {}, "Plots, numbers and the checks work all the same."), el("p", { class: "quiet" }, problem)));
    if (stage) this.listen(stage);
    this.setTheme(theme);
    player.onChange(() => this.invalidate());
    new ResizeObserver(() => this.resize()).observe(this.root);
    this.root.addEventListener("pointerenter", () => this.invalidate());
  }

  private listen(stage: Stage): void {
    for (let i = 0; i < Math.min(this.data.scene.bodies.length, 400); ++i) {
      const label = el("span", { class: "label", hidden: true }, this.data.scene.bodies[i].name);
      this.labels.push(label);
      this.labelHost.append(label);
    }
    stage.controls.addEventListener("change", () => this.invalidate());
    let downX = 0, downY = 0;
    this.canvas.addEventListener("pointerdown", (event) => {
      downX = event.clientX;
      downY = event.clientY;
    });
    const pick = (event: MouseEvent) => {
      const box = this.canvas.getBoundingClientRect();
      return stage.pick(event.clientX - box.left, event.clientY - box.top);
    };
    this.canvas.addEventListener("click", (event) => {
      if (Math.hypot(event.clientX - downX, event.clientY - downY) < 5) this.onPick(pick(event));
    });
    this.canvas.addEventListener("dblclick", (event) => {
      const body = pick(event);
      if (body >= 0) this.focusBody(body);
    });
    this.canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    this.canvas.addEventListener("webglcontextrestored", () => this.invalidate());
  }

  private resize(): void {
    const width = this.root.clientWidth, height = this.root.clientHeight;
    if (!this.stage || width === 0 || height === 0) return;
    this.ratio = Math.min(devicePixelRatio || 1, 2);
    this.stage.resize(width, height, this.ratio * this.quality);
    if (!this.fitted) this.stage.firstView();
    this.fitted = true;
    this.drawNow();
  }

  /** A whole picture at once, in place of the one that was asked for by then. */
  drawNow(): void {
    this.draw();
    this.onFrame(true);
    if (this.player.playing) return;
    cancelAnimationFrame(this.scheduled);
    this.scheduled = 0;
  }

  setTheme(theme: Theme): void {
    this.stage?.setTheme(theme);
    this.menu.setTheme(theme);
    this.compass.setTheme(theme);
    this.invalidate();
  }

  select(body: number): void {
    this.stage?.select(body);
    this.invalidate();
  }

  fit(): void {
    this.stage?.fitView();
    this.invalidate();
  }

  look(direction: Vector3): void {
    if (!this.stage) return;
    const up = this.stage.camera.up;
    const from = direction.clone();
    // Straight from above there is no right and left; a hair beside it there is.
    if (Math.abs(from.dot(up)) > 0.999) from.add(new Vector3(0, -1e-3, 0)).add(new Vector3(1e-4, 0, 1e-3).multiplyScalar(Math.abs(up.y)));
    this.stage.fitView(from);
    this.invalidate();
  }

  focusBody(body: number): void {
    this.stage?.fitBody(body);
    this.invalidate();
  }

  toggleFollow(): void {
    if (!this.stage) return;
    this.stage.setFollow(!this.stage.follow);
    this.followButton.setAttribute("aria-pressed", String(this.stage.follow));
    this.invalidate();
  }

  orbit(azimuth: number, elevation: number, zoom: number): void {
    this.stage?.orbit(azimuth, elevation, zoom);
    this.invalidate();
  }

  invalidate(): void {
    if (this.scheduled === 0) this.scheduled = requestAnimationFrame(this.frame);
  }

  private readonly frame = (now: number): void => {
    this.scheduled = 0;
    const gap = now - this.lastFrame;
    this.lastFrame = now;
    const playing = this.player.playing;
    if (playing) this.player.advance(Math.min(gap, 250) / 1000);
    if (playing && gap < 1000) {
      this.cost += 0.1 * (gap - this.cost);
      this.fps = 1000 / this.cost;
    }
    this.adapt(playing);
    this.stage?.controls.update();
    this.draw();
    const texts = !this.player.playing || now - this.lastText > kTextPause;
    if (texts) this.lastText = now;
    this.onFrame(texts);
    if (this.player.playing) this.invalidate();
  };

  /** Fewer pixels while a slow machine moves, all of them for a picture that stands. */
  private adapt(playing: boolean): void {
    if (!this.stage) return;
    let quality = this.quality;
    if (!playing) quality = 1;
    else if (this.cost > kSlow && quality > 0.5) {
      quality = Math.max(0.5, quality - 0.25);
      this.cost = 0.75 * kSlow;
    }
    if (quality === this.quality) return;
    this.quality = quality;
    this.stage.resize(this.root.clientWidth, this.root.clientHeight, this.ratio * quality);
  }

  /** The picture of the player's time, at once. */
  draw(): void {
    this.replay.sample(this.player.time);
    if (!this.stage || !this.fitted) return;
    if (this.lost.hidden !== this.replay.known) this.lost.hidden = this.replay.known;
    this.stage.place();
    this.stage.render(this.shown);
    this.compass.update(this.stage.camera);
    this.placeLabels(this.stage);
  }

  private placeLabels(stage: Stage): void {
    for (let i = 0; i < this.labels.length; ++i) {
      const label = this.labels[i];
      const wanted = this.shown.names || i === stage.selected;
      if (!wanted) {
        if (!label.hidden) label.hidden = true;
        continue;
      }
      stage.project(i, this.screen);
      if (label.hidden === this.screen.visible) label.hidden = !this.screen.visible;
      label.classList.toggle("chosen", i === stage.selected);
      if (this.screen.visible) label.style.transform = `translate(${this.screen.x.toFixed(1)}px, ${this.screen.y.toFixed(1)}px)`;
    }
  }
}
