// The points that touch, with their forces: those of the instants, and between two instants that have the same ones.
import type { ContactFramesData } from "./contract";
import { decodeF32, decodeI32, decodeU32 } from "./decode";

/** Numbers of each point at the sampled time; vectors in world axes, places relative to the replay's origin. */
export class ContactForces {
  /** How many points there are at the sampled time, and at most. */
  count = 0;
  readonly most: number;
  /** The two bodies (-1: the world) and 1 where the point slides, of each point. */
  readonly who: Int32Array;
  readonly point: Float64Array;
  /** On the second body; the first feels the opposite. */
  readonly normal: Float64Array;
  readonly friction: Float64Array;
  readonly moment: Float64Array;
  /** Of all instants, one after the other. */
  readonly points: Float32Array;
  readonly normals: Float32Array;
  readonly frictions: Float32Array;
  readonly moments: Float32Array;
  private readonly first: Uint32Array;
  private readonly allWho: Int32Array;

  constructor(data: ContactFramesData, frames: number) {
    this.first = decodeU32(data.first, "frames.contacts.first", frames + 1);
    const all = 3 * this.first[frames];
    let most = 0;
    for (let i = 0; i < frames; ++i) most = Math.max(most, this.first[i + 1] - this.first[i]);
    this.most = most;
    this.allWho = decodeI32(data.who, "frames.contacts.who", all);
    this.points = decodeF32(data.points, "frames.contacts.points", all);
    this.normals = decodeF32(data.normal_forces, "frames.contacts.normal_forces", all);
    this.frictions = decodeF32(data.friction, "frames.contacts.friction", all);
    this.moments = decodeF32(data.moments, "frames.contacts.moments", all);
    this.who = new Int32Array(3 * most);
    this.point = new Float64Array(3 * most);
    this.normal = new Float64Array(3 * most);
    this.friction = new Float64Array(3 * most);
    this.moment = new Float64Array(3 * most);
  }

  /** At the part s of the way from instant i to instant j. */
  sample(i: number, j: number, s: number): void {
    const a = 3 * this.first[i], n = 3 * this.first[i + 1] - a;
    const b = this.alike(i, j) ? 3 * this.first[j] : a;
    this.count = n / 3;
    for (let k = 0; k < n; ++k) {
      this.who[k] = this.allWho[a + k];
      this.point[k] = this.points[a + k] + s * (this.points[b + k] - this.points[a + k]);
      this.normal[k] = this.normals[a + k] + s * (this.normals[b + k] - this.normals[a + k]);
      this.friction[k] = this.frictions[a + k] + s * (this.frictions[b + k] - this.frictions[a + k]);
      this.moment[k] = this.moments[a + k] + s * (this.moments[b + k] - this.moments[a + k]);
    }
  }

  /** The points of an instant: the first, and the one after the last, as places in `points`, `normals` and so on. */
  at(frame: number): [number, number] {
    return [3 * this.first[frame], 3 * this.first[frame + 1]];
  }

  /** Whether two instants have the same points, in the same order. */
  private alike(i: number, j: number): boolean {
    const a = 3 * this.first[i], b = 3 * this.first[j], n = 3 * this.first[i + 1] - a;
    if (3 * this.first[j + 1] - b !== n) return false;
    for (let k = 0; k < n; ++k) if (this.allWho[a + k] !== this.allWho[b + k]) return false;
    return true;
  }

  /** What all points do to a body at the sampled time: the force goes to `sum`; gives how many there are, and how many slide. */
  on(body: number, sum: Float64Array): { points: number; sliding: number } {
    let points = 0, sliding = 0;
    sum.fill(0);
    for (let c = 0; c < 3 * this.count; c += 3) {
      const sign = this.who[c + 1] === body ? 1 : this.who[c] === body ? -1 : 0;
      if (sign === 0) continue;
      points += 1;
      sliding += this.who[c + 2];
      for (let k = 0; k < 3; ++k) sum[k] += sign * (this.normal[c + k] + this.friction[c + k]);
    }
    return { points, sliding };
  }
}
