// What is known of the chosen body now: mass, pose, twist with its screw, wrench of its joint with its screw.
import type { ReportData } from "../data/contract";
import { lengthText, numberText, quantityText } from "../data/number_text";
import type { Replay } from "../data/replay";
import { rotate } from "../screw/rotate";
import { makeScrew, twistScrew, wrenchScrew } from "../screw/screw";
import { el, iconButton, setText } from "./dom";

/** Three numbers of one size: with the decimals of the largest. */
function vectorText(x: ArrayLike<number>, o: number, count = 3): string {
  let largest = 0;
  for (let k = 0; k < count; ++k) largest = Math.max(largest, Math.abs(x[o + k]));
  const texts: string[] = [];
  for (let k = 0; k < count; ++k) {
    const value = Math.abs(x[o + k]) < 1e-6 * largest ? 0 : x[o + k];
    texts.push(largest >= 1e-3 && largest < 1e5 ? value.toFixed(largest < 10 ? 4 : largest < 1000 ? 2 : 1).replace(/^-(0\.?0*)$/, "$1").replace("-", "−") : numberText(value, 3));
  }
  return texts.join("  ");
}

export class Inspector {
  readonly root: HTMLElement;
  private readonly cells = new Map<string, HTMLElement>();
  private body = -1;
  private joint = -1;
  private readonly screw = makeScrew();
  private readonly place = new Float64Array(3);

  constructor(private readonly data: ReportData, private readonly replay: Replay, private readonly size: number, private readonly close: () => void, private readonly focus: (body: number) => void) {
    this.root = el("section", { class: "inspector", "aria-label": "Chosen body", "aria-live": "off" });
    this.select(-1);
  }

  select(body: number): void {
    this.body = body;
    this.joint = this.data.scene.joints.findIndex((joint) => joint.child === body);
    this.cells.clear();
    if (body < 0) {
      this.root.replaceChildren(el("p", { class: "empty" }, "Click a body, here or in the picture, to see its mass, pose, twist and wrench."));
      return;
    }
    const b = this.data.scene.bodies[body], joint = this.data.scene.joints[this.joint];
    const parent = joint ? (joint.parent < 0 ? "world" : this.data.scene.bodies[joint.parent].name) : "";
    this.root.replaceChildren(
      el("header", { class: "inspector-head" }, el("h3", { title: b.name }, b.name), iconButton("fit", "Look at this body (Z)", () => this.focus(body)), iconButton("close", "Choose none (Esc)", this.close)),
      el("p", { class: "inspector-joint" }, joint ? `${joint.type} joint “${joint.name}” on ${parent}` : "no joint"),
      this.facts("Body", [["mass", "Mass"], ["p", "Position [m]"], ["q", "Quaternion xyzw"]]),
      this.facts("Twist", [["v", "Velocity [m/s]"], ["w", "Angular velocity [rad/s]"], ["twist.size", "Magnitude"], ["twist.pitch", "Pitch of its screw"], ["twist.point", "Axis passes [m]"]]),
      joint && this.replay.wrenches ? this.facts("Wrench of its joint", [["f", "Force [N]"], ["n", "Torque [N m]"], ["wrench.size", "Magnitude"], ["wrench.pitch", "Pitch of its screw"]]) : "");
    this.update();
  }

  private facts(title: string, rows: [string, string][]): HTMLElement {
    const list = el("dl", { class: "facts compact" });
    for (const [key, name] of rows) {
      const cell = el("dd");
      this.cells.set(key, cell);
      list.append(el("dt", {}, name), cell);
    }
    return el("div", { class: "fact-group" }, el("h4", {}, title), list);
  }

  private set(key: string, text: string): void {
    const cell = this.cells.get(key);
    if (cell) setText(cell, text);
  }

  update(): void {
    if (this.body < 0) return;
    const { replay, screw, place } = this, o = 7 * this.body, d = 6 * this.body;
    this.set("mass", quantityText(this.data.scene.bodies[this.body].mass, "kg"));
    for (let k = 0; k < 3; ++k) place[k] = replay.pose[o + k] + replay.origin[k];
    this.set("p", vectorText(place, 0));
    this.set("q", vectorText(replay.pose, o + 3, 4));
    this.set("v", vectorText(replay.twist, d));
    this.set("w", vectorText(replay.twist, d + 3));
    twistScrew(replay.twist, d, place, 0, this.size, screw);
    this.set("twist.size", screw.kind === "none" ? "at rest" : screw.kind === "line" ? quantityText(screw.magnitude, "rad/s") : quantityText(screw.magnitude, "m/s"));
    this.set("twist.pitch", pitchText(screw.kind, screw.pitch, this.size, "/rad", "a pure translation", "a pure rotation"));
    this.set("twist.point", screw.kind === "line" ? vectorText(screw.point, 0) : "–");
    if (this.joint < 0 || !replay.wrenches) return;
    const w = 6 * this.joint, joint = this.data.scene.joints[this.joint];
    rotate(replay.pose, o + 3, joint.p[0], joint.p[1], joint.p[2], place, 0);
    for (let k = 0; k < 3; ++k) place[k] += replay.pose[o + k] + replay.origin[k];
    this.set("f", vectorText(replay.wrench, w));
    this.set("n", vectorText(replay.wrench, w + 3));
    wrenchScrew(replay.wrench, w, place, 0, this.size, screw);
    this.set("wrench.size", screw.kind === "none" ? "none" : screw.kind === "line" ? quantityText(screw.magnitude, "N") : quantityText(screw.magnitude, "N m"));
    this.set("wrench.pitch", pitchText(screw.kind, screw.pitch, this.size, "", "a pure torque", "a pure force"));
  }
}

export function pitchText(kind: "none" | "line" | "couple", pitch: number, size: number, per: string, couple: string, pure: string): string {
  if (kind === "none") return "–";
  if (kind === "couple") return `∞ (${couple})`;
  if (Math.abs(pitch) < 1e-7 * size) return `0 (${pure})`;
  return lengthText(pitch) + per;
}
