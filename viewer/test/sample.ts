// Reports for development and tests, made up but consistent: motions are given as functions of time, twists, wrenches,
// energies and momenta follow from them by Newton and Euler.
import type { Base64, Body, ColumnData, Contact, Joint, JointAxis, Quat, ReportData, RunEvent, Shape, ShapeForm, Spring, Vec3 } from "../src/data/contract";

type Pose = { p: Vec3; q: Quat };
type Numbers = Float32Array | Float64Array | Int32Array | Uint32Array;

export function base64(numbers: Numbers): Base64 {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString("base64");
}

// Vectors and quaternions xyzw.
const add = (a: Vec3, b: Vec3, s = 1): Vec3 => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const scaled = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a: Vec3, b: Vec3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vec3, b: Vec3): Vec3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const times = (a: Quat, b: Quat): Quat => [
  a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
  a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]];
const turn = (axis: Vec3, angle: number): Quat => [...scaled(axis, Math.sin(angle / 2)), Math.cos(angle / 2)];
const rotated = (q: Quat, v: Vec3): Vec3 => {
  const u: Vec3 = [q[0], q[1], q[2]], t = scaled(cross(u, v), 2);
  return add(add(v, t, q[3]), cross(u, t));
};
const composed = (a: Pose, b: Pose): Pose => ({ p: add(a.p, rotated(a.q, b.p)), q: times(a.q, b.q) });
const still: Quat = [0, 0, 0, 1];

interface Maker {
  name: string;
  about: string;
  duration: number;
  count: number;
  gravity: Vec3;
  bodies: Body[];
  joints: Joint[];
  springs?: Spring[];
  meshes?: ReportData["scene"]["meshes"];
  poses: (t: number) => Pose[];
  columns?: [name: string, unit: string, group: string, y: (t: number) => number][];
  events?: RunEvent[];
  contacts?: Contact[];
  rows?: ReportData["rows"];
  origin?: Vec3;
}

const shape = (form: ShapeForm, p: Vec3 = [0, 0, 0], q: Quat = still, color: string | null = null): Shape => ({ ...form, p, q, color }) as Shape;
const body = (name: string, parent: number, mass: number, inertia: Vec3, shapes: Shape[], com: Vec3 = [0, 0, 0]): Body =>
  ({ name, parent, mass, com, inertia: [inertia[0], 0, 0, inertia[1], 0, inertia[2]], shapes });
const joint = (name: string, type: string, parent: number, child: number, axes: JointAxis[], p: Vec3 = [0, 0, 0]): Joint =>
  ({ name, type, parent, child, p, q: still, axes, lower: null, upper: null });
const revolute = (body: number, axis: Vec3): JointAxis => ({ kind: "revolute", body, p: [0, 0, 0], axis, pitch: 0 });

/** NaN is a gap. */
function range(y: number[]): { lowest: number | null; highest: number | null } {
  const known = y.filter((x) => !Number.isNaN(x));
  return known.length > 0 ? { lowest: known.reduce((a, b) => Math.min(a, b)), highest: known.reduce((a, b) => Math.max(a, b)) } : { lowest: null, highest: null };
}

interface Motion { v: Vec3[]; w: Vec3[] }

/** Velocities of the frames' origins and angular velocities, by central differences. */
function motionAt(maker: Maker, t: number, h: number): Motion {
  const a = maker.poses(t - h), b = maker.poses(t + h);
  return {
    v: a.map((x, i) => scaled(add(b[i].p, x.p, -1), 0.5 / h)),
    w: a.map((x, i) => {
      const d = times(b[i].q, [-x.q[0], -x.q[1], -x.q[2], x.q[3]]);
      return scaled([d[0], d[1], d[2]], (d[3] < 0 ? -1 : 1) / h);
    }),
  };
}

interface Instant { poses: Pose[]; motion: Motion; wrenches: Vec3[][]; momentum: Vec3[]; com: Vec3; kinetic: number; potential: number }

