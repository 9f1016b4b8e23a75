// The instantaneous screw of a twist and of a wrench (Poinsot, Chasles). Writes into a given Screw: nothing is allocated.

export interface Screw {
  /** none: zero; line: an axis with a finite pitch; couple: a pure translation or a pure torque, pitch infinite. */
  kind: "none" | "line" | "couple";
  /** The point of the axis nearest to where the twist or wrench is given; that place itself for a couple. */
  point: Float64Array;
  /** Unit vector. */
  direction: Float64Array;
  /** [m/rad] of a twist, [m] of a wrench. */
  pitch: number;
  /** |angular velocity| or |force|; |velocity| or |torque| for a couple. */
  magnitude: number;
}

export function makeScrew(): Screw {
  return { kind: "none", point: new Float64Array(3), direction: new Float64Array(3), pitch: 0, magnitude: 0 };
}

/**
 * The screw of (axial, moment) given at `place`: axial is the part that a shift of the place does not change (angular
 * velocity, force), moment the other (velocity, torque). `size` [m] is the length that makes them comparable; an axis
 * farther than 1000 sizes away, or an axial part 1e-9 of the whole, counts as a couple.
 */
function screwOf(axial: ArrayLike<number>, a: number, moment: ArrayLike<number>, m: number, place: ArrayLike<number>, o: number, size: number, out: Screw): void {
  const ax = axial[a], ay = axial[a + 1], az = axial[a + 2];
  const mx = moment[m], my = moment[m + 1], mz = moment[m + 2];
  const aa = ax * ax + ay * ay + az * az;
  const axialSize = Math.sqrt(aa) * size, momentSize = Math.sqrt(mx * mx + my * my + mz * mz);
  const whole = axialSize + momentSize;
  out.point[0] = place[o];
  out.point[1] = place[o + 1];
  out.point[2] = place[o + 2];
  if (!(whole > 0 && whole < Infinity)) {
    out.kind = "none";
    out.pitch = out.magnitude = whole === 0 ? 0 : NaN;
    out.direction[0] = out.direction[1] = out.direction[2] = 0;
    return;
  }
  // axial x moment / axial^2 leads from the place to the axis.
  const rx = (ay * mz - az * my) / aa, ry = (az * mx - ax * mz) / aa, rz = (ax * my - ay * mx) / aa;
  if (axialSize <= 1e-9 * whole || !(Math.sqrt(rx * rx + ry * ry + rz * rz) < 1000 * size)) {
    out.kind = "couple";
    out.pitch = Infinity;
    out.magnitude = momentSize;
    out.direction[0] = mx / momentSize;
    out.direction[1] = my / momentSize;
    out.direction[2] = mz / momentSize;
    return;
  }
  const length = Math.sqrt(aa);
  out.kind = "line";
  out.pitch = (ax * mx + ay * my + az * mz) / aa;
  out.magnitude = length;
  out.point[0] += rx;
  out.point[1] += ry;
  out.point[2] += rz;
  out.direction[0] = ax / length;
  out.direction[1] = ay / length;
  out.direction[2] = az / length;
}

/** Of the twist at twists[o ...]: velocity of the point places[p ...], then angular velocity. */
export function twistScrew(twists: ArrayLike<number>, o: number, places: ArrayLike<number>, p: number, size: number, out: Screw): void {
  screwOf(twists, o + 3, twists, o, places, p, size, out);
}

/** Of the wrench at wrenches[o ...]: force, then torque about the point places[p ...]. */
export function wrenchScrew(wrenches: ArrayLike<number>, o: number, places: ArrayLike<number>, p: number, size: number, out: Screw): void {
  screwOf(wrenches, o, wrenches, o + 3, places, p, size, out);
}
