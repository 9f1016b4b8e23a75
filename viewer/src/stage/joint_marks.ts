// Joints as they are drawn: a hinge is a pin with rings, a slider a rail, a screw a thread of its own pitch.
import type { Color } from "three";
import type { Joint, JointAxis, ReportData, Spring } from "../data/contract";
import type { Replay } from "../data/replay";
import { across, multiply, rotate, rotateBack } from "../screw/rotate";
import type { Extent } from "./extent";
import type { MarkColours } from "./palette";
import type { Ribbons } from "./ribbons";
import type { Solids } from "./solids";

const kMostTurns = 24;  // of a thread that is drawn; a finer one looks like this one

interface AxisMark {
  kind: JointAxis["kind"];
  joint: number;
  /** The body that the mark is drawn on: that of the axis; the parent for what is moved along. -1: the world. */
  body: number;
  /** On that body: a point of the axis, its direction, and one across. */
  point: Float64Array;
  axis: Float64Array;
  side: Float64Array;
  pitch: number;
  radius: number;
  /** Ends of the line along the axis, from the point. */
  from: number;
  to: number;
}

/** Turns of a thread of pitch [m/rad] over a length: its own, or the most that can be told apart. */
export function threadTurns(pitch: number, length: number, most = kMostTurns): number {
  if (pitch === 0) return 0;
  const turns = length / (2 * Math.PI * Math.abs(pitch));
  return Math.sign(pitch) * Math.min(turns, most);
}

export class JointMarks {
  /** At the time of the last `place`: position and quaternion of each joint's frame on its child. */
  readonly places: Float64Array;
  private readonly marks: AxisMark[] = [];
  private readonly balls: number[] = [];
  private readonly ballRadius: number[] = [];
  private readonly a = new Float64Array(3);
  private readonly b = new Float64Array(3);
  private readonly c = new Float64Array(3);
  private readonly d = new Float64Array(3);
  private readonly e = new Float64Array(3);

  constructor(private readonly data: ReportData, private readonly replay: Replay, private readonly extent: Extent) {
    this.places = new Float64Array(7 * data.scene.joints.length);
    data.scene.joints.forEach((joint, j) => {
      for (const axis of joint.axes) this.marks.push(this.markOf(j, axis));
      if (joint.type !== "spherical") return;
      this.balls.push(j);
      this.ballRadius.push(this.ringRadius(joint, 0.14));
    });
    this.place();
  }

  /** [m] across the bodies that a joint joins: the child, or the parent when the child has no size of its own. */
  private acrossJoint(joint: Joint): number {
    const { across, mechanism } = this.extent;
    const whole = mechanism[joint.child];
    const own = across[joint.child] > 0.02 * whole ? across[joint.child] : joint.parent >= 0 ? across[joint.parent] : whole;
    return Math.min(Math.max(own, 0.05 * whole), whole);
  }

  private ringRadius(joint: Joint, share: number): number {
    const whole = this.extent.mechanism[joint.child];
    return Math.max(share * this.acrossJoint(joint), 0.012 * whole, 0.005 * this.extent.size);
  }

  private markOf(j: number, axis: JointAxis): AxisMark {
    const joint = this.data.scene.joints[j], size = this.acrossJoint(joint);
    const mark: AxisMark = {
      kind: axis.kind, joint: j, body: axis.body, point: Float64Array.from(axis.p), axis: Float64Array.from(axis.axis), side: new Float64Array(3), pitch: axis.pitch ?? 0,
      radius: this.ringRadius(joint, axis.kind === "revolute" ? 0.06 : 0.25), from: 0, to: 0,
    };
    if (axis.body < 0) for (let k = 0; k < 3; ++k) mark.point[k] -= this.replay.origin[k];
    if (axis.kind === "revolute") this.span(mark, joint, size);
    else this.lay(mark, joint, Math.min(0.5 * size, 0.16 * this.extent.mechanism[joint.child]));
    across(mark.axis[0], mark.axis[1], mark.axis[2], mark.side, 0);
    return mark;
  }