function instantAt(maker: Maker, t: number): Instant {
  const h = 1e-4, poses = maker.poses(t), motion = motionAt(maker, t, h);
  const state = (at: number) => {
    const x = maker.poses(at), m = motionAt(maker, at, h);
    return maker.bodies.map((b, i) => {
      const arm = rotated(x[i].q, b.com), v = add(m.v[i], cross(m.w[i], arm));
      const q = x[i].q, local = rotated([-q[0], -q[1], -q[2], q[3]], m.w[i]);
      const spin = rotated(q, [b.inertia[0] * local[0], b.inertia[3] * local[1], b.inertia[5] * local[2]]);
      return { c: add(x[i].p, arm), p: scaled(v, b.mass), L: spin, kinetic: 0.5 * b.mass * dot(v, v) + 0.5 * dot(m.w[i], spin) };
    });
  };
  const now = state(t), before = state(t - 1e-3), after = state(t + 1e-3);
  const force = now.map((_, i) => add(scaled(add(after[i].p, before[i].p, -1), 500), scaled(maker.gravity, maker.bodies[i].mass), -1));
  const torque = now.map((_, i) => scaled(add(after[i].L, before[i].L, -1), 500));
  const wrenches = maker.joints.map((j) => {
    const place = composed(poses[j.child], j).p;
    let f: Vec3 = [0, 0, 0], n: Vec3 = [0, 0, 0];
    maker.bodies.forEach((_, i) => {
      for (let k = i; k >= 0; k = maker.bodies[k].parent)
        if (k === j.child) {
          f = add(f, force[i]);
          n = add(add(n, torque[i]), cross(add(now[i].c, place, -1), force[i]));
          break;
        }
    });
    return [f, n];
  });
  const mass = maker.bodies.reduce((sum, b) => sum + b.mass, 0);
  let p: Vec3 = [0, 0, 0], L: Vec3 = [0, 0, 0], com: Vec3 = [0, 0, 0], kinetic = 0;
  now.forEach((b, i) => {
    p = add(p, b.p);
    L = add(add(L, b.L), cross(b.c, b.p));
    com = add(com, b.c, maker.bodies[i].mass / mass);
    kinetic += b.kinetic;
  });
  return { poses, motion, wrenches, momentum: [p, L], com, kinetic, potential: -mass * dot(maker.gravity, com) };
}

function noise(i: number): number {
  const x = Math.sin(i * 12.9898) * 43758.5453;
  return x - Math.floor(x);
}

