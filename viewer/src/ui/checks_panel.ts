// The checks that the run is right: energy balances, certificate, how it was computed and how to repeat it.
import type { Column } from "../data/columns";
import type { ReportData, RunEvent } from "../data/contract";
import { energyStack, workStack, type Layer } from "../data/energy_balance";
import { lastAtOrBefore } from "../data/search";
import { outcomeOf } from "../data/outcome";
import { countText, durationText, numberText, quantityText } from "../data/number_text";
import { el, icon, iconButton } from "./dom";
import type { Player } from "./player";
import { specOf } from "./plots_panel";
import { logarithmic, TimePlot, type PlotFamily, type PlotLine, type PlotSpec } from "./time_plot";

const kMostEvents = 200;

const kKindOf = { ok: "good", warning: "early", failed: "bad" } as const;
const kIconOf = { ok: "check", warning: "warning", failed: "cross" } as const;

type Row = [string, string | null | undefined];

/** Name and value in two columns; rows without a value are left out. */
function table(rows: Row[]): HTMLElement {
  const list = el("dl", { class: "facts" });
  for (const [name, value] of rows) {
    if (value === null || value === undefined || value === "") continue;
    list.append(el("dt", {}, name), el("dd", {}, value));
  }
  return list;
}

function section(title: string, ...content: (Node | string | null | undefined)[]): HTMLElement {
  return el("section", { class: "checks-section" }, el("h3", {}, title), ...content);
}

function finite(x: number | null | undefined): x is number {
  return x !== null && x !== undefined && Number.isFinite(x);
}

export class ChecksPanel {
  readonly root: HTMLElement;
  private built = false;

  constructor(private readonly data: ReportData, private readonly columns: readonly Column[], private readonly family: PlotFamily, private readonly player: Player, private readonly marks: readonly number[]) {
    this.root = el("section", { class: "checks-panel", "aria-label": "Checks" });
  }

  /** Plots are made when the panel is first seen. */
  show(): void {
    if (this.built) return;
    this.built = true;
    const parts = [this.verdict(), this.repeat(), this.energy(), this.accounts(), this.certificate(), this.contacts(), this.momentum(), this.integrator(), this.identity(), this.events()];
    this.root.append(...parts.filter((part): part is HTMLElement => part !== null));
  }

  private verdict(): HTMLElement {
    const run = this.data.run, outcome = outcomeOf(run), verdict = run.checks?.verdict;
    const said = run.ok === false || !verdict ? "" : { ok: " All checks are within their limits.", warning: " Some checks are above their first limit.", failed: " Its checks failed." }[verdict];
    const text = run.text ?? (run.outcome === "reached" || run.outcome === undefined ? `The run reached t = ${durationText(run.time ?? this.player.end)}.` : `${run.outcome} at t = ${durationText(run.time)}.`);
    const planned = run.settings?.duration !== null && run.settings?.duration !== undefined ? (run.settings.t0 ?? 0) + run.settings.duration : null;
    const missing = outcome.note !== "" && planned !== null ? el("p", { class: "note" }, `${outcome.note} It was to go to t = ${durationText(planned)}; what follows is of the part that was computed.`) : null;
    return el("section", { class: "checks-section verdict" },
      el("p", { class: `outcome ${outcome.kind}` }, icon(outcome.icon), said === "" ? text : text.replace(/\.?$/, ".") + said), missing, this.checks(), this.thinning());
  }

  /** Every check with its value and limits, failures first. */
  private checks(): HTMLElement | null {
    const checks = this.data.run.checks?.list ?? [];
    if (checks.length === 0) return null;
    const list = el("ul", { class: "checks", "aria-label": "Checks" });
    for (const verdict of ["failed", "warning", "ok"] as const)
      for (const check of checks.filter((each) => each.verdict === verdict))
        list.append(el("li", { class: `check ${kKindOf[verdict]}` }, icon(kIconOf[verdict]), el("span", { class: "check-name" }, check.name.replace(/-/g, " ")),
          el("span", { class: "check-text" }, check.text), el("span", { class: "check-limits" }, `warning above ${numberText(check.warning_limit, 1)}, failed above ${numberText(check.limit, 1)}`)));
    return list;
  }

