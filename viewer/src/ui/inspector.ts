// What is known of the chosen body now: mass, pose, twist with its screw, wrench of its joint with its screw.
import type { ReportData } from "../data/contract";
import { lengthText, numberText, quantityText } from "../data/number_text";
import type { Replay } from "../data/replay";
import { rotate } from "../screw/rotate";
import { makeScrew, twistScrew, wrenchScrew } from "../screw/screw";
import { el, iconButton, setText } from "./dom";

/** Numbers of one size: with the decimals of the largest. */
function vectorTexts(x: ArrayLike<number>, o: number, count: number): string[] {
  let largest = 0;
  for (let k = 0; k < count; ++k) largest = Math.max(largest, Math.abs(x[o + k]));
  const texts: string[] = [];
  for (let k = 0; k < count; ++k) {
    const value = Math.abs(x[o + k]) < 1e-6 * largest ? 0 : x[o + k];
    const fixed = largest >= 1e-3 && largest < 1e5;
    const decimals = largest < 10 ? 4 : largest < 1e4 ? 3 : 1;
    texts.push(fixed ? value.toFixed(decimals).replace(/^-(0\.?0*)$/, "$1").replace("-", "−") : numberText(value, 2));
  }
  return texts;
}

export class Inspector {
  readonly root: HTMLElement;
  private readonly cells = new Map<string, HTMLElement[]>();
  private body = -1;
  private joint = -1;
  private readonly screw = makeScrew();
  private readonly place = new Float64Array(3);
  private readonly sum = new Float64Array(3);

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
      this.facts("Body", [["mass", "Mass", 1], ["p", "Position [m]", 3], ["q", "Quaternion x y z w", 4]]),
      this.facts("Twist", [["v", "Velocity [m/s]", 3], ["w", "Angular velocity [rad/s]", 3], ["twist.size", "Magnitude", 1], ["twist.pitch", "Pitch", 1], ["twist.point", "Its screw axis passes [m]", 3]]),
      joint && this.replay.wrenches ? this.facts("Wrench of its joint", [["f", "Force [N]", 3], ["n", "Torque [N m]", 3], ["wrench.size", "Magnitude", 1], ["wrench.pitch", "Pitch", 1]]) : "",
      this.replay.contacts ? this.facts("Contacts", [["contact.count", "Points that touch", 1], ["contact.f", "Force of all [N]", 3]]) : "");
    this.update();
  }

  private facts(title: string, rows: [key: string, name: string, numbers: number][]): HTMLElement {
    const list = el("dl", { class: "facts compact" });
    for (const [key, name, count] of rows) {
      const spans = Array.from({ length: count }, () => el("span"));
      this.cells.set(key, spans);
      list.append(el("div", { class: count > 1 ? "vector" : "" }, el("dt", {}, name), el("dd", {}, ...spans)));
    }
    return el("div", { class: "fact-group" }, el("h4", {}, title), list);
  }

  private set(key: string, text: string): void {
    const spans = this.cells.get(key);
    if (spans) spans.forEach((span, k) => setText(span, k === 0 ? text : ""));
  }

  private setVector(key: string, x: ArrayLike<number>, o: number): void {
    const spans = this.cells.get(key);
    if (!spans) return;
    const texts = vectorTexts(x, o, spans.length);
    spans.forEach((span, k) => setText(span, texts[k]));
  }

  update(): void {
    if (this.body < 0) return;
    const { replay, screw, place } = this, o = 7 * this.body, d = 6 * this.body;
    this.set("mass", quantityText(this.data.scene.bodies[this.body].mass, "kg"));
    for (let k = 0; k < 3; ++k) place[k] = replay.pose[o + k] + replay.origin[k];
    this.setVector("p", place, 0);
    this.setVector("q", replay.pose, o + 3);
    this.setVector("v", replay.twist, d);
    this.setVector("w", replay.twist, d + 3);
    twistScrew(replay.twist, d, place, 0, this.size, screw);
    this.set("twist.size", screw.kind === "none" ? (screw.magnitude === 0 ? "at rest" : "–") : screw.kind === "line" ? quantityText(screw.magnitude, "rad/s") : quantityText(screw.magnitude, "m/s"));
    this.set("twist.pitch", pitchText(screw.kind, screw.pitch, this.size, "/rad", "a pure translation", "a pure rotation"));
    if (screw.kind === "line") this.setVector("twist.point", screw.point, 0);
    else this.set("twist.point", "–");
    if (replay.contacts) {
      const { points, sliding } = replay.contacts.on(this.body, this.sum);
      this.set("contact.count", points === 0 ? "none" : sliding === 0 ? String(points) : sliding === points ? `${points}, sliding` : `${points}, ${sliding} of them sliding`);
      this.setVector("contact.f", this.sum, 0);
    }
    if (this.joint < 0 || !replay.wrenches) return;
    const w = 6 * this.joint, joint = this.data.scene.joints[this.joint];
    rotate(replay.pose, o + 3, joint.p[0], joint.p[1], joint.p[2], place, 0);
    for (let k = 0; k < 3; ++k) place[k] += replay.pose[o + k] + replay.origin[k];
    this.setVector("f", replay.wrench, w);
    this.setVector("n", replay.wrench, w + 3);
    wrenchScrew(replay.wrench, w, place, 0, this.size, screw);
    this.set("wrench.size", screw.kind === "none" ? (screw.magnitude === 0 ? "none" : "–") : screw.kind === "line" ? quantityText(screw.magnitude, "N") : quantityText(screw.magnitude, "N m"));
    this.set("wrench.pitch", pitchText(screw.kind, screw.pitch, this.size, "", "a pure torque", "a pure force"));
  }
}

export function pitchText(kind: "none" | "line" | "couple", pitch: number, size: number, per: string, couple: string, pure: string): string {
  if (kind === "none") return "–";
  if (kind === "couple") return `∞ (${couple})`;
  if (Math.abs(pitch) < 1e-7 * size) return `0 (${pure})`;
  return lengthText(pitch) + per;
}