export function report(maker: Maker): ReportData {
  const n = maker.count, nb = maker.bodies.length, nj = maker.joints.length;
  const t = Float64Array.from({ length: n }, (_, i) => (maker.duration * i) / (n - 1));
  const poses = new Float32Array(n * nb * 7), twists = new Float32Array(n * nb * 6), wrenches = new Float32Array(n * nj * 6);
  const momentum = new Float32Array(n * 6), com = new Float32Array(n * 3);
  const kinetic: number[] = [], potential: number[] = [];
  const columns: ColumnData[] = [];
  const origin: Vec3 = maker.origin ?? [0, 0, 0];
  t.forEach((time, i) => {
    const now = instantAt(maker, time);
    now.poses.forEach((x, b) => poses.set([...x.p, ...x.q], (i * nb + b) * 7));
    now.motion.v.forEach((v, b) => twists.set([...v, ...now.motion.w[b]], (i * nb + b) * 6));
    now.wrenches.forEach(([f, m], j) => wrenches.set([...f, ...m], (i * nj + j) * 6));
    momentum.set([...now.momentum[0], ...add(now.momentum[1], cross(origin, now.momentum[0]))], i * 6);
    com.set(now.com, i * 3);
    kinetic.push(now.kinetic);
    potential.push(now.potential);
  });
  const column = (name: string, unit: string, group: string, y: ArrayLike<number>) =>
    columns.push({ name, unit, group, time: 0, type: "f64", y: base64(Float64Array.from(y)), ...range(Array.from(y)) });
  for (const [name, unit, group, y] of maker.columns ?? []) column(name, unit, group, t.map((time) => y(time)));
  const total = kinetic.map((k, i) => k + potential[i]);
  column("energy.kinetic", "J", "energies", kinetic);
  column("energy.gravity", "J", "energies", potential);
  column("energy.springs", "J", "energies", total.map(() => 0));
  column("energy.stored", "J", "energies", total.map(() => 0));
  column("energy.total", "J", "energies", total);
  const rest = total.map((_, i) => (noise(i) - 0.4) * 1e-14 * i);
  column("work.motor", "J", "work", total.map((e, i) => 1.3 * (e - total[0]) + rest[i] + 0.001 * i));
  column("work.damper.hinge", "J", "work", total.map((e, i) => -0.3 * (e - total[0]) - 0.001 * i));
  ["px", "py", "pz", "Lx", "Ly", "Lz"].forEach((part, k) => column(`momentum.${part}`, k < 3 ? "N s" : "N m s", "momentum", t.map((_, i) => momentum[6 * i + k])));
  column("energy.residual", "J", "energy_balance", rest);
  column("momentum.residual.p", "N s", "energy_balance", rest.map((x, i) => Math.abs(x) * noise(i + 7)));
  column("momentum.residual.L", "N m s", "energy_balance", rest.map((x, i) => Math.abs(x) * noise(i + 19)));
  column("certificate", "1", "certificate", t.map((_, i) => 1e-16 * (0.3 + 6 * noise(3 * i))));
  const energy = (i: number) => ({ kinetic: kinetic[i], gravity: potential[i], springs: 0, stored: 0, total: total[i] });
  const entry = (k: number) => ({ start: [...momentum.slice(k, k + 3)], end: [...momentum.slice(6 * (n - 1) + k, 6 * (n - 1) + k + 3)], residual: 3.1e-15, residual_relative: 2.2e-16 });
  return {
    format: "pintle-report", format_version: 1, command: `pintle run ${maker.name} --out out/${maker.name}`,
    run: {
      pintle: { version: "0.1.0", compiler: "g++ 12.2.0", isa: "avx2", bit_family: "x86-64-fma" },
      scene: { name: maker.name, overrides: [], hash: "9f1c0ade77b2e541", bodies: nb, joints: nj, nq: nj, nv: nj }, seed: null,
      settings: { method: "rk4", step: 5e-4, fixed_step: true, t0: 0, duration: maker.duration, certificate_limit: 1.1368683772161603e-13 },
      resumed_at: null, outcome: "reached", ok: true, text: null, time: maker.duration, steps: Math.round(maker.duration / 5e-4), rejected: 0, step_length: 5e-4,
      state_hash: "51b3a07c2ee94d08",
      energy_balance: {
        energy: { start: energy(0), end: energy(n - 1) },
        accounts: [{ name: "motor", kind: "element", work: 1.3 * (total[n - 1] - total[0]) + 0.001 * (n - 1), clipped: 0.021 }, { name: "hinge", kind: "damper", work: -0.3 * (total[n - 1] - total[0]) - 0.001 * (n - 1), clipped: null }],
        residual: rest[n - 1], residual_relative: 4.4e-15, momentum: { linear: entry(0), angular: entry(3) },
      },
      certificate: { worst: 6.2e-16, time: 0.41 * maker.duration, force_balance_relative: 6.2e-16, force_balance_newton: 1.1e-14, worst_body: maker.bodies[0]?.name ?? null, joint_balance_relative: 2.1e-16, joint_balance_effort: 4e-15, worst_joint: maker.joints[0]?.name ?? null, power_balance_relative: 1e-16, power_balance_watt: 2e-15 },
      checks: { verdict: "ok", list: [
        { name: "energy", verdict: "ok", value: 4.4e-15, warning_limit: 1e-4, limit: 1e-2, text: "4.4e-15 of the energy is unaccounted for: 3e-15 J of 0.7 J, at t = 1 s" },
        { name: "certificate", verdict: "ok", value: 6.2e-16, warning_limit: 1e-9, limit: 1e-6, text: "accelerations and the forces on 'nut' differ by 6.2e-16, at t = 0.41 s" }] },
      events_left_out: 0, wall_time: 0.0132, files: ["run.csv", "run.npz", "run.json", "report.html"],
    },
    scene: {
      name: maker.name, about: maker.about, gravity: maker.gravity, bodies: maker.bodies, joints: maker.joints,
      frames: nb > 0 ? [{ name: "tip", body: nb - 1, p: maker.bodies[nb - 1].com, q: still }] : [], springs: maker.springs ?? [], meshes: maker.meshes ?? [],
    },
    frames: { count: n, origin, t: base64(t), poses: base64(poses), twists: base64(twists), wrenches: base64(wrenches), momentum: base64(momentum), com: base64(com) },
    rows: maker.rows ?? { total: n, drawn: n, thinned: false }, columns, times: [base64(t)], events: maker.events ?? [], contacts: maker.contacts ?? [],
  };
}

