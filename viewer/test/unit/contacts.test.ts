import assert from "node:assert/strict";
import { test } from "node:test";
import { PerspectiveCamera, Vector3 } from "three";
import { ContactForces } from "../../src/data/contact_forces";
import type { ContactFramesData, ReportData } from "../../src/data/contract";
import { decodeI32 } from "../../src/data/decode";
import { Replay } from "../../src/data/replay";
import { measure } from "../../src/stage/extent";
import { firstDirection, firstView, fit } from "../../src/stage/view_fit";
import { missing } from "../../src/ui/overlay_menu";
import { base64, kSamples } from "../sample";

/** Points of four instants: two, the same two, one that slides, that one and another. */
function frames(): ContactFramesData {
  return {
    first: base64(Uint32Array.of(0, 2, 4, 5, 7)),
    who: base64(Int32Array.of(-1, 0, 0, 0, 1, 0, -1, 0, 0, 0, 1, 0, -1, 0, 1, -1, 0, 1, 0, 1, 0)),
    points: base64(Float32Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0, 1, 4, 0, 5, 0, 0, 6, 0, 0, 6, 1, 0)),
    normal_forces: base64(Float32Array.of(0, 0, 10, 0, 0, 4, 0, 0, 20, 0, 0, 4, 0, 0, 8, 0, 0, 3, 0, 0, 5)),
    friction: base64(Float32Array.of(1, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, -4, 0, 0, 0, 0, 0, 0, 0, 0)),
    moments: base64(new Float32Array(21)),
  };
}

test("whole numbers have signs", () => {
  assert.deepEqual([...decodeI32(base64(Int32Array.of(-1, 7)), "x", 2)], [-1, 7]);
});

test("points that touch are interpolated where both instants have them, else those of the first are kept", () => {
  const contacts = new ContactForces(frames(), 4);
  assert.equal(contacts.most, 2);
  contacts.sample(0, 1, 0.25);
  assert.equal(contacts.count, 2);
  assert.deepEqual([...contacts.point], [0.5, 0, 0, 1, 1, 0]);
  assert.deepEqual([...contacts.normal], [0, 0, 12.5, 0, 0, 4]);
  assert.deepEqual([...contacts.friction], [1.5, 0, 0, 0, 0, 0]);
  contacts.sample(1, 2, 0.9);
  assert.equal(contacts.count, 2);
  assert.equal(contacts.normal[2], 20);
  contacts.sample(2, 3, 0.5);
  assert.deepEqual([contacts.count, contacts.normal[2]], [1, 8], "the other has one more");
  contacts.sample(2, 2, 0);
  assert.equal(contacts.count, 1);
  assert.deepEqual([...contacts.who.slice(0, 3)], [-1, 0, 1]);
  assert.throws(() => new ContactForces({ ...frames(), friction: base64(new Float32Array(20)) }, 4), /frames\.contacts\.friction/);
});

test("a body feels the forces as second body, their opposites as first one", () => {
  const contacts = new ContactForces(frames(), 4), sum = new Float64Array(3);
  contacts.sample(0, 0, 0);
  assert.deepEqual(contacts.on(0, sum), { points: 2, sliding: 0 });
  assert.deepEqual([...sum], [1, 0, 6]);
  assert.deepEqual(contacts.on(1, sum), { points: 1, sliding: 0 });
  assert.deepEqual([...sum], [0, 0, 4]);
  contacts.sample(2, 2, 0);
  assert.deepEqual(contacts.on(0, sum), { points: 1, sliding: 1 });
  assert.deepEqual(contacts.on(1, sum), { points: 0, sliding: 0 });
});

function withContacts(): ReportData {
  const data = kSamples.ball(), n = data.frames.count;
  const first = Uint32Array.from({ length: n + 1 }, (_, i) => i), three = (x: number[]) => base64(Float32Array.from({ length: 3 * n }, (_, i) => x[i % 3]));
  data.frames.contacts = {
    first: base64(first), who: base64(Int32Array.from({ length: 3 * n }, (_, i) => [-1, 0, 0][i % 3])),
    points: three([0, 0, 5]), normal_forces: three([0, 0, 9.81]), friction: three([0, 0, 0]), moments: three([0, 0, 0]),
  };
  return data;
}

test("arrows of contact forces are about as long as the bodies, and within the picture", () => {
  const data = withContacts(), extent = measure(data, new Replay(data));
  assert.ok(Math.abs(extent.press - 9.81) < 1e-5);
  assert.ok(extent.pressLength > 0.1 && extent.pressLength <= 0.3 * extent.size, `${extent.pressLength} m`);
  const highest = extent.balls.reduce((most, x, i) => (i % 4 === 2 ? Math.max(most, x) : most), -Infinity);
  assert.ok(Math.abs(highest - (5 + extent.pressLength)) < 1e-5, `${highest} m`);
  const without = kSamples.ball();
  assert.equal(measure(without, new Replay(without)).pressLength, 0);
});

test("contact forces can be switched where there are any", () => {
  assert.ok(missing(kSamples.ball(), "forces"));
  assert.ok(!missing(withContacts(), "forces"));
});

test("on a slope the first view is from where all is seen largest, on level ground as ever", () => {
  const data = kSamples.ball(), extent = measure(data, new Replay(data)), camera = new PerspectiveCamera(36, 16 / 9, 1e-3, 100), target = new Vector3();
  camera.up.set(0, 0, 1);
  assert.ok(firstView(camera, target, extent, 0.1).equals(firstDirection(extent)));
  // Something slides two metres down along x.
  const slope = { ...extent, groundUp: Float64Array.of(0.6, 0, 0.8), balls: Float32Array.of(0, -0.3, 0, 0.1, 0, 0.3, 0, 0.1, 1.6, 0.3, -1.2, 0.1) };
  const distanceFrom = (direction: Vector3) => {
    fit(camera, target, direction, slope.balls, 0.1);
    return camera.position.distanceTo(target);
  };
  const best = firstView(camera, target, slope, 0.1);
  assert.ok(distanceFrom(best) < 0.85 * distanceFrom(firstDirection(slope)), "nearer than the usual view");
  assert.ok(best.x * 0.6 + best.z * 0.8 > 0.2, "not along the slope");
});
