// The energy ledger as layers: what is stored, one on top of the other, against what work has brought in.
import type { Column } from "./columns";

export interface Layer {
  name: string;
  top: number[];
  low: number[];
  value: Column;
}

export interface EnergyStack {
  t: number[];
  layers: Layer[];
  /** Energy at the start plus all work so far, on the scale of the layers; null without accounts. */
  paid: number[];
  /** Layers that are counted from their lowest value, because they are negative at times. */
  lifted: string[];
}

const kParts = ["kinetic", "gravity", "springs", "stored"];

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
    const least = values.reduce((a, b) => (b < a ? b : a), 0);
    if (least < 0) lifted.push(part.name.slice("energy.".length));
    lift -= least;
    const low = rest.slice();
    for (let i = 0; i < t.length; ++i) rest[i] += values[i] - least;
    layers.push({ name: part.name.slice("energy.".length), top: rest.slice(), low, value: part });
  }
  const paid = t.map((time, i) => work.reduce((sum, c) => sum + (c.timeIndex === total.timeIndex ? c.y[i] : c.at(time)), total.y[0] + lift));
  return { t, layers, paid, lifted };
}

/** Work accounts: what came in stacked upwards, what went out downwards. */
export function workStack(columns: readonly Column[]): { t: number[]; layers: Layer[] } | null {
  const work = columns.filter((c) => c.name.startsWith("work.") && !c.alwaysZero);
  if (work.length === 0) return null;
  const t = Array.from(work[0].t);
  const above = new Array<number>(t.length).fill(0), below = above.slice();
  const layers = work.map((column): Layer => {
    const top: number[] = [], low: number[] = [];
    t.forEach((time, i) => {
      const value = column.timeIndex === work[0].timeIndex ? column.y[i] : column.at(time);
      const base = value >= 0 ? above : below;
      low.push(base[i]);
      base[i] += value;
      top.push(base[i]);
    });
    return { name: column.name.slice("work.".length), top, low, value: column };
  });
  return { t, layers };
}
