// Joints as they are drawn: a hinge is an axis with a ring, a slider a rail, a screw a thread of its own pitch.
import type { JointAxis, ReportData } from "../data/contract";
import type { Replay } from "../data/replay";
import { across, multiply, rotate, rotateBack } from "../screw/rotate";
import type { MarkColours } from "./palette";
import type { Ribbons } from "./ribbons";
import type { Solids } from "./solids";

const kMostTurns = 24;  // of a thread that is drawn; a finer one looks like this one

interface AxisMark {
  kind: JointAxis["kind"];
  joint: number;
  /** In the joint's frame. */
  axis: Float64Array;
  side: Float64Array;
  pitch: number;
  radius: number;
  /** On the parent: the line along which the child's frame travels, from `from` to `to` along `railAxis`. */
  railPoint: Float64Array;
  railAxis: Float64Array;
  railSide: Float64Array;
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
  private readonly a = new Float64Array(3);
  private readonly b = new Float64Array(3);
  private readonly c = new Float64Array(3);
  private readonly d = new Float64Array(3);
  private readonly parentPose = new Float64Array(7);

  constructor(private readonly data: ReportData, private readonly replay: Replay, private readonly size: number, reach: Float64Array) {
    this.places = new Float64Array(7 * data.scene.joints.length);
    data.scene.joints.forEach((joint, j) => {
      for (const axis of joint.axes) this.marks.push(this.markOf(j, axis, reach[joint.child]));
      if (joint.type === "spherical") this.balls.push(j);
    });
  }

  private markOf(j: number, axis: JointAxis, reach: number): AxisMark {
    const side = new Float64Array(3), unit = Float64Array.from(axis.axis);
    across(unit[0], unit[1], unit[2], side, 0);
    const near = Math.min(Math.max(reach, 0.06 * this.size), 0.16 * this.size);
    const mark: AxisMark = {
      kind: axis.kind, joint: j, axis: unit, side, pitch: axis.pitch ?? 0, radius: axis.kind === "revolute" ? Math.min(Math.max(0.3 * reach, 0.014 * this.size), 0.042 * this.size) : 0.018 * this.size,
      railPoint: new Float64Array(3), railAxis: new Float64Array(3), railSide: new Float64Array(3), from: -near, to: near,
    };
    if (axis.kind !== "revolute") this.lay(mark, near);
    return mark;
  }

  /** Lays the rail along all places where the child was. */
  private lay(mark: AxisMark, margin: number): void {
    const { replay, a, b } = this;
    const joint = this.data.scene.joints[mark.joint];
    for (let frame = 0; frame < replay.count; ++frame) {
      const child = (frame * replay.bodies + joint.child) * 7;
      rotate(replay.poses, child + 3, joint.p[0], joint.p[1], joint.p[2], a, 0);
      for (let k = 0; k < 3; ++k) a[k] += replay.poses[child + k];
      this.toParent(joint.parent, frame, a, true);
      if (frame === 0) {
        mark.railPoint.set(a);
        rotate(joint.q, 0, mark.axis[0], mark.axis[1], mark.axis[2], b, 0);
        rotate(replay.poses, child + 3, b[0], b[1], b[2], mark.railAxis, 0);
        this.toParent(joint.parent, frame, mark.railAxis, false);
        across(mark.railAxis[0], mark.railAxis[1], mark.railAxis[2], mark.railSide, 0);
        continue;
      }
      let travel = 0;
      for (let k = 0; k < 3; ++k) travel += (a[k] - mark.railPoint[k]) * mark.railAxis[k];
      if (!Number.isFinite(travel)) continue;
      mark.from = Math.min(mark.from, travel - margin);
      mark.to = Math.max(mark.to, travel + margin);
    }
  }

