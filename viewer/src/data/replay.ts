// The motion as the 3D view needs it: frames and what lies between them. Everything is sampled into arrays made once.
import { ContactForces } from "./contact_forces";
import type { ReportData } from "./contract";
import { decodeF32, decodeF64 } from "./decode";
import { hermite, interpolateRotation } from "./hermite";
import { lastAtOrBefore } from "./search";

export class Replay {
  readonly count: number;
  readonly bodies: number;
  readonly joints: number;
  readonly origin: Float64Array;
  readonly t: Float64Array;
  readonly poses: Float32Array;
  readonly twists: Float32Array;
  readonly wrenches: Float32Array | null;
  readonly momenta: Float32Array | null;
  readonly coms: Float32Array;
  /** What touches at the sampled time. */
  readonly contacts: ContactForces | null;

  /** At the sampled time: position and quaternion xyzw of each body, relative to `origin`. */
  readonly pose: Float64Array;
  /** Velocity of each body frame's origin and angular velocity, world axes. */
  readonly twist: Float64Array;
  /** Force and torque on the child of each joint at the joint's frame, world axes. */
  readonly wrench: Float64Array;
  /** Linear, and angular about the world's origin. */
  readonly momentum = new Float64Array(6);
  readonly com = new Float64Array(3);
  time = NaN;

  constructor(data: ReportData) {
    const f = data.frames;
    this.count = f.count;
    this.bodies = data.scene.bodies.length;
    this.joints = data.scene.joints.length;
    this.origin = Float64Array.from(f.origin);
    this.t = decodeF64(f.t, "frames.t", f.count);
    this.poses = decodeF32(f.poses, "frames.poses", f.count * this.bodies * 7);
    this.twists = decodeF32(f.twists, "frames.twists", f.count * this.bodies * 6);
    this.wrenches = f.wrenches === null ? null : decodeF32(f.wrenches, "frames.wrenches", f.count * this.joints * 6);
    this.momenta = f.momentum === null ? null : decodeF32(f.momentum, "frames.momentum", f.count * 6);
    this.coms = decodeF32(f.com, "frames.com", f.count * 3);
    this.contacts = f.contacts ? new ContactForces(f.contacts, f.count) : null;
    this.pose = new Float64Array(this.bodies * 7);
    this.twist = new Float64Array(this.bodies * 6);
    this.wrench = new Float64Array(this.joints * 6);
    if (this.count > 0) this.sample(this.start);
  }

  get start(): number {
    return this.count > 0 ? this.t[0] : 0;
  }

  get end(): number {
    return this.count > 0 ? this.t[this.count - 1] : 0;
  }

  /** Whether the sampled poses are numbers; where a run fails they may not be. */
  get known(): boolean {
    for (let i = 0; i < this.pose.length; ++i) if (!Number.isFinite(this.pose[i])) return false;
    return true;
  }

  /** The frame at or before a time. */
  frameAt(time: number): number {
    return lastAtOrBefore(this.t, time);
  }

  sample(time: number): void {
    if (this.count === 0) return;
    this.time = Math.min(Math.max(time, this.start), this.end);
    const i = this.frameAt(this.time);
    const j = Math.min(i + 1, this.count - 1);
    const span = this.t[j] - this.t[i];
    const s = span > 0 ? (this.time - this.t[i]) / span : 0;
    interpolatePoses(this.poses, this.twists, i, j, span, s, this.bodies, this.pose);
    interpolate(this.twists, i, j, s, this.twist);
    if (this.wrenches) interpolate(this.wrenches, i, j, s, this.wrench);
    if (this.momenta) interpolate(this.momenta, i, j, s, this.momentum);
    interpolate(this.coms, i, j, s, this.com);
    this.contacts?.sample(i, j, s);
  }
}

function interpolate(table: Float32Array, i: number, j: number, s: number, out: Float64Array): void {
  const n = out.length, a = i * n, b = j * n;
  for (let k = 0; k < n; ++k) out[k] = table[a + k] + s * (table[b + k] - table[a + k]);
}

/** Positions and orientations by their velocities at both frames (hermite.ts). */
export function interpolatePoses(poses: Float32Array, twists: Float32Array, i: number, j: number, span: number, s: number, bodies: number, out: Float64Array): void {
  for (let body = 0; body < bodies; ++body) {
    const a = (i * bodies + body) * 7, b = (j * bodies + body) * 7, o = body * 7;
    const va = (i * bodies + body) * 6, vb = (j * bodies + body) * 6;
    for (let k = 0; k < 3; ++k) out[o + k] = hermite(poses[a + k], poses[b + k], span * twists[va + k], span * twists[vb + k], s);
    interpolateRotation(poses, a + 3, poses, b + 3, twists, va + 3, twists, vb + 3, span, s, out, o + 3);
  }
}
