// The recorded columns: groups, panels of one unit, values at any time, tables.
import type { ReportData } from "./contract";
import { decodeF32, decodeF64 } from "./decode";
import { rotate } from "../screw/rotate";
import { hermite } from "./hermite";
import { lastAtOrBefore } from "./search";

export class Column {
  readonly name: string;
  readonly unit: string;
  readonly group: string;
  readonly timeIndex: number;
  readonly t: Float64Array;
  readonly y: Float32Array | Float64Array;
  readonly alwaysZero: boolean;
  /** Of all rows of the run, drawn or not; null without a number. */
  readonly lowest: number | null;
  readonly highest: number | null;

  constructor(name: string, unit: string, group: string, timeIndex: number, t: Float64Array, y: Float32Array | Float64Array, lowest?: number | null, highest?: number | null) {
    if (t.length !== y.length) throw new Error(`column ${name}: ${y.length} numbers for ${t.length} instants`);
    this.name = name;
    this.unit = unit;
    this.group = group;
    this.timeIndex = timeIndex;
    this.t = t;
    this.y = y;
    this.alwaysZero = y.every((value) => value === 0);
    this.lowest = lowest !== undefined ? lowest : extreme(y, Math.min);
    this.highest = highest !== undefined ? highest : extreme(y, Math.max);
  }

  /** The time derivative at every row, where the report has it. */
  rate: ArrayLike<number> | null = null;

  /** Between rows a cubic by the rates, linear without them; NaN outside the recorded time and where a row has none. After a jump, the later value. */
  at(time: number): number {
    const { t, y } = this;
    const n = t.length;
    if (n === 0 || !(time >= t[0] && time <= t[n - 1])) return NaN;
    const i = lastAtOrBefore(t, time);
    if (i === n - 1 || t[i] === time) return y[i];
    const span = t[i + 1] - t[i], s = (time - t[i]) / span, { rate } = this;
    return rate ? hermite(y[i], y[i + 1], span * rate[i], span * rate[i + 1], s) : y[i] + s * (y[i + 1] - y[i]);
  }

  /** The last row so far; NaN before the first. */
  last(time: number): number {
    return this.t.length > 0 && time >= this.t[0] ? this.y[lastAtOrBefore(this.t, time)] : NaN;
  }
}

/** Of y, numbers only. */
function extreme(y: Float32Array | Float64Array, of: (a: number, b: number) => number): number | null {
  let most: number | null = null;
  for (const value of y) if (Number.isFinite(value)) most = most === null ? value : of(most, value);
  return most;
}

export function decodeColumns(data: ReportData): Column[] {
  const times = data.times.map((text, k) => decodeF64(text, `times[${k}]`));
  const columns = data.columns.map((c) => {
    const y = c.type === "f64" ? decodeF64(c.y, c.name) : decodeF32(c.y, c.name);
    const t = times[c.time];
    if (!t) throw new Error(`column ${c.name}: there is no times[${c.time}]`);
    return new Column(c.name, c.unit, c.group, c.time, t, y, c.lowest, c.highest);
  });
  findRates(columns);
  return columns;
}

/** Velocities are the rates of positions, accelerations those of velocities. */
function findRates(columns: readonly Column[]): void {
  const named = new Map(columns.map((c) => [c.name, c]));
  for (const column of columns) {
    const [kind, rest] = [column.name.slice(0, 2), column.name.slice(2)];
    const rate = kind === "q." ? named.get(`v.${rest}`) : kind === "v." ? named.get(`a.${rest}`) : undefined;
    if (rate && rate.timeIndex === column.timeIndex) column.rate = rate.y;
    else if (kind === "q." && rest.endsWith(".x")) findFreeRates(named, rest.slice(0, -2));
  }
}

