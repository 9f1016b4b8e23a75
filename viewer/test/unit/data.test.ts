import assert from "node:assert/strict";
import { test } from "node:test";
import { align, Column, csvTable, decodeColumns, groupsOf, panelsOf, shortName } from "../../src/data/columns";
import { decodeF32, decodeF64, decodeU32 } from "../../src/data/decode";
import { impulseColumns } from "../../src/data/impulses";
import { energyStack, workStack } from "../../src/data/energy_balance";
import { outcomeOf } from "../../src/data/outcome";
import { countText, durationText, lengthText, numberText, unitText } from "../../src/data/number_text";
import { Replay } from "../../src/data/replay";
import { lastAtOrBefore } from "../../src/data/search";
import { base64, kSamples } from "../sample";

test("base64 gives back the numbers, and a wrong count is an error", () => {
  assert.deepEqual([...decodeF32(base64(Float32Array.of(1.5, -2, NaN)), "x", 3)], [1.5, -2, NaN]);
  assert.deepEqual([...decodeF64(base64(Float64Array.of(Math.PI)), "x")], [Math.PI]);
  assert.deepEqual([...decodeU32(base64(Uint32Array.of(4294967295)), "x")], [4294967295]);
  assert.throws(() => decodeF32(base64(Float32Array.of(1)), "frames.poses", 2), /frames\.poses: 4 bytes, not 2 numbers/);
  assert.throws(() => decodeF64(base64(Float32Array.of(1)), "t"), /t: 4 bytes/);
});

test("the last instant at or before a time", () => {
  const t = [0, 1, 1, 2];
  assert.deepEqual([-1, 0, 0.5, 1, 1.5, 2, 9].map((x) => lastAtOrBefore(t, x)), [0, 0, 0, 2, 2, 3, 3]);
});

test("a column is linear between rows, has the later value at a jump and none outside or in a gap", () => {
  const c = new Column("q.a", "rad", "coordinates", 0, Float64Array.of(0, 1, 1, 2, 3), Float64Array.of(0, 2, 10, NaN, 4));
  assert.equal(c.at(0.25), 0.5);
  assert.equal(c.at(1), 10);
  assert.ok(Number.isNaN(c.at(1.5)));
  assert.equal(c.at(3), 4);
  assert.ok(Number.isNaN(c.at(3.1)) && Number.isNaN(c.at(-0.1)));
  assert.throws(() => new Column("q.a", "rad", "coordinates", 0, Float64Array.of(0), Float64Array.of(0, 1)), /2 numbers for 1 instants/);
});

test("columns of different instants are aligned; jumps stay, gaps are null, absence is undefined", () => {
  const a = new Column("a", "1", "sensors", 0, Float64Array.of(0, 1, 2), Float64Array.of(1, NaN, 3));
  const b = new Column("b", "1", "sensors", 1, Float64Array.of(0, 0.5, 0.5, 2), Float64Array.of(5, 6, 7, 8));
  assert.deepEqual(align([a, b]), { t: [0, 0.5, 0.5, 1, 2], y: [[1, undefined, undefined, null, 3], [5, 6, 7, undefined, 8]] });
});

test("a table quotes names and leaves cells without a number empty", () => {
  const a = new Column('a,"b"', "m", "sensors", 0, Float64Array.of(0, 1), Float64Array.of(0.1, NaN));
  assert.equal(csvTable([a]), 't [s],"a,""b"" [m]"\n0,0.1\n1,\n');
});

test("groups come in a fixed order, one panel for each unit", () => {
  const columns = decodeColumns(kSamples.screw());
  assert.deepEqual(groupsOf(columns).slice(0, 3), ["coordinates", "speeds", "efforts"]);
  assert.deepEqual(panelsOf(columns, "coordinates").map((p) => [p.unit, p.columns.map(shortName)]), [["rad", ["nut", "flywheel"]], ["m", ["counterweight"]]]);
  assert.ok(groupsOf([new Column("x", "1", "own", 0, new Float64Array(0), new Float64Array(0))]).includes("own"));
});

/** A report of one body with two frames: values of each frame. */
function twoFrames(span: number, poses: number[], twists: number[]): Replay {
  const data = kSamples.ball();
  data.scene.bodies.length = 1;
  data.scene.joints.length = 0;
  Object.assign(data.frames, { count: 2, t: base64(Float64Array.of(0, span)), twists: base64(Float32Array.from(twists)), wrenches: null, momentum: null, com: base64(new Float32Array(6)), poses: base64(Float32Array.from(poses)) });
  return new Replay(data);
}

