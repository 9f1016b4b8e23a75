// How large the scene is, where its ground is, which way is up and how long its vectors are.
import type { MeshData, ReportData, Shape } from "../data/contract";
import { decodeF32 } from "../data/decode";
import type { Replay } from "../data/replay";
import { rotate } from "../screw/rotate";

const kInstants = 48;  // of the replay that are looked at

export interface Extent {
  up: Float64Array;
  /** Balls that were anywhere during the run: x, y, z, radius, relative to the replay's origin. */
  balls: Float32Array;
  /** [m] across the mechanism at one instant, the largest. */
  size: number;
  /** [m] across all that it sweeps. */
  sweep: number;
  /** Height of the ground along `up`, relative to the replay's origin. */
  ground: number;
  /** Of each body: radius of a ball about its frame's origin that holds its shapes. */
  reach: Float64Array;
}

export function upOf(gravity: readonly number[]): Float64Array {
  const length = Math.hypot(gravity[0], gravity[1], gravity[2]);
  return length > 0 ? Float64Array.from(gravity, (g) => -g / length || 0) : Float64Array.of(0, 0, 1);
}

function meshRadius(mesh: MeshData): number {
  const v = decodeF32(mesh.vertices, "mesh");
  let most = 0;
  for (let i = 0; i + 2 < v.length; i += 3) most = Math.max(most, Math.hypot(v[i], v[i + 1], v[i + 2]));
  return most;
}

/** Radius of the ball about the shape's own origin that holds it; 0 for a plane. */
export function shapeRadius(shape: Shape, meshRadii: readonly number[]): number {
  switch (shape.kind) {
    case "box": return 0.5 * Math.hypot(...shape.size);
    case "sphere": return shape.radius;
    case "ellipsoid": return Math.max(...shape.semi_axes);
    case "cylinder": return Math.hypot(shape.radius, 0.5 * shape.length);
    case "capsule": return shape.radius + 0.5 * shape.length;
    case "cone": return Math.max(shape.radius, shape.height);
    case "mesh": return meshRadii[shape.mesh] ?? 0;
    case "plane": return 0;
  }
}

interface LocalBall { body: number; x: number; y: number; z: number; r: number }

function localBalls(data: ReportData): { balls: LocalBall[]; reach: Float64Array } {
  const scene = data.scene;
  const meshRadii = scene.meshes.map(meshRadius);
  const balls: LocalBall[] = [];
  const reach = new Float64Array(scene.bodies.length);
  const add = (body: number, p: readonly number[], r: number) => {
    balls.push({ body, x: p[0], y: p[1], z: p[2], r });
    if (body >= 0) reach[body] = Math.max(reach[body], Math.hypot(p[0], p[1], p[2]) + r);
  };
  scene.bodies.forEach((body, i) => {
    let shaped = false;
    for (const shape of body.shapes) {
      if (shape.kind === "plane") continue;
      shaped = true;
      if (shape.kind === "box" || shape.kind === "cylinder" || shape.kind === "capsule") addLong(shape, i, add);
      else add(i, shape.p, shapeRadius(shape, meshRadii));
    }
    if (!shaped) add(i, body.com, 0);
  });
  for (const joint of scene.joints) if (joint.type !== "free") add(joint.child, joint.p, 0);
  for (const frame of scene.frames) if (frame.body >= 0) add(frame.body, frame.p, 0);
  for (const spring of scene.springs) for (const end of [spring.a, spring.b]) add(end.body, end.p, 0);
  return { balls, reach };
}

/** A long shape as three balls, so that a thin rod does not count as a thick ball. */
function addLong(shape: Shape & { kind: "box" | "cylinder" | "capsule" }, body: number, add: (body: number, p: readonly number[], r: number) => void): void {
  const half = [0, 0, 0];
  let r: number;
  if (shape.kind === "box") {
    const longest = shape.size.indexOf(Math.max(...shape.size));
    r = 0.5 * Math.hypot(...shape.size.filter((_, k) => k !== longest));
    half[longest] = 0.5 * shape.size[longest];
  } else {
    r = shape.radius;
    half[2] = 0.5 * shape.length;
  }
  const out = new Float64Array(3);
  rotate(shape.q, 0, half[0], half[1], half[2], out, 0);
  for (const s of [-1, 0, 1]) add(body, shape.p.map((p, k) => p + s * out[k]), r);
}

