// Where the camera stands so that everything is seen, large.
import { Vector3, type PerspectiveCamera } from "three";
import type { Extent } from "./extent";

const kFilled = 0.9;  // of the picture's width or height
const kLeastHeight = 0.2;  // sine of the angle over a slope from which it is looked at

/** The horizontal direction to look along: across the widest spread of what is seen, a little from the side and above. */
export function firstDirection(extent: Extent, turned = 0.5): Vector3 {
  const up = new Vector3(extent.up[0], extent.up[1], extent.up[2]);
  const e1 = Math.abs(up.x) > 0.9 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
  e1.addScaledVector(up, -e1.dot(up)).normalize();
  const e2 = new Vector3().crossVectors(up, e1);
  const balls = extent.balls;
  let n = 0, m1 = 0, m2 = 0, s11 = 0, s12 = 0, s22 = 0;
  for (let i = 0; i < balls.length; i += 4) {
    const a = balls[i] * e1.x + balls[i + 1] * e1.y + balls[i + 2] * e1.z;
    const b = balls[i] * e2.x + balls[i + 1] * e2.y + balls[i + 2] * e2.z;
    n += 1;
    m1 += a;
    m2 += b;
    s11 += a * a;
    s12 += a * b;
    s22 += b * b;
  }
  if (n > 0) {
    s11 -= (m1 * m1) / n;
    s12 -= (m1 * m2) / n;
    s22 -= (m2 * m2) / n;
  }
  const spread = Math.sqrt((s11 - s22) ** 2 / 4 + s12 * s12);
  // Without a widest direction the world's x runs to the right.
  const widest = spread > 1e-3 * (s11 + s22) ? 0.5 * Math.atan2(2 * s12, s11 - s22) : 0;
  const azimuth = widest - Math.PI / 2 + turned;
  const elevation = 0.36;
  return new Vector3()
    .addScaledVector(e1, Math.cos(elevation) * Math.cos(azimuth))
    .addScaledVector(e2, Math.cos(elevation) * Math.sin(azimuth))
    .addScaledVector(up, Math.sin(elevation));
}

/** The same, on a slope from the side from which all is seen largest: what slides down it goes far up and down in the picture. */
export function firstView(camera: PerspectiveCamera, target: Vector3, extent: Extent, least: number): Vector3 {
  const level = extent.up[0] * extent.groundUp[0] + extent.up[1] * extent.groundUp[1] + extent.up[2] * extent.groundUp[2] > 0.9999;
  let best = firstDirection(extent), nearest = Infinity;
  for (const turned of level ? [] : [0.5, 0.25, 0, -0.25]) {
    const direction = firstDirection(extent, turned);
    if (direction.x * extent.groundUp[0] + direction.y * extent.groundUp[1] + direction.z * extent.groundUp[2] < kLeastHeight) continue;
    fit(camera, target, direction, extent.balls, least);
    const distance = camera.position.distanceTo(target);
    if (distance >= nearest) continue;
    nearest = distance;
    best = direction;
  }
  return best;
}

/** Sets camera and target so that all balls (x, y, z, radius) are in view from `direction` (from the target to the eye). */
export function fit(camera: PerspectiveCamera, target: Vector3, direction: Vector3, balls: Float32Array, least: number): void {
  const toEye = direction.clone().normalize();
  const right = new Vector3().crossVectors(camera.up, toEye);
  if (right.lengthSq() < 1e-8) right.set(1, 0, 0);
  right.normalize();
  const top = new Vector3().crossVectors(toEye, right);
  const axes = [right, top, toEye];
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < balls.length; i += 4)
    axes.forEach((axis, k) => {
      const x = balls[i] * axis.x + balls[i + 1] * axis.y + balls[i + 2] * axis.z;
      low[k] = Math.min(low[k], x - balls[i + 3]);
      high[k] = Math.max(high[k], x + balls[i + 3]);
    });
  if (!Number.isFinite(low[0])) low.fill(0), high.fill(0);
  target.set(0, 0, 0);
  axes.forEach((axis, k) => target.addScaledVector(axis, 0.5 * (low[k] + high[k])));
  const tanY = Math.tan((camera.fov * Math.PI) / 360) * kFilled, tanX = tanY * camera.aspect;
  let distance = distanceTo(balls, target, right, top, toEye, tanX, tanY, least);
  for (let k = 0; k < 6; ++k) {
    centre(balls, target, right, top, toEye, distance);
    distance = distanceTo(balls, target, right, top, toEye, tanX, tanY, least);
  }
  camera.position.copy(target).addScaledVector(toEye, distance);
}

/** Moves the target so that what is seen from `distance` is in the middle of the picture. */
function centre(balls: Float32Array, target: Vector3, right: Vector3, top: Vector3, toEye: Vector3, distance: number): void {
  let left = Infinity, far = -Infinity, low = Infinity, high = -Infinity;
  for (let i = 0; i < balls.length; i += 4) {
    const x = balls[i] - target.x, y = balls[i + 1] - target.y, z = balls[i + 2] - target.z, r = balls[i + 3];
    const depth = Math.max(distance - (x * toEye.x + y * toEye.y + z * toEye.z), 1e-3 * distance);
    const a = x * right.x + y * right.y + z * right.z, b = x * top.x + y * top.y + z * top.z;
    left = Math.min(left, (a - r) / depth);
    far = Math.max(far, (a + r) / depth);
    low = Math.min(low, (b - r) / depth);
    high = Math.max(high, (b + r) / depth);
  }
  if (!Number.isFinite(left + far + low + high)) return;
  target.addScaledVector(right, 0.5 * (left + far) * distance).addScaledVector(top, 0.5 * (low + high) * distance);
}

/** The distance of an eye that looks at the target and has all balls in view. */
function distanceTo(balls: Float32Array, target: Vector3, right: Vector3, top: Vector3, toEye: Vector3, tanX: number, tanY: number, least: number): number {
  let distance = least;
  for (let i = 0; i < balls.length; i += 4) {
    const x = balls[i] - target.x, y = balls[i + 1] - target.y, z = balls[i + 2] - target.z, r = balls[i + 3];
    const depth = x * toEye.x + y * toEye.y + z * toEye.z;
    const across = Math.abs(x * right.x + y * right.y + z * right.z) + r, above = Math.abs(x * top.x + y * top.y + z * top.z) + r;
    distance = Math.max(distance, depth + across / tanX, depth + above / tanY);
  }
  return distance;
}
