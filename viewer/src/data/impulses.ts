// Impacts as columns: at joint limits one column for each dof, of bodies that meet one for each pair of them.
import { Column } from "./columns";
import type { Body, Contact, RunEvent } from "./contract";

interface Blows {
  unit: string;
  t: number[];
  y: number[];
}

/** The column of a dof's effort tells the unit: N m of an effort is N m s of an impulse. */
export function impulseColumns(events: readonly RunEvent[], columns: readonly Column[], contacts: readonly Contact[] = [], bodies: readonly Pick<Body, "name">[] = []): Column[] {
  const blows = new Map<string, Blows>();
  const add = (name: string, unit: () => string, t: number, y: number) => {
    const of = blows.get(name) ?? { unit: unit(), t: [], y: [] };
    of.t.push(t);
    of.y.push(y);
    blows.set(name, of);
  };
  for (const event of events) {
    if (event.kind !== "limit-impact" || typeof event.impulse !== "number") continue;
    const unit = () => columns.find((c) => c.name === `tau.${event.name}`)?.unit;
    add(event.name, () => (unit() ? `${unit()} s` : "1"), event.time, event.impulse);
  }
  for (const contact of contacts) {
    const name = contact.bodies.map((body) => (body < 0 ? "world" : bodies[body]?.name ?? "")).join(" / ");
    const size = typeof contact.impulse === "number" ? contact.impulse : Math.hypot(...contact.impulse);
    add(name, () => "N s", contact.t, size);
  }
  // Times are their own: a number that no recorded column has.
  let timeIndex = columns.reduce((most, c) => Math.max(most, c.timeIndex), 0);
  return [...blows].map(([name, { unit, t, y }]) => new Column(`impulse.${name}`, unit, "impulses", ++timeIndex, Float64Array.from(t), Float64Array.from(y)));
}