  private thinning(): HTMLElement {
    const { total, drawn, thinned } = this.data.rows;
    const files = this.data.run.files ?? ["run.csv", "run.npz"];
    const kept = files.filter((name) => /run\.(csv|npz)$/.test(name));
    const where = kept.length > 0 ? `; all of them are in ${kept.join(" and ")}` : "";
    return el("p", { class: "note" }, thinned ? `Thinned for drawing: ${countText(drawn)} of ${countText(total)} rows are drawn${where}. Lowest and highest values are those of all rows.` : `${countText(total)} rows, all of them drawn.`);
  }

  private repeat(): HTMLElement | null {
    const command = this.data.command;
    if (!command) return null;
    const code = el("code", { tabindex: 0 }, command);
    const button = iconButton("copy", "Copy the command", () => {
      void copyText(command, code).then((done) => {
        button.classList.toggle("done", done);
        button.setAttribute("aria-label", done ? "Copied" : "Selected: press Ctrl+C");
        setTimeout(() => button.classList.remove("done"), 1500);
      });
    });
    return section("Repeat this run", el("div", { class: "command" }, code, button));
  }

  private plot(spec: PlotSpec): HTMLElement {
    return new TimePlot(this.family, spec).root;
  }

  private layerLines(layers: readonly Layer[], colours: readonly number[]): PlotLine[] {
    return layers.map((layer, k) => ({ name: layer.name, colour: colours[k % colours.length], y: layer.top, layer: layer.low, on: true, value: (time) => layer.value.at(time) }));
  }

  private energy(): HTMLElement | null {
    const stack = energyStack(this.columns);
    if (!stack) return null;
    const colourOf: Record<string, number> = { kinetic: 0, gravity: 2, springs: 4, stored: 3 };
    const lines = this.layerLines(stack.layers, stack.layers.map((layer) => colourOf[layer.name]));
    lines.push({ name: "start + all work", colour: "text", dash: [6, 4], y: stack.paid, on: true, value: (time) => at(stack.t, stack.paid, time) });
    const lifted = stack.lifted.length > 0 ? ` (${stack.lifted.join(" and ")} from the lowest value on)` : "";
    const thinned = stack.rowsPerPoint > 1 ? ` Each point is the mean of ${countText(stack.rowsPerPoint)} rows.` : "";
    const note = `Layers show what is stored${lifted}; the dashed line is what was there at the start and what work has added since. They meet when nothing is lost.${thinned}`;
    const parts: (Node | null)[] = [el("p", { class: "note" }, note), this.plot({ unit: "J", label: "Energy", t: stack.t, lines, height: 200, marks: this.marks })];
    const rest = this.columns.find((c) => c.name === "energy.residual");
    if (rest) {
      const spec = specOf([rest], "J", this.marks);
      spec.label = "Residual";
      spec.height = 110;
      spec.lines[0].name = "energy − start − work";
      spec.lines[0].colour = 1;
      parts.push(this.plot(spec));
    }
    return section("Energy balance", ...parts);
  }

  private accounts(): HTMLElement | null {
    const accounts = this.data.run.energy_balance?.accounts ?? [];
    if (accounts.length === 0) return null;
    const most = accounts.reduce((m, a) => Math.max(m, Math.abs(a.work ?? 0)), 0);
    const list = el("table", { class: "accounts" }, el("thead", {}, el("tr", {}, el("th", {}, "account"), el("th", {}, "kind"), el("th", { class: "number" }, "work [J]"), el("th", {}, ""))));
    const body = el("tbody");
    for (const account of accounts) {
      const work = account.work ?? 0, share = most > 0 ? (50 * Math.abs(work)) / most : 0;
      const bar = el("span", { class: work < 0 ? "bar out" : "bar in" });
      bar.style.width = `${share}%`;
      const clipped = account.clipped ? ` (limits kept back ${numberText(account.clipped, 3)})` : "";
      body.append(el("tr", {}, el("td", {}, account.name), el("td", { class: "quiet" }, account.kind), el("td", { class: "number" }, numberText(account.work, 4), clipped), el("td", { class: "bar-cell" }, el("span", { class: "bars" }, bar))));
    }
    list.append(body);
    const stack = workStack(this.columns);
    const plot = stack ? this.plot({ unit: "J", label: "Work so far", t: stack.t, lines: this.layerLines(stack.layers, [1, 4, 3, 6, 5, 0, 2, 7]), height: 170, marks: this.marks }) : null;
    return section("Work accounts", plot, el("div", { class: "scroll-x" }, list));
  }