/** The velocity of a free joint is in the axes of its child: x' = R(q) v. */
function findFreeRates(named: ReadonlyMap<string, Column>, joint: string): void {
  const all = (kind: string, parts: string[]) => parts.map((part) => named.get(`${kind}.${joint}.${part}`));
  const places = all("q", ["x", "y", "z"]), turns = all("q", ["qx", "qy", "qz", "qw"]), speeds = all("v", ["vx", "vy", "vz"]);
  const used = [...places, ...turns, ...speeds];
  if (used.some((c) => !c || c.timeIndex !== used[0]?.timeIndex)) return;
  const count = places[0]!.y.length, rates = [0, 1, 2].map(() => new Float64Array(count)), v = new Float64Array(3);
  for (let i = 0; i < count; ++i) {
    rotate(turns.map((c) => c!.y[i]), 0, speeds[0]!.y[i], speeds[1]!.y[i], speeds[2]!.y[i], v, 0);
    rates.forEach((rate, k) => (rate[i] = v[k]));
  }
  places.forEach((c, k) => (c!.rate = rates[k]));
}

const kTitles: Record<string, string> = {
  coordinates: "Coordinates", speeds: "Speeds", accelerations: "Accelerations", efforts: "Efforts", energies: "Energies",
  work: "Work", momentum: "Momentum", impulses: "Impulses", sensors: "Sensors", energy_balance: "Energy balance", certificate: "Certificate",
};

export function groupTitle(group: string): string {
  return kTitles[group] ?? group;
}

/** Names of groups that have columns: the known ones in the order of the table, then the others as they come. */
export function groupsOf(columns: readonly Column[]): string[] {
  const present = new Set(columns.map((c) => c.group));
  const known = Object.keys(kTitles).filter((g) => present.has(g));
  return [...known, ...[...present].filter((g) => !(g in kTitles))];
}

export interface Panel {
  unit: string;
  columns: Column[];
}

/** The columns of one group, those of one unit together. */
export function panelsOf(columns: readonly Column[], group: string): Panel[] {
  const panels: Panel[] = [];
  for (const column of columns) {
    if (column.group !== group) continue;
    const panel = panels.find((p) => p.unit === column.unit);
    if (panel) panel.columns.push(column);
    else panels.push({ unit: column.unit, columns: [column] });
  }
  return panels;
}

const kPrefixes: Record<string, string[]> = {
  coordinates: ["q."], speeds: ["v."], accelerations: ["a."], efforts: ["tau."], energies: ["energy."], work: ["work."],
  momentum: ["momentum."], impulses: ["impulse."],
};

/** The name without what its group says already. */
export function shortName(column: Column): string {
  for (const prefix of kPrefixes[column.group] ?? [])
    if (column.name.startsWith(prefix) && column.name.length > prefix.length) return column.name.slice(prefix.length);
  return column.name;
}

/** Values against one axis of time. undefined: this column has no row there; null: it has one that is no number. */
export interface Aligned {
  t: number[];
  y: (number | null | undefined)[][];
}

const kLargest = 1e300;  // beyond it differences overflow

export function drawable(value: number): number | null {
  return Math.abs(value) <= kLargest ? value : null;
}

export function align(columns: readonly Column[]): Aligned {
  const plain = (y: Float32Array | Float64Array) => Array.from(y, drawable);
  if (columns.length === 0) return { t: [], y: [] };
  if (columns.every((c) => c.timeIndex === columns[0].timeIndex))
    return { t: Array.from(columns[0].t), y: columns.map((c) => plain(c.y)) };
  return alignDifferent(columns);
}

/** Rows of one instant (before and after a jump) stay apart: the k-th of a column goes with the k-th of the others. */
function alignDifferent(columns: readonly Column[]): Aligned {
  const next = columns.map(() => 0);
  const t: number[] = [];
  const y: (number | null | undefined)[][] = columns.map(() => []);
  for (;;) {
    let now = Infinity;
    columns.forEach((c, k) => {
      if (next[k] < c.t.length) now = Math.min(now, c.t[next[k]]);
    });
    if (now === Infinity) return { t, y };
    t.push(now);
    columns.forEach((c, k) => {
      if (next[k] < c.t.length && c.t[next[k]] === now) {
        y[k].push(drawable(c.y[next[k]++]));
      } else {
        y[k].push(undefined);
      }
    });
  }
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** The drawn rows as a table, headed by names with units; a cell without a number is empty. */
export function csvTable(columns: readonly Column[]): string {
  const { t, y } = align(columns);
  const head = ["t [s]", ...columns.map((c) => `${c.name} [${c.unit}]`)].map(csvCell).join(",");
  const lines = t.map((time, i) => [time, ...y.map((column) => column[i] ?? "")].join(","));
  return [head, ...lines, ""].join("\n");
}