  /** A pin through the child, so that its ends are seen. */
  private span(mark: AxisMark, joint: Joint, size: number): void {
    const { point: p, axis: n } = mark;
    if (mark.body === joint.child)
      for (const ball of this.extent.spans) {
        if (ball.body !== joint.child) continue;
        const along = (ball.x - p[0]) * n[0] + (ball.y - p[1]) * n[1] + (ball.z - p[2]) * n[2];
        mark.from = Math.min(mark.from, along - ball.r);
        mark.to = Math.max(mark.to, along + ball.r);
      }
    const over = Math.max(0.04 * size, 0.6 * mark.radius);
    mark.from -= over;
    mark.to += over;
  }

  /** Lays the rail along all places where the child was, on the parent. */
  private lay(mark: AxisMark, joint: Joint, margin: number): void {
    const { replay, a } = this;
    this.toWorld(mark.body, replay.poses, 0, mark.point, mark.point, true);
    this.toWorld(mark.body, replay.poses, 0, mark.axis, mark.axis, false);
    this.toParent(joint.parent, 0, mark.point, true);
    this.toParent(joint.parent, 0, mark.axis, false);
    mark.body = joint.parent;
    mark.from = Infinity;
    mark.to = -Infinity;
    for (let frame = 0; frame < replay.count; ++frame) {
      this.toWorld(joint.child, replay.poses, frame * replay.bodies, joint.p, a, true);
      this.toParent(joint.parent, frame, a, true);
      let travel = 0;
      for (let k = 0; k < 3; ++k) travel += (a[k] - mark.point[k]) * mark.axis[k];
      if (!Number.isFinite(travel)) continue;
      mark.from = Math.min(mark.from, travel);
      mark.to = Math.max(mark.to, travel);
    }
    if (!(mark.from <= mark.to)) mark.from = mark.to = 0;
    mark.from -= margin;
    mark.to += margin;
  }

  /** A point or a direction of a body in the world; poses: those of bodies, the first of which has the number `first` there. */
  private toWorld(body: number, poses: ArrayLike<number>, first: number, x: ArrayLike<number>, out: Float64Array, isPoint: boolean): void {
    if (body < 0) {
      for (let k = 0; k < 3; ++k) out[k] = x[k];
      return;
    }
    const o = (first + body) * 7;
    rotate(poses, o + 3, x[0], x[1], x[2], out, 0);
    if (isPoint) for (let k = 0; k < 3; ++k) out[k] += poses[o + k];
  }

  private toParent(parent: number, frame: number, x: Float64Array, isPoint: boolean): void {
    if (parent < 0) return;
    const poses = this.replay.poses, o = (frame * this.replay.bodies + parent) * 7;
    if (isPoint) for (let k = 0; k < 3; ++k) x[k] -= poses[o + k];
    rotateBack(poses, o + 3, x[0], x[1], x[2], x, 0);
  }

  /** The line of an axis now, in the world from the replay's origin: where it begins and ends. */
  lineOf(joint: number, axis: number, from: Float64Array, to: Float64Array): void {
    let m = 0;
    while (this.marks[m].joint !== joint) ++m;
    const mark = this.marks[m + axis];
    this.inWorld(mark);
    for (let k = 0; k < 3; ++k) {
      from[k] = this.e[k] + mark.from * this.b[k];
      to[k] = this.e[k] + mark.to * this.b[k];
    }
  }

  place(): void {
    const pose = this.replay.pose, joints = this.data.scene.joints;
    for (let j = 0; j < joints.length; ++j) {
      const joint = joints[j], o = 7 * joint.child;
      rotate(pose, o + 3, joint.p[0], joint.p[1], joint.p[2], this.places, 7 * j);
      for (let k = 0; k < 3; ++k) this.places[7 * j + k] += pose[o + k];
      multiply(pose, o + 3, joint.q, 0, this.places, 7 * j + 3);
    }
  }

