// Blows as columns: what the events of stops say of their impulses, one column for each freedom.
import { Column } from "./columns";
import type { RunEvent } from "./contract";

/** The column of a freedom's effort tells the unit: N m of an effort is N m s of an impulse. */
export function impulseColumns(events: readonly RunEvent[], columns: readonly Column[]): Column[] {
  const blows = new Map<string, { t: number[]; y: number[] }>();
  for (const event of events) {
    if (event.kind !== "stop-impact" || typeof event.impulse !== "number") continue;
    const of = blows.get(event.name) ?? { t: [], y: [] };
    of.t.push(event.time);
    of.y.push(event.impulse);
    blows.set(event.name, of);
  }
  // Times are their own: a number that no recorded column has.
  let timeIndex = columns.reduce((most, c) => Math.max(most, c.timeIndex), 0);
  return [...blows].map(([name, { t, y }]) => {
    const effort = columns.find((c) => c.name === `tau.${name}`)?.unit;
    return new Column(`impulse.${name}`, effort ? `${effort} s` : "1", "impulses", ++timeIndex, Float64Array.from(t), Float64Array.from(y));
  });
}
