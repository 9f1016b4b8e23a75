import assert from "node:assert/strict";
import { test } from "node:test";
import { across, multiply, rotate, rotateBack } from "../../src/screw/rotate";
import { makeScrew, twistScrew, wrenchScrew } from "../../src/screw/screw";
import { threadTurns } from "../../src/stage/joint_marks";

function close(a: ArrayLike<number>, b: ArrayLike<number>, tolerance = 1e-12): void {
  assert.equal(a.length, b.length);
  for (let k = 0; k < a.length; ++k) assert.ok(Math.abs(a[k] - b[k]) < tolerance, `[${[...Array.from(a)]}] and [${[...Array.from(b)]}]`);
}

test("a turn about a far axis with a feed along it is that axis with that pitch", () => {
  // Axis z through (2, 3, .), 5 rad/s, 0.4 m/rad; the velocity at the place (1, 1, 7).
  const w = 5, pitch = 0.4, place = [1, 1, 7];
  const v = [-w * (1 - 3), w * (1 - 2), w * pitch];
  const screw = makeScrew();
  twistScrew([...v, 0, 0, w], 0, place, 0, 1, screw);
  assert.equal(screw.kind, "line");
  assert.ok(Math.abs(screw.pitch - pitch) < 1e-12 && screw.magnitude === w);
  close(screw.point, [2, 3, 7]);
  close(screw.direction, [0, 0, 1]);
});

test("a force with a couple is a wrench on its central axis", () => {
  const screw = makeScrew();
  // 2 N along x through (., 1, 0) and 0.6 N m about x, taken about the origin: torque = r x f + couple.
  wrenchScrew([2, 0, 0, 0.6, 0, -2], 0, [0, 0, 0], 0, 1, screw);
  assert.equal(screw.kind, "line");
  assert.ok(Math.abs(screw.pitch - 0.3) < 1e-12 && screw.magnitude === 2);
  close(screw.point, [0, 1, 0]);
});

test("translations and couples have infinite pitch; nothing is none", () => {
  const screw = makeScrew();
  twistScrew([3, 0, 4, 0, 0, 0], 0, [1, 2, 3], 0, 1, screw);
  assert.deepEqual([screw.kind, screw.pitch, screw.magnitude], ["couple", Infinity, 5]);
  close(screw.direction, [0.6, 0, 0.8]);
  close(screw.point, [1, 2, 3]);
  twistScrew([1, 0, 0, 0, 0, 1e-5], 0, [0, 0, 0], 0, 1, screw);
  assert.equal(screw.kind, "couple", "an axis 100 km away counts as none");
  twistScrew([0, 0, 0, 0, 0, 0], 0, [0, 0, 0], 0, 1, screw);
  assert.equal(screw.kind, "none");
});

test("what is no number is no screw, and is not at rest", () => {
  const screw = makeScrew();
  for (const lost of [NaN, Infinity]) {
    twistScrew([0, 0, lost, 0, 0, 0], 0, [0, 0, 0], 0, 1, screw);
    assert.equal(screw.kind, "none");
    assert.ok(Number.isNaN(screw.magnitude));
  }
});

test("quaternions turn, turn back and multiply", () => {
  const h = Math.SQRT1_2, x = new Float64Array(3);
  rotate([0, 0, h, h], 0, 1, 2, 3, x, 0);
  close(x, [-2, 1, 3]);
  rotateBack([0, 0, h, h], 0, x[0], x[1], x[2], x, 0);
  close(x, [1, 2, 3]);
  const q = new Float64Array(4);
  multiply([0, 0, h, h], 0, [0, 0, h, h], 0, q, 0);
  close(q, [0, 0, 1, 0]);
  for (const d of [[1, 0, 0], [0, 1, 0], [0, 0, -1], [0.6, 0, 0.8]]) {
    across(d[0], d[1], d[2], x, 0);
    assert.ok(Math.abs(x[0] * d[0] + x[1] * d[1] + x[2] * d[2]) < 1e-15);
    assert.ok(Math.abs(Math.hypot(...x) - 1) < 1e-15);
  }
});

test("a thread has the turns of its pitch, with its hand, up to what can be seen", () => {
  assert.ok(Math.abs(threadTurns(0.01, 0.1 * 2 * Math.PI) - 10) < 1e-12);
  assert.ok(Math.abs(threadTurns(-0.01, 0.1 * 2 * Math.PI) + 10) < 1e-12);
  assert.equal(threadTurns(1e-9, 1), 24);
  assert.equal(threadTurns(0, 1), 0);
});