  draw(ribbons: Ribbons, colours: MarkColours, selected: number): void {
    const { a, b, c, d, e } = this;
    for (let m = 0; m < this.marks.length; ++m) {
      const mark = this.marks[m];
      const chosen = selected >= 0 && this.data.scene.joints[mark.joint].child === selected;
      const colour = chosen ? colours.of.select : colours.of.joint, alpha = chosen ? 1 : 0.8, width = chosen ? 2.2 : 1.5;
      this.inWorld(mark);
      for (let k = 0; k < 3; ++k) {
        a[k] = e[k] + mark.from * b[k];
        d[k] = e[k] + mark.to * b[k];
      }
      if (mark.kind === "revolute") {
        // A pin with a ring at each end.
        ribbons.line(a[0], a[1], a[2], d[0], d[1], d[2], colour, alpha, width);
        const inset = Math.min(0.5 * mark.radius, 0.25 * (mark.to - mark.from));
        for (let k = 0; k < 3; ++k) {
          a[k] += inset * b[k];
          d[k] -= inset * b[k];
        }
        ribbons.helix(a, b, c, 0, mark.radius, 1, colour, alpha, width);
        ribbons.helix(d, b, c, 0, mark.radius, 1, colour, alpha, width);
      } else if (mark.kind === "screw") {
        const length = mark.to - mark.from;
        ribbons.line(a[0], a[1], a[2], d[0], d[1], d[2], colour, 0.55 * alpha, 1.2);
        ribbons.helix(a, b, c, length, mark.radius, threadTurns(mark.pitch, length), colour, alpha, 1.3 * width);
      } else {
        this.drawRail(ribbons, mark, colour, alpha, width);
      }
    }
    this.drawBalls(ribbons, colours, selected);
  }

  /** Two lines with a stop at each end. */
  private drawRail(ribbons: Ribbons, mark: AxisMark, colour: Color, alpha: number, width: number): void {
    const { a, b, c, d, e } = this;
    for (let s = -1; s <= 1; s += 2) {
      for (let k = 0; k < 3; ++k) {
        a[k] = e[k] + mark.from * b[k] + s * 0.8 * mark.radius * c[k];
        d[k] = e[k] + mark.to * b[k] + s * 0.8 * mark.radius * c[k];
      }
      ribbons.line(a[0], a[1], a[2], d[0], d[1], d[2], colour, alpha, width);
    }
    for (let s = 0; s < 2; ++s) {
      const at = s === 0 ? mark.from : mark.to, r = 1.4 * mark.radius;
      for (let k = 0; k < 3; ++k) {
        a[k] = e[k] + at * b[k] - r * c[k];
        d[k] = e[k] + at * b[k] + r * c[k];
      }
      ribbons.line(a[0], a[1], a[2], d[0], d[1], d[2], colour, alpha, width);
    }
  }

  /** Three rings for a ball joint. */
  private drawBalls(ribbons: Ribbons, colours: MarkColours, selected: number): void {
    const { places, a, b, c } = this;
    for (let i = 0; i < this.balls.length; ++i) {
      const o = 7 * this.balls[i];
      const colour = this.data.scene.joints[this.balls[i]].child === selected ? colours.of.select : colours.of.joint;
      for (let k = 0; k < 3; ++k) a[k] = places[o + k];
      for (let k = 0; k < 3; ++k) {
        rotate(places, o + 3, k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0, b, 0);
        rotate(places, o + 3, k === 1 ? 1 : 0, k === 2 ? 1 : 0, k === 0 ? 1 : 0, c, 0);
        ribbons.helix(a, b, c, 0, this.ballRadius[i], 1, colour, 0.8, 1.5);
      }
    }
  }

  /** e: the mark's point; b: its direction; c: across; all in the world. */
  private inWorld(mark: AxisMark): void {
    const pose = this.replay.pose;
    this.toWorld(mark.body, pose, 0, mark.point, this.e, true);
    this.toWorld(mark.body, pose, 0, mark.axis, this.b, false);
    this.toWorld(mark.body, pose, 0, mark.side, this.c, false);
  }