/** A nut that runs on a screw, geared to a flywheel. */
export function nut(): ReportData {
  const pitch = 0.012, gear = 3, angle = (t: number) => 9 * (1 - Math.cos(1.3 * t));
  return report({
    name: "screw", about: "A nut on a screw with a lead of 75 mm, geared to a flywheel.", duration: 5, count: 501, gravity: [0, 0, -9.81],
    bodies: [
      body("nut", -1, 0.6, [4e-4, 4e-4, 6e-4], [shape({ kind: "cylinder", radius: 0.045, length: 0.05 }, [0, 0, 0], still, "#b58b3c"), shape({ kind: "box", size: [0.13, 0.02, 0.03] }, [0, 0, 0], still, "#b58b3c")]),
      body("flywheel", -1, 2, [4e-3, 4e-3, 8e-3], [shape({ kind: "cylinder", radius: 0.09, length: 0.03 }), shape({ kind: "sphere", radius: 0.016 }, [0.062, 0, 0.018], still, "#d55e00"), shape({ kind: "cylinder", radius: 0.012, length: 0.1 })]),
      body("counterweight", 0, 0.3, [1e-4, 1e-4, 1e-4], [], [0, 0.05, -0.02]),
    ],
    joints: [
      joint("nut", "screw", -1, 0, [{ kind: "screw", body: 0, p: [0, 0, 0], axis: [0, 0, 1], pitch }]),
      joint("flywheel", "revolute", -1, 1, [revolute(1, [0, 0, 1])]),
      joint("counterweight", "prismatic", 0, 2, [{ kind: "prismatic", body: 2, p: [0, 0, 0], axis: [0, 0, 1], pitch: null }]),
    ],
    springs: [{ name: "return", a: { body: -1, p: [0.065, 0, 0.4] }, b: { body: 0, p: [0.055, 0, 0] } }],
    poses: (t) => {
      const a = angle(t), x: Pose = { p: [0, 0, 0.06 + pitch * a], q: turn([0, 0, 1], a) };
      return [x, { p: [0.19, 0, 0.05], q: turn([0, 0, 1], -gear * a) }, composed(x, { p: [-0.01, 0.075, 0.03 * Math.sin(4 * t)], q: still })];
    },
    columns: [
      ["q.nut", "rad", "coordinates", angle], ["q.flywheel", "rad", "coordinates", (t) => -gear * angle(t)], ["q.counterweight", "m", "coordinates", (t) => 0.03 * Math.sin(4 * t)],
      ["v.nut", "rad/s", "speeds", (t) => 11.7 * Math.sin(1.3 * t)], ["v.counterweight", "m/s", "speeds", (t) => 0.12 * Math.cos(4 * t)],
      ["tau.nut", "N m", "efforts", (t) => 0.2 * Math.cos(1.3 * t)], ["tau.flywheel", "N m", "efforts", () => 0], ["nut_height", "m", "sensors", (t) => 0.06 + pitch * angle(t)],
    ],
    events: [{ time: 1.9, kind: "limit-impact", name: "nut", impulse: 0.012, energy_lost: 0.004, speed_before: 1.7 }, { time: 2.6, kind: "limit-release", name: "nut", position: 18 }],
    contacts: [{ t: 1.9, p: [0.03, 0, 0.22], n: [0, 0, -1], impulse: 0.012, bodies: [0] }],
  });
}

