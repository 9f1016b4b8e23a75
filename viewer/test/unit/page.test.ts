import assert from "node:assert/strict";
import { test } from "node:test";
import { measure, upOf } from "../../src/stage/extent";
import { roundLength } from "../../src/stage/ground";
import { formsOf } from "../../src/stage/shape_geometry";
import { Column } from "../../src/data/columns";
import { Replay } from "../../src/data/replay";
import type { Shape } from "../../src/data/contract";
import { base64Rgb, optionsOf } from "../../src/ui/picture";
import { firstSpeed, Player } from "../../src/ui/player";
import { overAll, specOf } from "../../src/ui/plots_panel";
import { legendOf, pathOf } from "../../src/ui/plot_file";
import { axisTexts, decadeRange, decadeTexts, decadeTicks, roundTicks, yRange } from "../../src/ui/axis";
import { logarithmic, runsOf } from "../../src/ui/time_plot";
import { kSamples } from "../sample";

test("the player stays within the run, steps from frame to frame and starts again", () => {
  const player = new Player([0, 1, 2, 3]);
  player.setTime(9);
  assert.equal(player.time, 3);
  player.step(-1);
  assert.equal(player.time, 2);
  player.setTime(1.5);
  player.step(-1);
  assert.equal(player.time, 1);
  player.setTime(1.5);
  player.step(1);
  assert.equal(player.time, 2);
  player.play(true);
  player.advance(1.5);
  assert.equal(player.time, 0.5);
  player.loop = false;
  player.advance(10);
  assert.deepEqual([player.time, player.playing], [3, false]);
  player.play(true);
  assert.equal(player.time, 0, "playing at the end starts again");
  player.setTime(NaN);
  assert.equal(player.time, 0);
});

test("frames before and after a blow are one instant: one comes past it both ways", () => {
  const player = new Player([0, 1, 1, 2]);
  const times = [1, 1, 1, -1, -1, -1, 2, -2].map((count) => {
    player.step(count);
    return player.time;
  });
  assert.deepEqual(times, [1, 2, 2, 1, 0, 0, 2, 0]);
});

test("a short run is slowed down at first, a long one sped up", () => {
  assert.equal(firstSpeed(5), 1);
  assert.ok(firstSpeed(0.01) < 0.02);
  assert.ok(firstSpeed(3600) >= 50);
});

test("up is against gravity, z without any", () => {
  assert.deepEqual([...upOf([0, -10, 0])], [0, 1, 0]);
  assert.deepEqual([...upOf([0, 0, 0])], [0, 0, 1]);
});

test("the extent holds the scene, and a floor is the ground", () => {
  const screw = kSamples.screw();
  const extent = measure(screw, new Replay(screw));
  assert.ok(extent.size > 0.2 && extent.size < 1.5, String(extent.size));
  assert.equal(Math.abs(extent.ground), 0);
  const ball = kSamples.ball();
  const floor = measure(ball, new Replay(ball));
  assert.deepEqual([...floor.floors], [1]);
  assert.ok(Math.abs(floor.ground + 0.2) < 1e-7);
});

test("a plane of the world that faces up is the ground; what is fixed in the world does not change the size", () => {
  const screw = kSamples.screw(), size = measure(screw, new Replay(screw)).size;
  const placed = (z: number, q: [number, number, number, number]) => ({ p: [0, 0, z] as [number, number, number], q, color: null });
  screw.scene.ground = [
    { kind: "plane", ...placed(-0.3, [0, 0, 0, 1]) },
    { kind: "plane", ...placed(5, [Math.SQRT1_2, 0, 0, Math.SQRT1_2]) },
    { kind: "box", size: [50, 50, 1], ...placed(-2, [0, 0, 0, 1]) },
  ];
  const extent = measure(screw, new Replay(screw));
  assert.equal(extent.size, size);
  assert.deepEqual([...extent.levels], [screw.scene.ground[0]]);
  assert.ok(Math.abs(extent.ground + 0.3) < 1e-7);
  screw.scene.ground.shift();
  assert.ok(measure(screw, new Replay(screw)).ground < -2.4, "below the box");
});