test("poses between frames without velocities that fit: position linear, orientation the short way", () => {
  const half = Math.SQRT1_2;
  const replay = twoFrames(2, [0, 0, 0, 0, 0, 0, 1, 4, 0, 0, 0, 0, -half, -half], [9, 4, 5, 60, 0, 0, 9, 4, 5, 60, 0, 0]);
  replay.sample(1);
  assert.equal(replay.pose[0], 2);
  assert.ok(Math.abs(replay.pose[5] - Math.sin(Math.PI / 8)) < 1e-7 && Math.abs(replay.pose[6] - Math.cos(Math.PI / 8)) < 1e-7);
  assert.deepEqual([...replay.twist], [9, 4, 5, 60, 0, 0]);
  replay.sample(99);
  assert.equal(replay.time, 2);
  assert.equal(replay.pose[0], 4);
});

test("a fall between two frames is the parabola, a turn at a growing rate its angle", () => {
  const g = -10, span = 0.5, rate = 3, grows = 4, angle = (t: number) => rate * t + 0.5 * grows * t * t, end = angle(span);
  const replay = twoFrames(span, [0, 0, 0, 0, 0, 0, 1, 0, 0, 0.5 * g * span * span, Math.sin(0.5 * end), 0, 0, Math.cos(0.5 * end)], [0, 0, 0, rate, 0, 0, 0, 0, g * span, rate + grows * span, 0, 0]);
  for (const t of [0.1, 0.25, 0.4]) {
    replay.sample(t);
    assert.ok(Math.abs(replay.pose[2] - 0.5 * g * t * t) < 1e-6, `z at ${t}: ${replay.pose[2]}`);
    assert.ok(Math.abs(replay.pose[3] - Math.sin(0.5 * angle(t))) < 1e-6, `turn at ${t}: ${replay.pose[3]}`);
  }
});

test("a turn about changing axes between frames is of fourth order", () => {
  // Two rotations one after the other: q(t) = exp(a t) exp(b t), whose angular velocity is a + exp(a t) b.
  const a = 0.7, b = 1.1;
  const pose = (t: number) => {
    const [sa, ca, sb, cb] = [Math.sin(0.5 * a * t), Math.cos(0.5 * a * t), Math.sin(0.5 * b * t), Math.cos(0.5 * b * t)];
    return [0, 0, 0, ca * sb, sa * sb, sa * cb, ca * cb];  // about z, then about x
  };
  const twist = (t: number) => [0, 0, 0, b * Math.cos(a * t), b * Math.sin(a * t), a];
  const error = (span: number) => {
    const replay = twoFrames(span, [...pose(0), ...pose(span)], [...twist(0), ...twist(span)]);
    replay.sample(0.5 * span);
    return Math.max(...pose(0.5 * span).map((x, k) => Math.abs(x - replay.pose[k])));
  };
  assert.ok(error(1) < 2e-3 && error(1) > 1e-6, `${error(1)}`);
  assert.ok(error(0.5) < error(1) / 12, `${error(0.5)} of ${error(1)}`);
});

test("columns between rows follow the rates of their joints, also of free ones", () => {
  const t = Float64Array.of(0, 1), half = Math.SQRT1_2;
  const data = kSamples.ball();
  const columns: [string, string, number[]][] = [
    ["q.slide", "m", [0, 5]], ["v.slide", "m/s", [0, 10]],
    ["q.stone.x", "m", [0, 0]], ["q.stone.y", "m", [0, 0]], ["q.stone.z", "m", [0, -5]],
    // its own y axis looks up
    ["q.stone.qx", "1", [half, half]], ["q.stone.qy", "1", [0, 0]], ["q.stone.qz", "1", [0, 0]], ["q.stone.qw", "1", [half, half]],
    ["v.stone.vx", "m/s", [0, 0]], ["v.stone.vy", "m/s", [0, -10]], ["v.stone.vz", "m/s", [0, 0]]];
  data.times = [base64(t)];
  data.columns = columns.map(([name, unit, y]) => ({ name, unit, group: "coordinates", time: 0, type: "f64", y: base64(Float64Array.from(y)), lowest: null, highest: null }));
  const decoded = decodeColumns(data), at = (name: string) => decoded.find((c) => c.name === name)!.at(0.5);
  assert.equal(at("q.slide"), 1.25);
  assert.equal(at("v.slide"), 5);
  assert.ok(Math.abs(at("q.stone.z") + 1.25) < 1e-12, `${at("q.stone.z")}`);
  assert.ok(Math.abs(at("q.stone.x")) < 1e-12);
});

