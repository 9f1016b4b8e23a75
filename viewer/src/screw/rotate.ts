// Quaternions xyzw on plain arrays.

/** out[o ...] = q v + (nothing): the vector (x, y, z) turned by the quaternion at q[k ...]. */
export function rotate(q: ArrayLike<number>, k: number, x: number, y: number, z: number, out: Float64Array | Float32Array, o: number): void {
  const qx = q[k], qy = q[k + 1], qz = q[k + 2], qw = q[k + 3];
  const tx = 2 * (qy * z - qz * y), ty = 2 * (qz * x - qx * z), tz = 2 * (qx * y - qy * x);
  out[o] = x + qw * tx + (qy * tz - qz * ty);
  out[o + 1] = y + qw * ty + (qz * tx - qx * tz);
  out[o + 2] = z + qw * tz + (qx * ty - qy * tx);
}

/** The same by the inverse. */
export function rotateBack(q: ArrayLike<number>, k: number, x: number, y: number, z: number, out: Float64Array | Float32Array, o: number): void {
  const qx = -q[k], qy = -q[k + 1], qz = -q[k + 2], qw = q[k + 3];
  const tx = 2 * (qy * z - qz * y), ty = 2 * (qz * x - qx * z), tz = 2 * (qx * y - qy * x);
  out[o] = x + qw * tx + (qy * tz - qz * ty);
  out[o + 1] = y + qw * ty + (qz * tx - qx * tz);
  out[o + 2] = z + qw * tz + (qx * ty - qy * tx);
}

/** out[o ...] = a[i ...] b[j ...]; out may not be a or b. */
export function multiply(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number, out: Float64Array, o: number): void {
  const ax = a[i], ay = a[i + 1], az = a[i + 2], aw = a[i + 3];
  const bx = b[j], by = b[j + 1], bz = b[j + 2], bw = b[j + 3];
  out[o] = aw * bx + ax * bw + ay * bz - az * by;
  out[o + 1] = aw * by - ax * bz + ay * bw + az * bx;
  out[o + 2] = aw * bz + ax * by - ay * bx + az * bw;
  out[o + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

/** A unit vector across a unit vector, at out[o ...]. */
export function across(x: number, y: number, z: number, out: Float64Array | Float32Array, o: number): void {
  const ax = Math.abs(x), ay = Math.abs(y), az = Math.abs(z);
  let u = 0, v = 0, w = 0;
  if (az <= ax && az <= ay) {
    u = y;
    v = -x;
  } else if (ay <= ax) {
    u = z;
    w = -x;
  } else {
    v = z;
    w = -y;
  }
  const scale = 1 / Math.sqrt(u * u + v * v + w * w);
  out[o] = u * scale;
  out[o + 1] = v * scale;
  out[o + 2] = w * scale;
}