test("the one plane of the world is the ground also where it is a slope, with its own grid; two are drawn as they are", () => {
  const screw = kSamples.screw();
  const turn = (angle: number): [number, number, number, number] => [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)];
  screw.scene.ground = [{ kind: "plane", p: [1, 0, -0.2], q: turn(0.3), color: null }];
  const slope = measure(screw, new Replay(screw));
  assert.ok(Math.abs(slope.groundUp[0] - Math.sin(0.3)) < 1e-12 && Math.abs(slope.groundUp[2] - Math.cos(0.3)) < 1e-12);
  assert.ok(Math.abs(slope.ground - (Math.sin(0.3) - 0.2 * Math.cos(0.3))) < 1e-6, String(slope.ground));
  assert.deepEqual([...slope.levels], screw.scene.ground);
  screw.scene.ground.push({ kind: "plane", p: [0, 0, 0], q: turn(-0.3), color: null });
  const valley = measure(screw, new Replay(screw));
  assert.deepEqual([...valley.groundUp], [0, 0, 1]);
  assert.equal(valley.levels.size, 0);
});

test("what is fixed in the world belongs to the picture, unless it is much wider than what moves", () => {
  const screw = kSamples.screw(), before = measure(screw, new Replay(screw));
  const box = (size: number): Shape => ({ kind: "box", size: [size, size, 0.1], p: [0, 0, -0.5], q: [0, 0, 0, 1], color: null });
  screw.scene.ground = [box(before.sweep), box(20 * before.sweep)];
  const after = measure(screw, new Replay(screw));
  assert.equal(after.balls.length, before.balls.length + 4 * 8);
  assert.equal(after.size, before.size);
  assert.ok(after.around > before.sweep && after.around < 2 * before.sweep);
});

test("equal shapes are drawn together; very many different ones share plain forms", () => {
  const box = (x: number): Shape => ({ kind: "box", size: [x, 1, 1], p: [0, 0, 0], q: [0, 0, 0, 1], color: null });
  assert.equal(new Set(formsOf([box(1), box(1), box(2)], [], 1).map((f) => f.key)).size, 2);
  assert.equal(new Set(formsOf(Array.from({ length: 100 }, (_, i) => box(i + 1)), [], 1).map((f) => f.key)).size, 1);
});