  private toParent(parent: number, frame: number, x: Float64Array, isPoint: boolean): void {
    if (parent < 0) return;
    const poses = this.replay.poses, o = (frame * this.replay.bodies + parent) * 7;
    if (isPoint) for (let k = 0; k < 3; ++k) x[k] -= poses[o + k];
    rotateBack(poses, o + 3, x[0], x[1], x[2], x, 0);
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
    const { places, a, b, c, d } = this;
    for (let m = 0; m < this.marks.length; ++m) {
      const mark = this.marks[m], o = 7 * mark.joint;
      const chosen = selected >= 0 && this.data.scene.joints[mark.joint].child === selected;
      const colour = chosen ? colours.of.select : colours.of.joint, alpha = chosen ? 1 : 0.8, width = chosen ? 2.2 : 1.5;
      if (mark.kind === "revolute") {
        rotate(places, o + 3, mark.axis[0], mark.axis[1], mark.axis[2], b, 0);
        rotate(places, o + 3, mark.side[0], mark.side[1], mark.side[2], c, 0);
        for (let k = 0; k < 3; ++k) a[k] = places[o + k];
        const half = 1.5 * mark.radius;
        ribbons.line(a[0] - half * b[0], a[1] - half * b[1], a[2] - half * b[2], a[0] + half * b[0], a[1] + half * b[1], a[2] + half * b[2], colour, alpha, width);
        ribbons.helix(a, b, c, 0, mark.radius, 0.86, colour, alpha, width);
        continue;
      }
      this.railInWorld(mark);
      const length = mark.to - mark.from;
      const e = this.parentPose;
      if (mark.kind === "screw") {
        for (let k = 0; k < 3; ++k) {
          a[k] = e[k] + mark.from * b[k];
          d[k] = e[k] + mark.to * b[k];
        }
        ribbons.line(a[0], a[1], a[2], d[0], d[1], d[2], colour, 0.55 * alpha, 1.2);
        ribbons.helix(a, b, c, length, mark.radius, threadTurns(mark.pitch, length), colour, alpha, 1.3 * width);
      } else {
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
    }
    this.drawBalls(ribbons, colours, selected);
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
        ribbons.helix(a, b, c, 0, 0.036 * this.size, 1, colour, 0.8, 1.5);
      }
    }
  }

  /** parentPose[0..2]: the rail's point; b: its direction; c: across; all in the world. */
  private railInWorld(mark: AxisMark): void {
    const parent = this.data.scene.joints[mark.joint].parent, pose = this.replay.pose, e = this.parentPose;
    if (parent < 0) {
      e.set(mark.railPoint);
      this.b.set(mark.railAxis);
      this.c.set(mark.railSide);
      return;
    }
    const o = 7 * parent;
    rotate(pose, o + 3, mark.railPoint[0], mark.railPoint[1], mark.railPoint[2], e, 0);
    for (let k = 0; k < 3; ++k) e[k] += pose[o + k];
    rotate(pose, o + 3, mark.railAxis[0], mark.railAxis[1], mark.railAxis[2], this.b, 0);
    rotate(pose, o + 3, mark.railSide[0], mark.railSide[1], mark.railSide[2], this.c, 0);
  }

  /** Bodies without shapes: sticks from their own joint to those of their children, or to their centre of mass. */
  drawSticks(sticks: Solids, colours: MarkColours): void {
    const scene = this.data.scene, a = this.a, pose = this.replay.pose, radius = 0.006 * this.size;
    for (let j = 0; j < scene.joints.length; ++j) {
      const joint = scene.joints[j];
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
    if (length > 1e-9 * this.size) sticks.add(p[o], p[o + 1], p[o + 2], dx / length, dy / length, dz / length, radius, length, colours.of.stick);
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
      if (!(length > 1e-6 * this.size)) continue;
      for (let k = 0; k < 3; ++k) b[k] /= length;
      across(b[0], b[1], b[2], c, 0);
      const lead = 0.12 * length;
      ribbons.line(a[0], a[1], a[2], a[0] + lead * b[0], a[1] + lead * b[1], a[2] + lead * b[2], colours.of.spring, 1, 2);
      ribbons.line(d[0] - lead * b[0], d[1] - lead * b[1], d[2] - lead * b[2], d[0], d[1], d[2], colours.of.spring, 1, 2);
      for (let k = 0; k < 3; ++k) a[k] += lead * b[k];
      ribbons.helix(a, b, c, length - 2 * lead, Math.min(0.016 * this.size, 0.2 * length), 11, colours.of.spring, 1, 2);
    }
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
