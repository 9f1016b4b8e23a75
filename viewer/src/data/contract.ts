// The data of a report as the program writes it: docs/formats/report.md. SI units, radians, world axes with z up.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];

/** Base64 of little-endian numbers. */
export type Base64 = string;

export interface Placed {
  p: Vec3;
  q: Quat;
}

export type ShapeForm =
  | { kind: "box"; size: Vec3 }
  | { kind: "sphere"; radius: number }
  | { kind: "ellipsoid"; semi_axes: Vec3 }
  | { kind: "cylinder"; radius: number; length: number }
  | { kind: "capsule"; radius: number; length: number }
  | { kind: "cone"; radius: number; height: number }
  | { kind: "plane" }
  | { kind: "mesh"; mesh: number };

export type Shape = ShapeForm & Placed & { color: string | null };

export interface Body {
  name: string;
  parent: number;
  mass: number;
  com: Vec3;
  inertia: [number, number, number, number, number, number];
  shapes: Shape[];
}

export interface JointAxis {
  kind: "screw" | "revolute" | "prismatic";
  /** The body that the axis is fixed to; -1: the world. `p` and `axis` are in its frame. */
  body: number;
  p: Vec3;
  axis: Vec3;
  pitch: number | null;
}

export interface Joint extends Placed {
  name: string;
  type: string;
  parent: number;
  child: number;
  axes: JointAxis[];
  lower: (number | null)[] | null;
  upper: (number | null)[] | null;
}

export interface NamedFrame extends Placed {
  name: string;
  body: number;
}

export interface SpringEnd {
  body: number;
  p: Vec3;
}

export interface Spring {
  name: string;
  a: SpringEnd;
  b: SpringEnd;
}

export interface MeshData {
  vertices: Base64;
  triangles: Base64;
}

export interface SceneData {
  name: string;
  about: string;
  gravity: Vec3;
  bodies: Body[];
  /** Fixed in the world. */
  ground?: Shape[];
  joints: Joint[];
  frames: NamedFrame[];
  springs: Spring[];
  meshes: MeshData[];
}

/** The points that touch at the instants, with the forces on the second body. */
export interface ContactFramesData {
  first: Base64;
  who: Base64;
  points: Base64;
  normal_forces: Base64;
  friction: Base64;
  moments: Base64;
}

export interface FramesData {
  count: number;
  origin: Vec3;
  t: Base64;
  poses: Base64;
  twists: Base64;
  wrenches: Base64 | null;
  momentum: Base64 | null;
  com: Base64;
  contacts?: ContactFramesData | null;
}

export interface ColumnData {
  name: string;
  unit: string;
  group: string;
  time: number;
  type: "f32" | "f64";
  y: Base64;
  /** Of all rows of the run, drawn or not. */
  lowest: number | null;
  highest: number | null;
}

/** Numbers that are not finite are null. */
export type Maybe = number | null;

export interface RunEvent {
  time: number;
  kind: string;
  name: string;
  [number: string]: unknown;
}

export interface MomentumEntry {
  start: Maybe[];
  end: Maybe[];
  residual: Maybe;
  residual_relative: Maybe;
}

export type EnergyEntry = Record<"kinetic" | "gravity" | "springs" | "stored" | "total", Maybe>;

export interface WorkAccount {
  name: string;
  kind: string;
  work: Maybe;
  clipped: Maybe;
}

export type CheckVerdict = "ok" | "warning" | "failed";

/** Warnings begin above `warning_limit`, failures above `limit`. */
export interface RunCheck {
  name: string;
  verdict: CheckVerdict;
  value: Maybe;
  warning_limit: Maybe;
  limit: Maybe;
  text: string;
}

/** run.json: docs/formats/run.md. Everything is optional here: a part that is missing is not shown. */
export interface RunData {
  pintle?: { version?: string; compiler?: string; isa?: string; bit_family?: string };
  scene?: { name?: string; overrides?: string[]; hash?: string; bodies?: number; joints?: number; nq?: number; nv?: number };
  seed?: Maybe;
  settings?: {
    method?: string;
    step?: Maybe;
    fixed_step?: boolean;
    tolerances?: { relative?: Maybe; absolute?: Maybe };
    smallest_step?: Maybe;
    largest_step?: Maybe;
    t0?: Maybe;
    duration?: Maybe;
    certificate_limit?: Maybe;
  };
  resumed_at?: Maybe;
  outcome?: string;
  ok?: boolean;
  text?: string | null;
  joint?: string;
  body?: string;
  time?: Maybe;
  steps?: Maybe;
  rejected?: Maybe;
  step_length?: Maybe;
  state_hash?: string;
  energy_balance?: {
    energy?: { start: EnergyEntry; end: EnergyEntry };
    accounts?: WorkAccount[];
    residual?: Maybe;
    residual_relative?: Maybe;
    momentum?: { linear: MomentumEntry; angular: MomentumEntry } | null;
  } | null;
  certificate?: {
    worst?: Maybe;
    time?: Maybe;
    force_balance_relative?: Maybe;
    force_balance_newton?: Maybe;
    worst_body?: string | null;
    joint_balance_relative?: Maybe;
    joint_balance_effort?: Maybe;
    worst_joint?: string | null;
    power_balance_relative?: Maybe;
    power_balance_watt?: Maybe;
    /** only where something can touch */
    contact?: {
      worst?: Maybe;
      time?: Maybe;
      bodies?: string[] | null;
      at_impact?: boolean;
      momentum?: Maybe;
      energy?: Maybe;
      complementarity?: Maybe;
      cone?: Maybe;
      dissipation?: Maybe;
      restitution?: Maybe;
      impacts_that_gain_energy?: number;
    };
  } | null;
  checks?: { verdict: CheckVerdict; list: RunCheck[] };
  events_left_out?: Maybe;
  wall_time?: Maybe;
  files?: string[];
}

export interface Contact {
  t: number;
  p: Vec3;
  n: Vec3;
  impulse: number | Vec3;
  bodies: number[];
}

export interface ReportData {
  format: "pintle-report";
  format_version: number;
  command: string;
  run: RunData;
  scene: SceneData;
  frames: FramesData;
  rows: { total: number; drawn: number; thinned: boolean };
  columns: ColumnData[];
  times: Base64[];
  events: RunEvent[];
  contacts: Contact[];
}