test("all samples decode", () => {
  for (const make of [kSamples.screw, kSamples.pendulum_bare, kSamples.tumbling, kSamples.ball]) {
    const data = make();
    assert.equal(new Replay(data).count, data.frames.count);
    assert.equal(decodeColumns(data).length, data.columns.length);
  }
});

test("the layers of the energy balance end at the total, which is what was there and all work", () => {
  const columns = decodeColumns(kSamples.pendulum());
  const stack = energyStack(columns)!;
  assert.deepEqual(stack.layers.map((layer) => layer.name), ["kinetic", "gravity"]);
  assert.deepEqual(stack.lifted, ["gravity"]);
  const top = stack.layers[1].top;
  for (const layer of stack.layers) layer.top.forEach((y, i) => assert.ok(y! >= layer.low[i] - 1e-9));
  top.forEach((y, i) => assert.ok(Math.abs(y! - stack.paid[i]!) < 1e-9, `${i}: ${y} ${stack.paid[i]}`));
  assert.equal(energyStack([]), null);
});

test("work of impacts at the start, which the first row has already, is counted once", () => {
  const t = Float64Array.of(0, 1);
  const column = (name: string, y: number[]) => new Column(name, "J", "energies", 0, t, Float64Array.from(y));
  const stack = energyStack([column("energy.kinetic", [3, 2]), column("energy.total", [3, 2]), column("work.contact", [-1, -2])])!;
  assert.deepEqual(stack.paid, [3, 2]);
});

test("energies that are lost are gaps in the layers, and the others are seen", () => {
  const t = Float64Array.of(0, 1, 2);
  const column = (name: string, y: number[]) => new Column(`energy.${name}`, "J", "energies", 0, t, Float64Array.from(y));
  const stack = energyStack([column("kinetic", [1, 1e200, Infinity]), column("gravity", [-1, -2, NaN]), column("total", [0, 1e200, NaN])])!;
  assert.deepEqual(stack.layers.map((layer) => layer.top), [[1, 1e200, null], [2, 1e200, null]]);
  assert.deepEqual(stack.lifted, ["gravity"]);
});

test("layers of long runs are means, and still end at the total", () => {
  const rows = 4001, t = Float64Array.from({ length: rows }, (_, i) => i);
  const column = (name: string, of: (i: number) => number) => new Column(`energy.${name}`, "J", "energies", 0, t, Float64Array.from(t, of));
  const stack = energyStack([column("kinetic", (i) => 1 + (i % 2)), column("gravity", (i) => 2 - (i % 2)), column("total", () => 3)])!;
  assert.equal(stack.rowsPerPoint, 3);
  assert.equal(stack.t.length, 1334);
  assert.deepEqual([stack.t[0], stack.t[1]].map((x) => Math.round(1e9 * x) / 1e9), [1, 4]);
  assert.ok(stack.layers[1].top.every((y) => Math.abs(y! - 3) < 1e-12));
  assert.ok(Math.abs(stack.layers[0].top[0]! - 4 / 3) < 1e-12);
});

test("blows of stops are columns of their own, in the unit of the effort and a second", () => {
  const effort = new Column("tau.nut", "N m", "efforts", 0, Float64Array.of(0, 1), Float64Array.of(0, 0));
  const blow = (time: number, name: string, impulse: number) => ({ time, kind: "limit-impact", name, impulse });
  const [nut, slider] = impulseColumns([blow(1, "nut", 0.5), { time: 2, kind: "limit-hold", name: "nut", position: 1 }, blow(3, "nut", -0.25), blow(2, "slider", 1)], [effort]);
  assert.deepEqual([nut.name, nut.unit, nut.group, [...nut.t], [...nut.y]], ["impulse.nut", "N m s", "impulses", [1, 3], [0.5, -0.25]]);
  assert.deepEqual([nut.lowest, nut.highest], [-0.25, 0.5]);
  assert.deepEqual([nut.last(0.9), nut.last(1), nut.last(2.9), nut.last(9)], [NaN, 0.5, 0.5, -0.25]);
  assert.notEqual(nut.timeIndex, slider.timeIndex);
  assert.deepEqual(impulseColumns([], [effort]), []);
  const met = (t: number, impulse: number, bodies: number[]) => ({ t, p: [0, 0, 0] as [number, number, number], n: [0, 0, 1] as [number, number, number], impulse, bodies });
  const [floor, pair] = impulseColumns([], [effort], [met(1, 2, [-1, 0]), met(1, 3, [0, 1]), met(4, 5, [-1, 0])], [{ name: "ball" }, { name: "box" }]);
  assert.deepEqual([floor.name, floor.unit, [...floor.t], [...floor.y]], ["impulse.world / ball", "N s", [1, 4], [2, 5]]);
  assert.deepEqual([pair.name, [...pair.y]], ["impulse.ball / box", [3]]);
});

