// How large the scene is, where its ground is, which way is up and how long its vectors are.
import type { MeshData, ReportData, Shape } from "../data/contract";
import { decodeF32 } from "../data/decode";
import type { Replay } from "../data/replay";
import { rotate } from "../screw/rotate";

const kInstants = 32;  // of the replay that are looked at

export interface Extent {
  up: Float64Array;
  /** Balls that were anywhere during the run: x, y, z, radius, relative to the replay's origin. */
  balls: Float32Array;
  /** [m] across the mechanism at one instant, the largest. */
  size: number;
  /** [m] across all that it sweeps. */
  sweep: number;
  /** [m] across the largest thing that is fixed in the world and belongs to the picture; 0: none. */
  around: number;
  /** The ground's own way up: that of gravity, or the normal of the one plane of the world, a slope. */
  groundUp: Float64Array;
  /** Height of the ground along `groundUp`, relative to the replay's origin. */
  ground: number;
  /** Bodies that are nothing but the ground: they stand still and have one plane, facing up. */
  floors: Set<number>;
  /** Parts of the world that are the ground: planes that face up, or a slope. */
  levels: Set<Shape>;
  /** Of each body: radius of a ball about its frame's origin that holds its shapes. */
  reach: Float64Array;
  /** Of each body: [m] across its shapes and joints. */
  across: Float64Array;
  /** Of each body: [m] across the mechanism that it is part of; there may be many in a scene. */
  mechanism: Float64Array;
  /** What spans the bodies, in their axes. */
  spans: readonly LocalBall[];
  /** [N] a force that most contacts do not exceed, and the length of its arrow [m]; 0 where nothing touches. */
  press: number;
  pressLength: number;
}

export function upOf(gravity: readonly number[]): Float64Array {
  const length = Math.hypot(gravity[0], gravity[1], gravity[2]);
  return length > 0 ? Float64Array.from(gravity, (g) => -g / length || 0) : Float64Array.of(0, 0, 1);
}

const kSigns = [-1, 1];

function corners(low: readonly number[], high: readonly number[]): number[][] {
  return kSigns.flatMap((x) => kSigns.flatMap((y) => kSigns.map((z) => [x < 0 ? low[0] : high[0], y < 0 ? low[1] : high[1], z < 0 ? low[2] : high[2], 0])));
}

function circle(radius: number, z: number): number[][] {
  return Array.from({ length: 8 }, (_, k) => [radius * Math.cos((k * Math.PI) / 4), radius * Math.sin((k * Math.PI) / 4), z, 0]);
}

function meshCorners(mesh: MeshData | undefined): number[][] {
  const v = mesh ? decodeF32(mesh.vertices, "mesh vertices") : new Float32Array(0);
  if (v.length < 3) return [];
  const box = new Box();
  for (let i = 0; i + 2 < v.length; i += 3) box.add(v, i, 0);
  return corners(box.low, box.high);
}

/** Balls (x, y, z, radius) that span the shape, in its own axes; none for a plane. */
function span(shape: Shape, meshes: readonly MeshData[]): number[][] {
  switch (shape.kind) {
    case "box": return corners(shape.size.map((x) => -0.5 * x), shape.size.map((x) => 0.5 * x));
    case "sphere": return [[0, 0, 0, shape.radius]];
    case "ellipsoid": return shape.semi_axes.flatMap((a, k) => kSigns.map((s) => [0, 1, 2].map((m) => (m === k ? s * a : 0)).concat(0)));
    case "cylinder": return [...circle(shape.radius, -0.5 * shape.length), ...circle(shape.radius, 0.5 * shape.length)];
    case "capsule": return kSigns.map((s) => [0, 0, 0.5 * s * shape.length, shape.radius]);
    case "cone": return [...circle(shape.radius, 0), [0, 0, shape.height, 0]];
    case "mesh": return meshCorners(meshes[shape.mesh]);
    case "plane": return [];
  }
}

/** A ball on a body; -1: on the world. */
export interface LocalBall { body: number; x: number; y: number; z: number; r: number }

