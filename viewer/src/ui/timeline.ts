// The bar of time: play, step, speed, the scrubber with the events on it.
import type { Contact, RunEvent } from "../data/contract";
import { decimalsFor, numberText } from "../data/number_text";
import { el, iconButton, icon, setText } from "./dom";
import { kSpeeds, type Player } from "./player";

const kMostMarks = 300;

export class Timeline {
  readonly root: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly clock = el("output", { class: "clock", "aria-label": "Time" });
  private readonly playButton: HTMLButtonElement;
  private readonly loopButton: HTMLButtonElement;
  private readonly speed: HTMLSelectElement;
  private readonly decimals: number;
  private showsPlaying: boolean | null = null;

  /** impacts: of bodies that met, drawn below the events, higher where they were harder. */
  constructor(private readonly player: Player, events: readonly RunEvent[], impacts: readonly Contact[]) {
    const length = player.end - player.start;
    this.decimals = Math.min(6, decimalsFor(length / 400));
    this.slider = el("input", { type: "range", class: "scrubber", min: player.start, max: player.end, step: "any", "aria-label": "Time [s]", disabled: !(length > 0) });
    this.slider.addEventListener("input", () => {
      player.play(false);
      player.setTime(Number(this.slider.value));
    });
    this.playButton = iconButton("play", "Play or pause (Space)", () => player.play(!player.playing), { class: "icon-button play" });
    this.loopButton = iconButton("loop", "Start again at the end (L)", () => this.toggleLoop(), { "aria-pressed": "true" });
    this.speed = el("select", { class: "speed", "aria-label": "Speed", title: "Speed (, and .)" }, ...kSpeeds.map((s) => el("option", { value: s }, `${s}×`)));
    this.speed.addEventListener("change", () => player.setSpeed(Number(this.speed.value)));
    const marks = el("div", { class: "event-marks", "aria-hidden": "true" });
    for (const event of events.slice(0, kMostMarks)) {
      const mark = el("span", { class: "event-mark", title: `${event.kind} ${event.name}` });
      mark.style.left = `${length > 0 ? (100 * (event.time - player.start)) / length : 0}%`;
      marks.append(mark);
    }
    const sizeOf = (impact: Contact) => (typeof impact.impulse === "number" ? Math.abs(impact.impulse) : Math.hypot(...impact.impulse));
    const hardest = impacts.reduce((most, impact) => Math.max(most, sizeOf(impact)), 0);
    for (const impact of impacts.slice(0, kMostMarks)) {
      const mark = el("span", { class: "impact-mark", title: `impact, ${numberText(sizeOf(impact), 3)} N s` });
      mark.style.left = `${length > 0 ? (100 * (impact.t - player.start)) / length : 0}%`;
      mark.style.height = `${hardest > 0 ? 3 + 6 * Math.sqrt(sizeOf(impact) / hardest) : 3}px`;
      marks.append(mark);
    }
    this.root = el("div", { class: "timeline", role: "group", "aria-label": "Time" },
      el("div", { class: "transport" },
        iconButton("previous", "One frame back (←)", () => player.step(-1)), this.playButton, iconButton("next", "One frame on (→)", () => player.step(1))),
      el("div", { class: "track" }, marks, this.slider),
      this.clock, el("div", { class: "rate" }, this.speed, this.loopButton));
    this.update(true);
  }

  toggleLoop(): void {
    this.player.loop = !this.player.loop;
    this.loopButton.setAttribute("aria-pressed", String(this.player.loop));
  }

  /** texts: also those that need not follow every picture. */
  update(texts: boolean): void {
    const { player, slider } = this;
    slider.valueAsNumber = player.time;
    if (this.showsPlaying !== player.playing) {
      this.showsPlaying = player.playing;
      this.playButton.replaceChildren(icon(player.playing ? "pause" : "play"));
      this.playButton.setAttribute("aria-label", player.playing ? "Pause (Space)" : "Play (Space)");
    }
    if (!texts) return;
    const length = player.end - player.start;
    slider.style.setProperty("--part", `${length > 0 ? (100 * (player.time - player.start)) / length : 0}%`);
    setText(this.clock, `${player.time.toFixed(this.decimals)} / ${player.end.toFixed(this.decimals)} s`);
    slider.setAttribute("aria-valuetext", `${player.time.toFixed(this.decimals)} seconds`);
    const speed = String(player.speed);
    if (this.speed.value !== speed) this.speed.value = speed;
  }
}
