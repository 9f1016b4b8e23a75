// The energy energy balance as layers: what is stored, one on top of the other, against what work has brought in.
import { drawable, type Column } from "./columns";

export interface Layer {
  name: string;
  /** null: a gap. */
  top: (number | null)[];
  low: number[];
  value: Column;
}

export interface EnergyStack {
  t: number[];
  layers: Layer[];
  /** Energy at the start plus all work so far, on the scale of the layers; the first row may have work already, of impacts at the start. */
  paid: (number | null)[];
  /** More than one: points are means of so many rows. */
  rowsPerPoint: number;
  /** Layers that are counted from their lowest value, because they are negative at times. */
  lifted: string[];
}

const kParts = ["kinetic", "gravity", "springs", "stored"];

/** Layers with more points take too long to fill: then each point is a mean. */
const kMostPoints = 1500;

/** Rows that one point stands for. */
function rowsPerPoint(rows: number): number {
  return Math.max(1, Math.ceil(rows / kMostPoints));
}

/** Means of `n` neighbours; without a number where one of them has none. */
function means(y: readonly (number | null)[], n: number): (number | null)[] {
  if (n === 1) return y.slice();
  const result: (number | null)[] = [];
  for (let i = 0; i < y.length; i += n) {
    const part = y.slice(i, i + n);
    result.push(part.includes(null) ? null : (part as number[]).reduce((sum, x) => sum + x / part.length, 0));
  }
  return result;
}

const numbers = (y: (number | null)[]) => y.map((x) => x ?? NaN);

function layersOfMeans(layers: readonly Layer[], n: number): Layer[] {
  return layers.map((layer) => ({ ...layer, top: means(layer.top, n), low: numbers(means(layer.low.map(drawable), n)) }));
}

/** null when the columns of the energies are not there, or have rows at different instants. */
export function energyStack(columns: readonly Column[]): EnergyStack | null {
  const parts = kParts.map((name) => columns.find((c) => c.name === `energy.${name}`)).filter((c): c is Column => c !== undefined);
  const total = columns.find((c) => c.name === "energy.total");
  if (parts.length === 0 || !total) return null;
  const used = parts.filter((c) => !c.alwaysZero);
  const work = columns.filter((c) => c.name.startsWith("work."));
  const t = Array.from(total.t);
  const rest = new Array<number>(t.length).fill(0);
  const layers: Layer[] = [];
  const lifted: string[] = [];
  let lift = 0;
  for (const part of used) {
    const values = t.map((time, i) => (part.timeIndex === total.timeIndex ? part.y[i] : part.at(time)));
    const least = values.reduce((a, b) => (b < a && drawable(b) !== null ? b : a), 0);
    if (least < 0) lifted.push(part.name.slice("energy.".length));
    lift -= least;
    const low = rest.slice();
    for (let i = 0; i < t.length; ++i) rest[i] += values[i] - least;
    layers.push({ name: part.name.slice("energy.".length), top: rest.map(drawable), low, value: part });
  }
  const start = work.reduce((sum, c) => sum - c.y[0], total.y[0] + lift);
  const paid = t.map((time, i) => drawable(work.reduce((sum, c) => sum + (c.timeIndex === total.timeIndex ? c.y[i] : c.at(time)), start)));
  const n = rowsPerPoint(t.length);
  return { t: numbers(means(t, n)), layers: layersOfMeans(layers, n), paid: means(paid, n), lifted, rowsPerPoint: n };
}

/** Work accounts: what came in stacked upwards, what went out downwards. */
export function workStack(columns: readonly Column[]): { t: number[]; layers: Layer[] } | null {
  const work = columns.filter((c) => c.name.startsWith("work.") && !c.alwaysZero);
  if (work.length === 0) return null;
  const t = Array.from(work[0].t);
  const above = new Array<number>(t.length).fill(0), below = above.slice();
  const layers = work.map((column): Layer => {
    const top: (number | null)[] = [], low: number[] = [];
    t.forEach((time, i) => {
      const value = column.timeIndex === work[0].timeIndex ? column.y[i] : column.at(time);
      const base = value >= 0 ? above : below;
      low.push(base[i]);
      base[i] += value;
      top.push(drawable(base[i]));
    });
    return { name: column.name.slice("work.".length), top, low, value: column };
  });
  const n = rowsPerPoint(t.length);
  return { t: numbers(means(t, n)), layers: layersOfMeans(layers, n) };
}