function localBalls(data: ReportData): { balls: LocalBall[]; reach: Float64Array } {
  const scene = data.scene;
  const balls: LocalBall[] = [];
  const reach = new Float64Array(scene.bodies.length);
  const add = (body: number, p: readonly number[], r: number) => {
    balls.push({ body, x: p[0], y: p[1], z: p[2], r });
    if (body >= 0) reach[body] = Math.max(reach[body], Math.hypot(p[0], p[1], p[2]) + r);
  };
  scene.bodies.forEach((body, i) => {
    const turned = new Float64Array(3);
    for (const shape of body.shapes)
      for (const [x, y, z, r] of span(shape, scene.meshes)) {
        rotate(shape.q, 0, x, y, z, turned, 0);
        add(i, [shape.p[0] + turned[0], shape.p[1] + turned[1], shape.p[2] + turned[2]], r);
      }
    if (body.shapes.length === 0) add(i, body.com, 0);
  });
  for (const joint of scene.joints) if (joint.type !== "free") add(joint.child, joint.p, 0);
  for (const frame of scene.frames) if (frame.body >= 0) add(frame.body, frame.p, 0);
  for (const spring of scene.springs) for (const end of [spring.a, spring.b]) add(end.body, end.p, 0);
  return { balls, reach };
}

class Box {
  readonly low = [Infinity, Infinity, Infinity];
  readonly high = [-Infinity, -Infinity, -Infinity];

  clear(): void {
    this.low.fill(Infinity);
    this.high.fill(-Infinity);
  }

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
  const slabs = slabsOf(data, replay, up, balls);
  const seen = slabs.size > 0 ? balls.filter((ball) => !slabs.has(ball.body)) : balls;
  const world = new Float32Array(instants * seen.length * 4);
  const trees = treesOf(data), boxes = trees.map(() => new Box()), mechanism = new Float64Array(trees.length);
  const all = new Box();
  let size = 0, lowest = Infinity, o = 0;
  for (let k = 0; k < instants; ++k) {
    const frame = instants > 1 ? Math.round((k * (replay.count - 1)) / (instants - 1)) : 0;
    const one = new Box();
    for (const box of boxes) box.clear();
    for (const ball of seen) {
      place(replay, frame, ball, world, o);
      if (!Number.isFinite(world[o] + world[o + 1] + world[o + 2])) world.fill(0, o, o + 3);
      world[o + 3] = ball.r;
      one.add(world, o, ball.r);
      if (ball.body >= 0) boxes[trees[ball.body]].add(world, o, ball.r);
      all.add(world, o, ball.r);
      lowest = Math.min(lowest, world[o] * up[0] + world[o + 1] * up[1] + world[o + 2] * up[2] - ball.r);
      o += 4;
    }
    size = Math.max(size, one.diagonal());
    for (let i = 0; i < trees.length; ++i) mechanism[i] = Math.max(mechanism[i], boxes[trees[i]].diagonal());
  }
  const sweep = Math.max(all.diagonal(), size);
  if (!(size > 0)) size = sweep > 0 ? sweep : 1;
  for (let i = 0; i < trees.length; ++i) mechanism[i] = mechanism[i] > 1e-3 * size ? mechanism[i] : size;
  const floors = floorsOf(data, replay, up);
  const levels = levelsOf(data, replay, up), heights = [...floors.values(), ...levels.values()];
  const slope = heights.length > 0 ? null : slopeOf(data, replay, up);
  const ground = heights.length > 0 ? Math.max(...heights) : slope ? slope.height : groundOf(data, replay, up, Math.min(lowest, lowestOfWorld(data, replay, up), ...slabs.values()), size);
  const near = surroundings(data, replay, 2 * sweep);
  const across = acrossOf(balls, trees.length), arrows = contactArrows(replay, size, across);
  const inView = Float32Array.from([...world, ...near.balls, ...arrows.tips]);
  const hidden = slope ? [slope.plane] : [...levels.keys()];
  return { up, balls: inView, size, sweep: Math.max(sweep, size), around: near.across, groundUp: slope ? slope.normal : up, ground, floors: new Set(floors.keys()), levels: new Set(hidden), reach, across, mechanism, spans: balls, press: arrows.press, pressLength: arrows.length };
}