  private certificate(): HTMLElement | null {
    const c = this.data.run.certificate;
    const column = this.columns.find((x) => x.name === "certificate");
    if (!c && !column) return null;
    const parts: (Node | null)[] = [el("p", { class: "note" }, "A second implementation checks each row: do forces, efforts and powers balance for the motion that was computed?")];
    if (column && column.y.some((y) => y > 0)) {
      const spec = specOf([column], "1", this.marks);
      spec.label = "Relative residual";
      spec.height = 130;
      parts.push(this.plot(logarithmic(spec)));
    }
    const limit = this.data.run.settings?.certificate_limit;
    if (c) parts.push(table([
      ["Worst row", `${numberText(c.worst, 3)} at t = ${durationText(c.time)}`],
      ["Limit", limit === null || limit === undefined ? "none" : numberText(limit, 3)],
      ["Newton and Euler of every body", `${numberText(c.force_balance_relative, 3)} (${quantityText(c.force_balance_newton, "N", 3)})` + (c.worst_body ? `, worst: ${c.worst_body}` : "")],
      ["Equation of every degree of freedom", `${numberText(c.joint_balance_relative, 3)} (${numberText(c.joint_balance_effort, 3)})` + (c.worst_joint ? `, worst: ${c.worst_joint}` : "")],
      ["Power", `${numberText(c.power_balance_relative, 3)} (${quantityText(c.power_balance_watt, "W", 3)})`],
    ]));
    return section("Certificate", ...parts);
  }

  private contacts(): HTMLElement | null {
    const c = this.data.run.certificate?.contact;
    if (!c) return null;
    const parts: (Node | null)[] = [el("p", { class: "note" }, "Do the forces and blows between bodies obey the laws of contact? Checked in each row and at each impact by other ways than they were found.")];
    const column = this.columns.find((x) => x.name === "certificate.contact");
    if (column && column.y.some((y) => y > 0)) {
      const spec = specOf([column], "1", this.marks);
      spec.label = "Relative residual";
      spec.height = 130;
      parts.push(this.plot(logarithmic(spec)));
    }
    const where = c.bodies ? `, ${c.at_impact ? "impact" : "contact"} of ${c.bodies.join(" and ")}` : "";
    parts.push(table([
      ["Worst", `${numberText(c.worst, 3)}${finite(c.time) ? ` at t = ${durationText(c.time)}` : ""}${where}`],
      ["Impulse = change of momentum", numberText(c.momentum, 3)],
      ["Work of impulses = change of energy", numberText(c.energy, 3)],
      ["No pull, no gap, no closing in", numberText(c.complementarity, 3)],
      ["Friction within its cone", numberText(c.cone, 3)],
      ["Friction against the slip", numberText(c.dissipation, 3)],
      ["Restitution as its law says", numberText(c.restitution, 3)],
      ["Impacts that gain energy", c.impacts_that_gain_energy ? countText(c.impacts_that_gain_energy) : "none"],
    ]));
    return section("Contact certificate", ...parts);
  }

  private momentum(): HTMLElement | null {
    const m = this.data.run.energy_balance?.momentum;
    if (!m) return null;
    const triple = (x: readonly (number | null)[]) => x.map((v) => numberText(v, 3)).join(", ");
    const row = (name: string, unit: string, entry: typeof m.linear) =>
      el("tr", {}, el("td", {}, `${name} [${unit}]`), el("td", { class: "number" }, triple(entry.start)), el("td", { class: "number" }, triple(entry.end)), el("td", { class: "number" }, numberText(entry.residual, 2)));
    const list = el("table", { class: "accounts" }, el("thead", {}, el("tr", {}, el("th", {}, "momentum"), el("th", { class: "number" }, "start"), el("th", { class: "number" }, "end"), el("th", { class: "number" }, "residual"))),
      el("tbody", {}, row("linear", "N s", m.linear), row("angular", "N m s", m.angular)));
    const rests = this.columns.filter((c) => c.name.startsWith("momentum.residual."));
    const plots = rests.map((column) => {
      const spec = specOf([column], column.unit, this.marks);
      spec.label = column.name.endsWith(".p") ? "Linear residual" : "Angular residual";
      spec.height = 110;
      return this.plot(spec);
    });
    return section("Momentum balance", el("p", { class: "note" }, "About the world's origin, in world axes."), el("div", { class: "scroll-x" }, list), ...plots);
  }