/** Two rods, by RK4 on their own equations; bodies without shapes when `bare`. */
export function doublePendulum(bare: boolean): ReportData {
  const l = 0.5, g = 9.81, n = 801, duration = 8, steps = 40;
  const rate = ([a, b, u, v]: number[]): number[] => {
    const d = a - b, k = 3 - Math.cos(2 * d);
    return [u, v, (-3 * g * Math.sin(a) - g * Math.sin(a - 2 * b) - 2 * Math.sin(d) * l * (v * v + u * u * Math.cos(d))) / (l * k), (2 * Math.sin(d) * (2 * u * u * l + 2 * g * Math.cos(a) + v * v * l * Math.cos(d))) / (l * k)];
  };
  const h = duration / (n - 1) / steps;
  const states: number[][] = [[1.9, 2.4, 0, 0]];
  for (let i = 0; i < (n + 2) * steps; ++i) {
    const x = states[i], step = (k: number[], s: number) => x.map((value, m) => value + s * k[m]);
    const k1 = rate(x), k2 = rate(step(k1, h / 2)), k3 = rate(step(k2, h / 2)), k4 = rate(step(k3, h));
    states.push(x.map((value, m) => value + (h / 6) * (k1[m] + 2 * k2[m] + 2 * k3[m] + k4[m])));
  }
  const at = (t: number) => {
    const x = Math.max(0, t) / h, i = Math.min(Math.floor(x), states.length - 2), s = x - i;
    return states[i].map((value, k) => value + s * (states[i + 1][k] - value));
  };
  const rod = (r: number): Shape[] => (bare ? [] : [shape({ kind: "capsule", radius: 0.018, length: l }, [0, 0, -l / 2]), shape({ kind: "sphere", radius: r }, [0, 0, -l])]);
  return report({
    name: bare ? "pendulum-bare" : "pendulum-double", about: "Two rods with a mass at the end of each.", duration, count: n, gravity: [0, 0, -g],
    bodies: [body("upper", -1, 1, [1e-3, 1e-3, 1e-3], rod(0.06), [0, 0, -l]), body("lower", 0, 1, [1e-3, 1e-3, 1e-3], rod(0.06), [0, 0, -l])],
    joints: [joint("shoulder", "revolute", -1, 0, [revolute(0, [0, 1, 0])]), joint("elbow", "revolute", 0, 1, [revolute(1, [0, 1, 0])])],
    poses: (t) => {
      const [a, b] = at(t), upper: Pose = { p: [0, 0, 0], q: turn([0, 1, 0], -a) };
      return [upper, { p: rotated(upper.q, [0, 0, -l]), q: turn([0, 1, 0], -b) }];
    },
    columns: [["q.shoulder", "rad", "coordinates", (t) => at(t)[0]], ["q.elbow", "rad", "coordinates", (t) => at(t)[1] - at(t)[0]], ["v.shoulder", "rad/s", "speeds", (t) => at(t)[2]], ["v.elbow", "rad/s", "speeds", (t) => at(t)[3] - at(t)[2]]],
    rows: { total: 1000000, drawn: 2048, thinned: true },
  });
}

export const kEvilName = "<script>alert(1)</script>";

/** A free box that tumbles about its middle axis, far from the origin, with a name that is markup. */
export function tumbling(): ReportData {
  const inertia: Vec3 = [0.02, 0.012, 0.005], n = 601, duration = 6, steps = 50, h = duration / (n - 1) / steps;
  let w: Vec3 = [0.02, 5, 0.02], q: Quat = still;
  const orientations: Quat[] = [q], spins: Vec3[] = [w];
  for (let i = 0; i < (n + 2) * steps; ++i) {
    const rate = (x: Vec3): Vec3 => [((inertia[1] - inertia[2]) * x[1] * x[2]) / inertia[0], ((inertia[2] - inertia[0]) * x[2] * x[0]) / inertia[1], ((inertia[0] - inertia[1]) * x[0] * x[1]) / inertia[2]];
    const middle = add(w, rate(w), h / 2), size = Math.hypot(...middle);
    q = times(q, turn(scaled(middle, 1 / size), size * h));
    w = add(w, rate(middle), h);
    orientations.push(q);
    spins.push(w);
  }
  const index = (t: number) => Math.min(Math.max(Math.round(t / h), 0), orientations.length - 1);
  return report({
    name: `tumbling ${kEvilName}`, about: `The intermediate axis; ${kEvilName} is just a name.`, duration, count: n, gravity: [0, 0, 0],
    bodies: [body(kEvilName, -1, 1.2, inertia, [shape({ kind: "box", size: [0.1, 0.3, 0.42] }), shape({ kind: "cone", radius: 0.05, height: 0.09 }, [0, 0, 0.21]), shape({ kind: "ellipsoid", semi_axes: [0.03, 0.06, 0.04] }, [0, 0.15, 0], still, "#f0e442")])],
    joints: [joint(kEvilName, "free", -1, 0, [])], origin: [1000, 0, 0],
    poses: (t) => [{ p: [0.15 * t, 0, 0.02 * t], q: orientations[index(t)] }],
    columns: (["wx", "wy", "wz"] as const).map((part, k): [string, string, string, (t: number) => number] => [`v.${kEvilName}.${part}`, "rad/s", "speeds", (t) => spins[index(t)][k]]),
  });
}