/** How large the forces of contacts are drawn: about as long as the bodies that touch; and where their arrows end. */
function contactArrows(replay: Replay, size: number, across: Float64Array): { press: number; length: number; tips: number[] } {
  const contacts = replay.contacts, tips: number[] = [];
  const press = contacts ? Math.max(typicalLargest(contacts.normals, 3, 0), typicalLargest(contacts.frictions, 3, 0)) : 0;
  if (!contacts || !(press > 0)) return { press: 0, length: 0, tips };
  const bodies = across.filter((x) => x > 0).sort(), usual = bodies.length > 0 ? bodies[bodies.length >> 1] : size;
  const length = Math.min(0.3 * size, 1.25 * usual), instants = Math.min(kInstants, replay.count);
  for (let k = 0; k < instants; ++k) {
    const [first, end] = contacts.at(instants > 1 ? Math.round((k * (replay.count - 1)) / (instants - 1)) : 0);
    for (let o = first; o < end; o += 3) {
      const tip = [0, 1, 2].map((i) => contacts.points[o + i] + (length * contacts.normals[o + i]) / press);
      if (Number.isFinite(tip[0] + tip[1] + tip[2])) tips.push(...tip, 0);
    }
  }
  return { press, length, tips };
}

/** What is fixed in the world and no wider than `most` [m]: bowls, stones, walls. It belongs to the picture, a wide floor does not. */
function surroundings(data: ReportData, replay: Replay, most: number): { balls: number[]; across: number } {
  const balls: number[] = [], turned = new Float64Array(3);
  let across = 0;
  for (const shape of data.scene.ground ?? []) {
    const box = new Box(), of: number[] = [];
    for (const [x, y, z, r] of span(shape, data.scene.meshes)) {
      rotate(shape.q, 0, x, y, z, turned, 0);
      const p = [0, 1, 2].map((k) => shape.p[k] + turned[k] - replay.origin[k]);
      box.add(p, 0, r);
      of.push(...p, r);
    }
    if (of.length === 0 || box.diagonal() > most) continue;
    balls.push(...of);
    across = Math.max(across, box.diagonal());
  }
  return { balls, across };
}

