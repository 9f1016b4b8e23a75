import assert from "node:assert/strict";
import { test } from "node:test";
import type { JointAxis, ReportData } from "../../src/data/contract";
import { Replay } from "../../src/data/replay";
import { measure } from "../../src/stage/extent";
import { JointMarks } from "../../src/stage/joint_marks";
import { doublePendulum, nut } from "../sample";

function marksOf(data: ReportData) {
  const replay = new Replay(data), extent = measure(data, replay);
  const marks = new JointMarks(data, replay, extent), from = new Float64Array(3), to = new Float64Array(3);
  const line = (joint: number, time: number, axis = 0) => {
    replay.sample(time);
    marks.place();
    marks.lineOf(joint, axis, from, to);
    return [...from, ...to];
  };
  return { replay, extent, line };
}

function close(a: number[], b: number[], tolerance = 1e-5): void {
  assert.equal(a.length, b.length);
  a.forEach((x, k) => assert.ok(Math.abs(x - b[k]) < tolerance, `[${a}] and [${b}]`));
}

test("the thread of a screw lies still on the parent and covers the whole way of the nut", () => {
  const { replay, line } = marksOf(nut());
  const first = line(0, 0);
  close(line(0, 2.1), first);
  let low = Infinity, high = -Infinity;
  for (let i = 0; i < replay.count; ++i) {
    low = Math.min(low, replay.poses[i * 21 + 2]);
    high = Math.max(high, replay.poses[i * 21 + 2]);
  }
  close([first[0], first[1], first[3], first[4]], [0, 0, 0, 0]);
  assert.ok(first[2] < low && first[5] > high && first[5] - first[2] < 2 * (high - low) + 0.2, `${first} from ${low} to ${high}`);
});

test("a rail goes with its parent", () => {
  const { line } = marksOf(nut());
  const a = line(2, 0), b = line(2, 2.1);
  const length = (x: number[]) => Math.hypot(x[3] - x[0], x[4] - x[1], x[5] - x[2]);
  close([length(a)], [length(b)]);
  assert.ok(Math.abs(a[2] - b[2]) > 0.05, "the nut takes it up");
});

test("an axis is where its body is: on the child, on the parent or on the world", () => {
  const on = (body: number, p: [number, number, number]): JointAxis => ({ kind: "revolute", body, p, axis: [0, 1, 0], pitch: 0 });
  const data = doublePendulum(false);
  data.scene.joints[1].axes = [on(0, [0, 0, -0.5]), on(1, [0, 0, 0]), on(-1, [0.1, 0, 0.2])];
  data.frames.origin = [0.1, 0, 0];
  const { line } = marksOf(data);
  for (const time of [0, 1.7, 5]) {
    const parent = line(1, time, 0), child = line(1, time, 1), world = line(1, time, 2);
    close([parent[0], parent[2], parent[3], parent[5]], [child[0], child[2], child[3], child[5]], 1e-4);
    close([world[0], world[2]], [0, 0.2]);
  }
});

test("marks are as large as their bodies, however wide the scene is", () => {
  const length = (data: ReportData) => {
    const { line } = marksOf(data);
    const x = line(0, 0);
    return Math.hypot(x[3] - x[0], x[4] - x[1], x[5] - x[2]);
  };
  const near = doublePendulum(false), far = doublePendulum(false);
  far.scene.springs.push({ name: "far away", a: { body: -1, p: [3, 0, 0] }, b: { body: -1, p: [3, 0, 1] } });
  close([length(near)], [length(far)]);
});

test("a wide plate under everything does not count for the size of the scene", () => {
  const floor = doublePendulum(false);
  floor.scene.bodies[0].shapes = [{ kind: "box", size: [20, 20, 0.05], p: [0, 0, -3], q: [0, 0, 0, 1], color: null }];
  Object.assign(floor.scene.joints[0], { type: "fixed", p: [0, 0, -3], axes: [] });
  Object.assign(floor.scene.joints[1], { parent: -1 });
  const poses = new Replay(floor).poses;
  for (let i = 0; i < floor.frames.count; ++i) poses.set([0, 0, 0, 0, 0, 0, 1], 14 * i);
  floor.frames.poses = Buffer.from(poses.buffer, poses.byteOffset, poses.byteLength).toString("base64");
  const extent = measure(floor, new Replay(floor));
  assert.ok(extent.size < 3, `${extent.size}`);
  assert.ok(Math.abs(extent.ground - -3.055) < 0.1, `the ground is below the plate: ${extent.ground}`);
});