  /** Bodies without shapes: sticks from their own joint to those of their children, or to their centre of mass. */
  drawSticks(sticks: Solids, colours: MarkColours): void {
    const scene = this.data.scene, a = this.a, pose = this.replay.pose;
    for (let j = 0; j < scene.joints.length; ++j) {
      const joint = scene.joints[j], radius = 0.006 * this.extent.mechanism[joint.child];
      if (joint.parent >= 0 && scene.bodies[joint.parent].shapes.length === 0) {
        const own = this.ownPlace(joint.parent);
        this.stick(sticks, own, j, radius, colours);
      }
      const body = scene.bodies[joint.child];
      if (body.shapes.length > 0 || joint.type === "free") continue;
      const o = 7 * joint.child;
      rotate(pose, o + 3, body.com[0], body.com[1], body.com[2], a, 0);
      for (let k = 0; k < 3; ++k) a[k] += pose[o + k];
      this.stickTo(sticks, j, a, radius, colours);
    }
  }

  private ownPlace(body: number): number {
    const joints = this.data.scene.joints;
    for (let j = 0; j < joints.length; ++j) if (joints[j].child === body) return j;
    return -1;
  }

  private stick(sticks: Solids, from: number, to: number, radius: number, colours: MarkColours): void {
    if (from < 0) return;
    for (let k = 0; k < 3; ++k) this.b[k] = this.places[7 * to + k];
    this.stickTo(sticks, from, this.b, radius, colours);
  }

  private stickTo(sticks: Solids, from: number, x: Float64Array, radius: number, colours: MarkColours): void {
    const p = this.places, o = 7 * from;
    const dx = x[0] - p[o], dy = x[1] - p[o + 1], dz = x[2] - p[o + 2];
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (length > 1e-9 * this.extent.size) sticks.add(p[o], p[o + 1], p[o + 2], dx / length, dy / length, dz / length, radius, length, colours.of.stick);
  }

  /** Springs as coils between their ends. */
  drawSprings(ribbons: Ribbons, colours: MarkColours): void {
    const { a, b, c, d } = this, springs = this.data.scene.springs;
    for (let i = 0; i < springs.length; ++i) {
      this.endOf(springs[i].a.body, springs[i].a.p, a);
      this.endOf(springs[i].b.body, springs[i].b.p, d);
      let length = 0;
      for (let k = 0; k < 3; ++k) {
        b[k] = d[k] - a[k];
        length += b[k] * b[k];
      }
      length = Math.sqrt(length);
      if (!(length > 1e-6 * this.extent.size)) continue;
      for (let k = 0; k < 3; ++k) b[k] /= length;
      across(b[0], b[1], b[2], c, 0);
      const lead = 0.12 * length;
      ribbons.line(a[0], a[1], a[2], a[0] + lead * b[0], a[1] + lead * b[1], a[2] + lead * b[2], colours.of.spring, 1, 2);
      ribbons.line(d[0] - lead * b[0], d[1] - lead * b[1], d[2] - lead * b[2], d[0], d[1], d[2], colours.of.spring, 1, 2);
      for (let k = 0; k < 3; ++k) a[k] += lead * b[k];
      ribbons.helix(a, b, c, length - 2 * lead, Math.min(this.coilRadius(springs[i]), 0.2 * length), 11, colours.of.spring, 1, 2);
    }
  }

  private coilRadius(spring: Spring): number {
    const { mechanism, size } = this.extent;
    const a = spring.a.body < 0 ? size : mechanism[spring.a.body], b = spring.b.body < 0 ? size : mechanism[spring.b.body];
    return 0.016 * Math.min(a, b);
  }

  private endOf(body: number, p: readonly number[], out: Float64Array): void {
    if (body < 0) {
      for (let k = 0; k < 3; ++k) out[k] = p[k] - this.replay.origin[k];
      return;
    }
    const pose = this.replay.pose, o = 7 * body;
    rotate(pose, o + 3, p[0], p[1], p[2], out, 0);
    for (let k = 0; k < 3; ++k) out[k] += pose[o + k];
  }
}
