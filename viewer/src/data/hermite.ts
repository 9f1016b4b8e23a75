// Cubic interpolation between two rows by their values and rates.

/** Between s = 0 and 1: from y0 to y1 with the slopes d0, d1 by s. */
function cubic(y0: number, y1: number, d0: number, d1: number, s: number): number {
  const r = 1 - s;
  return y0 + s * s * (3 - 2 * s) * (y1 - y0) + s * r * (r * d0 - s * d1);
}

/**
 * Whether a smooth motion has these slopes: between constant accelerations the mean slope is the difference. Where it is not,
 * velocities jumped on the way (rows of an impact are left out of reports that are thinned).
 */
function smooth(difference: number, d0: number, d1: number): boolean {
  return Math.abs(difference - 0.5 * (d0 + d1)) <= 0.25 * Math.abs(d1 - d0);
}

/** Between s = 0 and 1; straight where the slopes are no numbers or not those of a smooth motion. */
export function hermite(y0: number, y1: number, d0: number, d1: number, s: number): number {
  return smooth(y1 - y0, d0, d1) ? cubic(y0, y1, d0, d1, s) : y0 + s * (y1 - y0);
}

/** The rotation between two orientations as memory for `interpolateRotation`. */
const step = new Float64Array(4), turned = new Float64Array(4), phi = new Float64Array(3), from = new Float64Array(3), to = new Float64Array(3), spin = new Float64Array(3);

const kSmall = 1e-4;  // [rad] below it series are exact to rounding

/**
 * The orientation at s between two quaternions xyzw a[i ...] and b[j ...], by angular velocities wa[k ...] and wb[l ...] in world axes
 * that turn for `span` seconds. The rotation vector phi of the turn, in the axes of a, is a cubic with
 * phi' = J^-1(phi) w, J the right Jacobian of SO(3). Along the shorter arc without angular velocities.
 */
export function interpolateRotation(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number, wa: ArrayLike<number> | null, k: number, wb: ArrayLike<number> | null, l: number, span: number, s: number, out: Float64Array, o: number): void {
  const ax = -a[i], ay = -a[i + 1], az = -a[i + 2], aw = a[i + 3];
  const bx = b[j], by = b[j + 1], bz = b[j + 2], bw = b[j + 3];
  step[0] = aw * bx + ax * bw + ay * bz - az * by;
  step[1] = aw * by - ax * bz + ay * bw + az * bx;
  step[2] = aw * bz + ax * by - ay * bx + az * bw;
  step[3] = aw * bw - ax * bx - ay * by - az * bz;
  const sign = step[3] < 0 ? -1 : 1;
  const sine = Math.hypot(step[0], step[1], step[2]);
  const angle = 2 * Math.atan2(sine, Math.abs(step[3]));
  const scale = sine > kSmall ? (sign * angle) / sine : 2 * sign;
  for (let n = 0; n < 3; ++n) phi[n] = scale * step[n];
  for (let n = 0; n < 3; ++n) spin[n] = s * phi[n];
  if (wa && wb) {
    bodyRate(a, i, wa, k, span, from);
    bodyRate(b, j, wb, l, span, to);
    inverseRightJacobian(phi, angle, to);
    const miss = Math.hypot(phi[0] - 0.5 * (from[0] + to[0]), phi[1] - 0.5 * (from[1] + to[1]), phi[2] - 0.5 * (from[2] + to[2]));
    const change = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    if (miss <= 0.25 * change) for (let n = 0; n < 3; ++n) spin[n] = cubic(0, phi[n], from[n], to[n], s);
  }
  const half = 0.5 * Math.hypot(spin[0], spin[1], spin[2]);
  const factor = half > kSmall ? (0.5 * Math.sin(half)) / half : 0.5;
  for (let n = 0; n < 3; ++n) turned[n] = factor * spin[n];
  turned[3] = Math.cos(half);
  const qx = a[i], qy = a[i + 1], qz = a[i + 2], qw = a[i + 3];
  const x = qw * turned[0] + qx * turned[3] + qy * turned[2] - qz * turned[1];
  const y = qw * turned[1] - qx * turned[2] + qy * turned[3] + qz * turned[0];
  const z = qw * turned[2] + qx * turned[1] - qy * turned[0] + qz * turned[3];
  const w = qw * turned[3] - qx * turned[0] - qy * turned[1] - qz * turned[2];
  const length = Math.hypot(x, y, z, w), normal = length > 0 ? 1 / length : 0;
  out[o] = x * normal;
  out[o + 1] = y * normal;
  out[o + 2] = z * normal;
  out[o + 3] = w * normal;
}

/** The turn of `span` seconds at an angular velocity in world axes, in the axes of the quaternion q[i ...]. */
function bodyRate(q: ArrayLike<number>, i: number, w: ArrayLike<number>, k: number, span: number, result: Float64Array): void {
  const qx = -q[i], qy = -q[i + 1], qz = -q[i + 2], qw = q[i + 3], x = w[k], y = w[k + 1], z = w[k + 2];
  const tx = 2 * (qy * z - qz * y), ty = 2 * (qz * x - qx * z), tz = 2 * (qx * y - qy * x);
  result[0] = span * (x + qw * tx + (qy * tz - qz * ty));
  result[1] = span * (y + qw * ty + (qz * tx - qx * tz));
  result[2] = span * (z + qw * tz + (qx * ty - qy * tx));
}

/** w = J^-1(phi) w = w + phi x w / 2 + c phi x (phi x w), c = (1 - (angle/2) cot(angle/2)) / angle^2. */
function inverseRightJacobian(rotation: Float64Array, angle: number, w: Float64Array): void {
  const half = 0.5 * angle;
  const c = angle > kSmall ? (1 - half / Math.tan(half)) / (angle * angle) : 1 / 12;
  const [px, py, pz] = rotation, [x, y, z] = w;
  const ux = py * z - pz * y, uy = pz * x - px * z, uz = px * y - py * x;
  w[0] = x + 0.5 * ux + c * (py * uz - pz * uy);
  w[1] = y + 0.5 * uy + c * (pz * ux - px * uz);
  w[2] = z + 0.5 * uz + c * (px * uy - py * ux);
}