test("extremes are those of the whole run when the report has them, else those of the rows", () => {
  const t = Float64Array.of(0, 1), y = Float64Array.of(2, NaN);
  assert.deepEqual([new Column("a", "1", "own", 0, t, y).lowest, new Column("a", "1", "own", 0, t, y, -7, null).lowest], [2, -7]);
  assert.equal(new Column("a", "1", "own", 0, t, y, -7, null).highest, null);
});

test("a run is good only if it ended well and all its checks are within their limits", () => {
  const check = (verdict: "ok" | "warning" | "failed", text: string) => ({ name: "energy", verdict, value: 0.68, warning_limit: 1e-4, limit: 1e-2, text });
  const checks = (...list: ReturnType<typeof check>[]) => ({ verdict: list[list.length - 1].verdict, list });
  const ok = checks(check("ok", "fine")), doubtful = checks(check("ok", "fine"), check("warning", "hm")), failed = checks(check("warning", "hm"), check("failed", "68 % of the energy"));
  assert.equal(outcomeOf({ ok: true, outcome: "reached", checks: ok }).kind, "good");
  assert.equal(outcomeOf({ ok: true, outcome: "event-stopped", checks: ok }).kind, "good");
  assert.equal(outcomeOf({ ok: true, outcome: "interrupted", checks: ok }).kind, "early");
  assert.deepEqual([outcomeOf({ ok: true, outcome: "reached", checks: doubtful }).kind, outcomeOf({ ok: true, checks: doubtful }).reason], ["early", "hm"]);
  assert.deepEqual([outcomeOf({ ok: true, outcome: "reached", checks: failed }).kind, outcomeOf({ ok: true, checks: failed }).reason], ["bad", "68 % of the energy"]);
  assert.equal(outcomeOf({ ok: true, outcome: "interrupted", checks: failed }).badge, "checks failed");
  assert.equal(outcomeOf({ ok: true, outcome: "reached" }).kind, "early");
  assert.deepEqual([outcomeOf({ ok: false, outcome: "not-finite" }).kind, outcomeOf({ ok: false, outcome: "not-finite" }).badge], ["bad", "not finite"]);
});

test("work that came in is stacked upwards, work that went out downwards", () => {
  const t = Float64Array.of(0, 1);
  const stack = workStack([[2, 1], [3, 1], [0, -4]].map(([a, b], k) => new Column(`work.${k}`, "J", "work", 0, t, Float64Array.of(a, b))))!;
  assert.deepEqual(stack.layers.map((layer) => [layer.low, layer.top]), [[[0, 0], [2, 1]], [[2, 1], [5, 2]], [[5, 0], [5, -4]]]);
});

test("numbers are short and have a true minus", () => {
  assert.equal(numberText(-12.3456), "−12.35");
  assert.equal(numberText(4.4e-15, 2), "4.4×10⁻¹⁵");
  assert.equal(numberText(0), "0");
  assert.equal(numberText(null), "–");
  assert.equal(numberText(NaN), "–");
  assert.equal(numberText(Infinity), "∞");
  assert.equal(countText(1000000), "1\u2009000\u2009000");
  assert.equal(unitText("m/s^2"), "m/s²");
  assert.equal(lengthText(0.012), "12.00\u202fmm");
  assert.equal(durationText(5e-4), "500\u202fµs");
  assert.equal(durationText(2), "2\u202fs");
  assert.equal(durationText(0.0132, 3), "13.2\u202fms");
});