/** The one plane of the world, where it is not level but can be stood on; null where there is none, or several. */
function slopeOf(data: ReportData, replay: Replay, up: Float64Array): { plane: Shape; normal: Float64Array; height: number } | null {
  const planes = (data.scene.ground ?? []).filter((shape) => shape.kind === "plane");
  if (planes.length !== 1) return null;
  const plane = planes[0], normal = new Float64Array(3);
  rotate(plane.q, 0, 0, 0, 1, normal, 0);
  if (normal[0] * up[0] + normal[1] * up[1] + normal[2] * up[2] < 0.5) return null;
  let height = 0;
  for (let k = 0; k < 3; ++k) height += (plane.p[k] - replay.origin[k]) * normal[k];
  return { plane, normal, height };
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

/** Of each body the first one of its mechanism: what hangs together by joints, the world left out. */
function treesOf(data: ReportData): number[] {
  const trees = data.scene.bodies.map((_, i) => i);
  const root = (i: number): number => (trees[i] === i ? i : root(trees[i]));
  for (const joint of data.scene.joints) if (joint.parent >= 0) trees[root(joint.child)] = root(joint.parent);
  return trees.map((_, i) => root(i));
}

function acrossOf(balls: readonly LocalBall[], bodies: number): Float64Array {
  const boxes = Array.from({ length: bodies }, () => new Box());
  for (const ball of balls) if (ball.body >= 0) boxes[ball.body].add([ball.x, ball.y, ball.z], 0, ball.r);
  return Float64Array.from(boxes, (box) => box.diagonal());
}

/**
 * Plates that everything else stands on or over, with the heights of their lowest points along `up`: fixed to the world, wide and thin.
 * They are drawn, but neither the view nor the size of marks follows them.
 */
function slabsOf(data: ReportData, replay: Replay, up: Float64Array, balls: readonly LocalBall[]): Map<number, number> {
  const slabs = new Map<number, number>(), n = data.scene.bodies.length;
  if (replay.count === 0) return slabs;
  const low = new Float64Array(n).fill(Infinity), high = new Float64Array(n).fill(-Infinity), at = new Float32Array(3);
  for (const ball of balls) {
    if (ball.body < 0) continue;
    place(replay, 0, ball, at, 0);
    const height = at[0] * up[0] + at[1] * up[1] + at[2] * up[2];
    low[ball.body] = Math.min(low[ball.body], height - ball.r);
    high[ball.body] = Math.max(high[ball.body], height + ball.r);
  }
  const wide = acrossOf(balls, n);
  for (const joint of data.scene.joints) {
    const i = joint.child;
    if (joint.type !== "fixed" || joint.parent >= 0 || data.scene.bodies[i].shapes.length === 0 || high[i] - low[i] > 0.05 * wide[i]) continue;
    if (low.some((height, k) => k !== i && height < 0.5 * (low[i] + high[i]))) continue;
    if (n > 1) slabs.set(i, low[i]);
  }
  return slabs;
}

/** Bodies that are floors, with their heights along `up`. */
function floorsOf(data: ReportData, replay: Replay, up: Float64Array): Map<number, number> {
  const floors = new Map<number, number>();
  const normal = new Float64Array(3), point = new Float64Array(3);
  data.scene.bodies.forEach((body, i) => {
    const plane = body.shapes[0];
    if (replay.count === 0 || body.shapes.length !== 1 || plane.kind !== "plane") return;
    const first = 7 * i, last = ((replay.count - 1) * replay.bodies + i) * 7;
    for (let k = 0; k < 7; ++k) if (replay.poses[first + k] !== replay.poses[last + k]) return;
    rotate(plane.q, 0, 0, 0, 1, normal, 0);
    rotate(replay.poses, first + 3, normal[0], normal[1], normal[2], normal, 0);
    if (normal[0] * up[0] + normal[1] * up[1] + normal[2] * up[2] < 0.9999) return;
    rotate(replay.poses, first + 3, plane.p[0], plane.p[1], plane.p[2], point, 0);
    let height = 0;
    for (let k = 0; k < 3; ++k) height += (point[k] + replay.poses[first + k]) * up[k];
    floors.set(i, height);
  });
  return floors;
}

/** The lowest point of what is fixed in the world, along `up`. Neither the view nor the size of marks follows it. */
function lowestOfWorld(data: ReportData, replay: Replay, up: Float64Array): number {
  const turned = new Float64Array(3);
  let lowest = Infinity;
  for (const shape of data.scene.ground ?? [])
    for (const [x, y, z, r] of span(shape, data.scene.meshes)) {
      rotate(shape.q, 0, x, y, z, turned, 0);
      let height = -r;
      for (let k = 0; k < 3; ++k) height += (shape.p[k] + turned[k] - replay.origin[k]) * up[k];
      lowest = Math.min(lowest, height);
    }
  return lowest;
}

/** Planes of the world that face up, with their heights along `up`. */
function levelsOf(data: ReportData, replay: Replay, up: Float64Array): Map<Shape, number> {
  const levels = new Map<Shape, number>(), normal = new Float64Array(3);
  for (const plane of data.scene.ground ?? []) {
    if (plane.kind !== "plane") continue;
    rotate(plane.q, 0, 0, 0, 1, normal, 0);
    if (normal[0] * up[0] + normal[1] * up[1] + normal[2] * up[2] < 0.9999) continue;
    let height = 0;
    for (let k = 0; k < 3; ++k) height += (plane.p[k] - replay.origin[k]) * up[k];
    levels.set(plane, height);
  }
  return levels;
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
  const step = Math.max(1, Math.floor(rows / 5000));
  const lengths: number[] = [];
  for (let i = 0; i < rows; i += step) {
    const o = i * stride + offset;
    const length = Math.sqrt(table[o] * table[o] + table[o + 1] * table[o + 1] + table[o + 2] * table[o + 2]);
    if (Number.isFinite(length)) lengths.push(length);
  }
  lengths.sort((a, b) => a - b);
  return lengths.length > 0 ? lengths[Math.floor(0.98 * (lengths.length - 1))] : 0;
}
