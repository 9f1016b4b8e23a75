// The plots: groups of columns to choose from, a panel for each unit, files to save.
import { align, csvTable, groupTitle, groupsOf, panelsOf, shortName, type Column } from "../data/columns";
import { download, el, fileName, icon } from "./dom";
import { pngOf, svgOf } from "./plot_file";
import { kDashes, logarithmic, TimePlot, type PlotFamily, type PlotLine, type PlotSpec } from "./time_plot";
import { kLineColours } from "../stage/palette";

const kMostLines = 12;  // that are on at first
const kColours = kLineColours.light.length;

/** Groups in which a value far below the largest of its panel is what rounding left. */
const kOfOneScale = new Set(["coordinates", "speeds", "accelerations", "efforts", "energies", "work", "momentum"]);
const kRounding = 1e-12;

/** What of a panel's values is noise: the texts show it as zero. */
export function noiseOf(columns: readonly Column[]): number {
  if (!columns.every((c) => kOfOneScale.has(c.group))) return 0;
  return kRounding * columns.reduce((most, c) => Math.max(most, Math.abs(c.lowest ?? 0), Math.abs(c.highest ?? 0)), 0);
}

export function specOf(columns: readonly Column[], unit: string, marks: readonly number[]): PlotSpec {
  const { t, y } = align(columns);
  let on = 0, shown = 0;
  const allZero = columns.every((c) => c.alwaysZero), noise = noiseOf(columns);
  const told = <T extends number | null>(x: T) => (x !== null && Math.abs(x) < noise ? 0 : x);
  const lines = columns.map((column, k): PlotLine => {
    const visible = (allZero || !column.alwaysZero) && on < kMostLines;
    if (visible) ++on;
    const number = column.alwaysZero && !allZero ? k : shown++;
    const dash = kDashes[Math.floor(number / kColours) % kDashes.length];
    const stems = column.group === "impulses";
    return {
      name: shortName(column), colour: number % kColours, ...(dash ? { dash } : {}), y: y[k], on: visible, lowest: told(column.lowest), highest: told(column.highest),
      value: stems ? (time) => told(column.last(time)) : (time) => told(column.at(time)), ...(stems ? { stems } : {}),
    };
  });
  return { unit, t, lines, height: 0, marks };
}

/** The same over the whole run, also where single values leave its ends out. */
export function overAll(spec: PlotSpec, start: number, end: number): PlotSpec {
  return { ...spec, t: [start, ...spec.t, end], lines: spec.lines.map((line) => ({ ...line, y: [undefined, ...line.y, undefined] })) };
}

export class PlotsPanel {
  readonly root: HTMLElement;
  private readonly body = el("div", { class: "plots" });
  private readonly tabs = new Map<string, HTMLButtonElement>();
  private plots: TimePlot[] = [];
  private panels: Column[][] = [];
  group = "";

  constructor(private readonly columns: readonly Column[], private readonly family: PlotFamily, private readonly marks: readonly number[], private readonly sceneName: string) {
    const chips = el("div", { class: "chips", role: "tablist", "aria-label": "Groups of columns" });
    const groups = groupsOf(columns);
    for (const group of groups) {
      const chip = el("button", { type: "button", class: "chip", role: "tab", "aria-selected": "false", click: () => this.show(group) }, groupTitle(group));
      chip.addEventListener("keydown", (event) => this.walk(event, groups, group));
      this.tabs.set(group, chip);
      chips.append(chip);
    }
    const save = el("div", { class: "save", role: "group", "aria-label": "Save this group" }, icon("save"),
      ...(["svg", "png", "csv"] as const).map((kind) =>
        el("button", { type: "button", class: "text-button", title: `Save these plots as ${kind.toUpperCase()}`, click: () => void this.save(kind) }, kind.toUpperCase())));
    const hint = el("p", { class: "hint" }, "Click: time. Drag: zoom. Double click: all.");
    this.root = el("section", { class: "plots-panel", "aria-label": "Plots" }, chips, this.body, el("div", { class: "plots-foot" }, hint, save));
    if (groups.length > 0) this.show(groups[0]);
    else this.body.append(el("p", { class: "empty" }, "This run recorded no columns."));
  }

  private walk(event: KeyboardEvent, groups: readonly string[], group: string): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = groups[(groups.indexOf(group) + step + groups.length) % groups.length];
    this.show(next);
    this.tabs.get(next)!.focus();
  }

  show(group: string): void {
    this.group = group;
    for (const plot of this.plots) plot.destroy();
    for (const [name, chip] of this.tabs) {
      chip.setAttribute("aria-selected", String(name === group));
      chip.tabIndex = name === group ? 0 : -1;
    }
    const panels = panelsOf(this.columns, group);
    this.panels = panels.map((panel) => panel.columns);
    this.plots = panels.map((panel) => {
      const spec = specOf(panel.columns, panel.unit, this.marks);
      spec.label = group === "certificate" ? "Relative residual" : groupTitle(group);
      spec.height = innerWidth <= 760 ? 168 : panels.length === 1 ? 300 : panels.length === 2 ? 200 : 160;
      const positive = group === "certificate" && panel.columns.some((c) => c.y.some((y) => y > 0));
      const { start, end } = this.family.player;
      return new TimePlot(this.family, positive ? logarithmic(spec) : group === "impulses" ? overAll(spec, start, end) : spec);
    });
    this.body.replaceChildren(...this.plots.map((plot) => plot.root));
    this.body.scrollTop = 0;
  }

  async save(kind: "svg" | "png" | "csv"): Promise<void> {
    const name = fileName(`${this.sceneName}-${this.group}.${kind}`);
    if (kind === "csv") {
      download(name, new Blob([csvTable(this.panels.flat())], { type: "text/csv" }));
      return;
    }
    if (this.plots.length === 0) return;
    const source = svgOf(groupTitle(this.group), this.sceneName, this.plots.map((plot) => plot.spec), this.plots[0].range(), this.family.theme);
    download(name, kind === "svg" ? new Blob([source], { type: "image/svg+xml" }) : await pngOf(source));
  }
}