test("round lengths and ticks", () => {
  assert.deepEqual([0.034, 0.6, 7, 10].map(roundLength).map((x) => Number(x.toPrecision(3))), [0.02, 0.5, 5, 10]);
  assert.deepEqual(roundTicks(0, 10, 5).map((x) => x + 0), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(roundTicks(1, 1, 5), [1]);
});

test("texts of an axis tell its ticks apart", () => {
  assert.deepEqual(axisTexts([-0.5, 0, 0.5]), ["−0.5", "0.0", "0.5"]);
  assert.deepEqual(axisTexts([-7.5, -5, -2.5, 0, 2.5]), ["−7.5", "−5.0", "−2.5", "0.0", "2.5"]);
  assert.deepEqual(axisTexts([0, 0.25, 0.5]), ["0.00", "0.25", "0.50"]);
  assert.deepEqual(axisTexts([0.1, 0.2, 0.1 + 0.2]), ["0.1", "0.2", "0.3"]);
  assert.deepEqual(axisTexts([0, 1e-15, 2e-15]), ["0", "1e−15", "2e−15"]);
  assert.deepEqual(axisTexts([0, 2.5e5, 5e5]), ["0", "2.5e5", "5.0e5"]);
  assert.deepEqual(axisTexts([1e-4, 1.25e-4]), ["1.00e−4", "1.25e−4"]);
  for (const step of [1, 2, 2.5, 5])
    for (let power = -12; power <= 12; ++power) {
      const ticks = [-2, -1, 0, 1, 2, 3].map((k) => k * step * 10 ** power);
      axisTexts(ticks).forEach((text, i) => {
        const read = Number(text.replace(/−/g, "-"));
        assert.ok(Math.abs(read - ticks[i]) <= 1e-9 * Math.abs(ticks[i]), `${ticks[i]} is written ${text}`);
      });
    }
});

test("logarithmic axes have whole decades, few ticks, and end where rounding is rounded", () => {
  assert.deepEqual(decadeRange(-15.3, -14.2), [-16, -14]);
  assert.deepEqual(decadeRange(-33, -15), [-20, -15]);
  assert.deepEqual(decadeRange(-33, -32), [-33, -32]);
  assert.deepEqual(decadeRange(-3, -3), [-4, -3]);
  assert.deepEqual(decadeRange(null, null), [-16, 0]);
  assert.deepEqual(decadeTicks(-20, -15, 4), [-20, -18, -16]);
  assert.deepEqual(decadeTicks(-4, -3, 4), [-4, -3]);
  assert.deepEqual(decadeTexts([-16, 0, 2, null]), ["10⁻¹⁶", "1", "10²", ""]);
  const spec = logarithmic({ unit: "1", t: [0, 1, 2, 3], lines: [{ name: "r", colour: 0, y: [1e-15, 0, undefined, null], on: true, value: () => NaN }], height: 100, marks: [] });
  assert.deepEqual(spec.lines[0].y, [-15, null, undefined, null]);
});

test("single values are drawn over the whole run", () => {
  const blow = new Column("impulse.nut", "N s", "impulses", 1, Float64Array.of(2), Float64Array.of(0.5));
  const spec = overAll(specOf([blow], "N s", []), 0, 10);
  assert.deepEqual([spec.t, spec.lines[0].y, spec.lines[0].stems], [[0, 2, 10], [undefined, 0.5, undefined], true]);
});

test("gaps split a line, and names that do not fit go to the next row", () => {
  assert.deepEqual(runsOf([1, 2, null, 3, undefined, undefined]), [[0, 1], [3, 3]]);
  assert.deepEqual(runsOf([null]), []);
  const line = (name: string, on = true) => ({ name, colour: 0, y: [], on, value: () => NaN });
  const spec = { unit: "m", t: [], lines: [...Array.from({ length: 9 }, () => line("a rather long name")), line("off", false)], height: 100, marks: [] };
  const { items, rows } = legendOf(spec);
  assert.equal(items.length, 9);
  assert.equal(rows, 3);
  assert.ok(items.every((item) => item.x + 40 + 7 * item.line.name.length <= 960));
});

test("an axis has room, also for a line that stands still", () => {
  assert.deepEqual(yRange(null, null), [0, 1]);
  assert.deepEqual(yRange(0, 0), [-1, 1]);
  const [low, high] = yRange(5, 5);
  assert.ok(low < 5 && high > 5);
});

test("a path has gaps where there is no number and none where a row is another column's", () => {
  const frame = { x: (t: number) => t, y: (y: number) => y };
  assert.equal(pathOf([0, 1, 2, 3], [1, undefined, 2, 3], [0, 3], frame), "M0.0 1.0L2.0 2.0L3.0 3.0");
  assert.equal(pathOf([0, 1, 2, 3], [1, null, 2, 3], [0, 2], frame), "M0.0 1.0M2.0 2.0");
});

test("options of pictures are read, nonsense is left out", () => {
  const o = optionsOf("#bare&t=1.5&theme=dark&show=twists,nothing&hide=ground&sheet=24&columns=4&width=480&height=270&select=a%20b");
  assert.deepEqual([o.bare, o.time, o.theme, o.sheet, o.columns, o.width, o.height, o.select], [true, 1.5, "dark", 24, 4, 480, 270, "a b"]);
  assert.deepEqual(o.shown, [["twists", true], ["ground", false]]);
  assert.deepEqual(optionsOf("#t=x&theme=red&select=%E0").time, undefined);
  assert.equal(optionsOf("").bare, false);
});

test("pixels for programs are red, green and blue, whatever their number", () => {
  for (const pixels of [1, 2, 3, 12288, 12289, 30001]) {
    const rgba = Uint8ClampedArray.from({ length: 4 * pixels }, (_, i) => (i % 4 === 3 ? 255 : (i * 7) % 251));
    const rgb = Buffer.from(base64Rgb(rgba), "base64");
    assert.equal(rgb.length, 3 * pixels);
    for (const i of [0, pixels >> 1, pixels - 1]) for (let k = 0; k < 3; ++k) assert.equal(rgb[3 * i + k], rgba[4 * i + k]);
  }
});