class Box {
  readonly low = [Infinity, Infinity, Infinity];
  readonly high = [-Infinity, -Infinity, -Infinity];

  add(p: ArrayLike<number>, o: number, r: number): void {
    for (let k = 0; k < 3; ++k) {
      this.low[k] = Math.min(this.low[k], p[o + k] - r);
      this.high[k] = Math.max(this.high[k], p[o + k] + r);
    }
  }

  diagonal(): number {
    const d = Math.hypot(this.high[0] - this.low[0], this.high[1] - this.low[1], this.high[2] - this.low[2]);
    return Number.isFinite(d) ? d : 0;
  }
}

export function measure(data: ReportData, replay: Replay): Extent {
  const up = upOf(data.scene.gravity);
  const { balls, reach } = localBalls(data);
  const instants = Math.min(kInstants, replay.count);
  const world = new Float32Array(instants * balls.length * 4);
  const all = new Box();
  let size = 0, lowest = Infinity, o = 0;
  for (let k = 0; k < instants; ++k) {
    const frame = instants > 1 ? Math.round((k * (replay.count - 1)) / (instants - 1)) : 0;
    const one = new Box();
    for (const ball of balls) {
      place(replay, frame, ball, world, o);
      if (!Number.isFinite(world[o] + world[o + 1] + world[o + 2])) world.fill(0, o, o + 3);
      world[o + 3] = ball.r;
      one.add(world, o, ball.r);
      all.add(world, o, ball.r);
      lowest = Math.min(lowest, world[o] * up[0] + world[o + 1] * up[1] + world[o + 2] * up[2] - ball.r);
      o += 4;
    }
    size = Math.max(size, one.diagonal());
  }
  const sweep = Math.max(all.diagonal(), size);
  if (!(size > 0)) size = sweep > 0 ? sweep : 1;
  return { up, balls: world, size, sweep: Math.max(sweep, size), ground: groundOf(data, replay, up, lowest, size), reach };
}

function place(replay: Replay, frame: number, ball: LocalBall, out: Float32Array, o: number): void {
  if (ball.body < 0) {
    out[o] = ball.x - replay.origin[0];
    out[o + 1] = ball.y - replay.origin[1];
    out[o + 2] = ball.z - replay.origin[2];
    return;
  }
  const b = (frame * replay.bodies + ball.body) * 7;
  rotate(replay.poses, b + 3, ball.x, ball.y, ball.z, out, o);
  for (let k = 0; k < 3; ++k) out[o + k] += replay.poses[b + k];
}

/** The world's own level when everything stays above it and near it, else a little below the lowest point. */
function groundOf(data: ReportData, replay: Replay, up: Float64Array, lowest: number, size: number): number {
  const zero = -(replay.origin[0] * up[0] + replay.origin[1] * up[1] + replay.origin[2] * up[2]);
  if (!Number.isFinite(lowest)) return zero;
  if (lowest >= zero - 1e-3 * size && lowest - zero < 0.6 * size) return zero;
  const heavy = data.scene.gravity.some((g) => g !== 0);
  return lowest - (heavy ? 0.03 : 0.15) * size;
}

/** A length that most of the vectors at stride `stride` (three numbers from `offset`) do not exceed. */
export function typicalLargest(table: Float32Array | null, stride: number, offset: number): number {
  if (!table || table.length === 0) return 0;
  const rows = Math.floor(table.length / stride);
  const step = Math.max(1, Math.floor(rows / 20000));
  const lengths: number[] = [];
  for (let i = 0; i < rows; i += step) {
    const o = i * stride + offset;
    const length = Math.hypot(table[o], table[o + 1], table[o + 2]);
    if (Number.isFinite(length)) lengths.push(length);
  }
  lengths.sort((a, b) => a - b);
  return lengths.length > 0 ? lengths[Math.floor(0.98 * (lengths.length - 1))] : 0;
}