  private integrator(): HTMLElement {
    const run = this.data.run, s = run.settings ?? {};
    const tolerances = s.fixed_step || !s.tolerances ? null : `relative ${numberText(s.tolerances.relative, 2)}, absolute ${numberText(s.tolerances.absolute, 2)}`;
    const step = s.fixed_step ? durationText(run.step_length ?? s.step) : `by error control${s.step ? `, first ${durationText(s.step)}` : ""}`;
    return section("Integrator", table([
      ["Method", s.method], ["Step", step], ["Tolerances", tolerances],
      ["Steps", run.steps === undefined ? null : countText(run.steps) + (run.rejected ? `, ${countText(run.rejected)} done again` : "")],
      ["Time", `${durationText(s.t0 ?? this.player.start)} … ${durationText(run.time ?? this.player.end)}`],
      ["Computed in", run.wall_time === null || run.wall_time === undefined ? null : durationText(run.wall_time, 3)],
      ["Resumed at", run.resumed_at === null || run.resumed_at === undefined ? null : durationText(run.resumed_at)],
    ]));
  }

  private identity(): HTMLElement {
    const run = this.data.run, p = run.pintle ?? {}, scene = run.scene ?? {};
    return section("Identity", table([
      ["State hash", run.state_hash], ["Scene hash", scene.hash], ["Scene", scene.name ?? this.data.scene.name], ["Settings besides", (scene.overrides ?? []).join(", ")],
      ["Size", scene.bodies === undefined ? null : `${countText(scene.bodies)} bodies, ${countText(scene.joints)} joints, ${countText(scene.nv)} freedoms`],
      ["Seed", run.seed === null || run.seed === undefined ? null : String(run.seed)],
      ["Pintle", p.version], ["Compiler", p.compiler], ["Instruction set", p.isa], ["Bit family", p.bit_family],
      ["Files", (run.files ?? []).join(", ")],
    ]), el("p", { class: "note" }, "Two runs are the same when their state hashes are; runs repeat to the bit within a bit family."));
  }

  private events(): HTMLElement | null {
    const events = this.data.events;
    if (events.length === 0) return null;
    const list = el("ol", { class: "events" });
    for (const event of events.slice(0, kMostEvents))
      list.append(el("li", {}, el("button", { type: "button", class: "event", title: "Go to this time", click: () => {
        this.player.play(false);
        this.player.setTime(event.time);
      } }, el("span", { class: "event-time" }, durationText(event.time, 6)), el("span", { class: "event-kind" }, event.kind), el("span", {}, event.name), el("span", { class: "quiet" }, eventNumbers(event)))));
    const more = events.length - kMostEvents + (this.data.run.events_left_out ?? 0);
    return section(`Events (${countText(events.length)})`, list, more > 0 ? el("p", { class: "note" }, `${countText(more)} more are not listed.`) : null);
  }
}

export function eventNumbers(event: RunEvent): string {
  return Object.entries(event)
    .filter(([key, value]) => !["time", "kind", "name"].includes(key) && typeof value === "number")
    .map(([key, value]) => `${key.replace(/_/g, " ")} ${numberText(value as number, 3)}`)
    .join(", ");
}

function at(t: readonly number[], y: readonly (number | null)[], time: number): number {
  const i = lastAtOrBefore(t, time), j = Math.min(i + 1, t.length - 1);
  const from = y[i] ?? NaN, to = y[j] ?? NaN;
  return t[j] === t[i] ? from : from + ((time - t[i]) / (t[j] - t[i])) * (to - from);
}

/** Pages from the disk may not always write to the clipboard; then the text is selected for the reader to copy. */
async function copyText(text: string, shown: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection()?.selectAllChildren(shown);
    return document.execCommand("copy");
  }
}