/** `links` bodies in a chain; with many, a spiral that breathes. */
export function chain(links: number, count: number, duration: number, name = "chain"): ReportData {
  const length = 0.25, bodies: Body[] = [], joints: Joint[] = [];
  for (let i = 0; i < links; ++i) {
    const thick = 0.02 + 0.02 * (1 - i / links);
    bodies.push(body(`link${i + 1}`, i - 1, 0.1, [1e-5, 5e-4, 5e-4], [shape({ kind: "box", size: [length * 0.92, thick, thick] }, [length / 2, 0, 0]), shape({ kind: "cylinder", radius: thick * 0.8, length: thick * 1.3 }, [length, 0, 0])], [length / 2, 0, 0]));
    joints.push(joint(`hinge${i + 1}`, "revolute", i - 1, i, [revolute(i, i % 2 === 0 ? [0, 0, 1] : [0, 1, 0])]));
  }
  const angle = (i: number, t: number) => 0.35 * Math.sin(1.7 * t + 0.55 * i) + (i % 2 === 0 ? 0.16 : 0.05);
  return report({
    name, about: `${links} links that wave.`, duration, count, gravity: [0, -10, 0], bodies, joints,
    poses: (t) => {
      const poses: Pose[] = [];
      for (let i = 0; i < links; ++i) {
        const local: Pose = { p: i === 0 ? [0, 0, 0] : [length, 0, 0], q: turn(i % 2 === 0 ? [0, 0, 1] : [0, 1, 0], angle(i, t)) };
        poses.push(i === 0 ? local : composed(poses[i - 1], local));
      }
      return poses;
    },
    columns: Array.from({ length: links }, (_, i): [string, string, string, (t: number) => number] => [`q.hinge${i + 1}`, "rad", "coordinates", (t) => angle(i, t)]),
  });
}

/** A mesh (a tetrahedron) on a ball joint beside a planar stage; columns with rows at different instants and gaps. */
export function meshOnBall(): ReportData {
  const vertices = Float32Array.of(0, 0, 0, 0.3, 0, 0.1, 0, 0.3, 0.1, -0.1, -0.1, 0.35), triangles = Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3);
  const data = report({
    name: "ball", about: "A mesh on a ball joint.", duration: 3, count: 151, gravity: [0, 0, -9.81],
    bodies: [body("stone", -1, 1, [0.01, 0.012, 0.009], [shape({ kind: "mesh", mesh: 0 })], [0.05, 0.05, 0.14]), body("floor", -1, 1, [1, 1, 1], [shape({ kind: "plane" }, [0, 0, -0.2])])],
    joints: [joint("ball", "spherical", -1, 0, []), joint("floor", "fixed", -1, 1, [])], meshes: [{ vertices: base64(vertices), triangles: base64(triangles) }],
    poses: (t) => [{ p: [0, 0, 0], q: times(turn([0, 0, 1], 1.4 * t), turn([1, 0, 0], 0.4 * Math.sin(3 * t))) }, { p: [0, 0, 0], q: still }],
    columns: [["q.ball.qx", "1", "coordinates", (t) => (t > 1 && t < 1.3 ? NaN : Math.sin(t))]],
  });
  data.times.push(base64(Float64Array.of(0, 0.7, 0.7, 3)));
  data.columns.push({ name: "q.ball.qw", unit: "1", group: "coordinates", time: 1, type: "f32", y: base64(Float32Array.of(1, 0.2, 0.6, -0.5)), lowest: -0.5, highest: 1 });
  return data;
}

export const kSamples: Record<string, () => ReportData> = {
  screw: nut,
  pendulum: () => doublePendulum(false),
  pendulum_bare: () => doublePendulum(true),
  tumbling,
  chain: () => chain(12, 401, 6),
  ball: meshOnBall,
  showcase30: () => chain(30, 601, 10, "showcase30"),
  fifty: () => chain(50, 1000, 10, "fifty"),
};
