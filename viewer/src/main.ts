// The page of a report: reads the data of the run and puts the parts together.
import "./style.css";
import { decodeColumns, type Column } from "./data/columns";
import type { ReportData } from "./data/contract";
import { impulseColumns } from "./data/impulses";
import { outcomeOf } from "./data/outcome";
import { Replay } from "./data/replay";
import { kBodyColours } from "./stage/palette";
import { BodyTree } from "./ui/body_tree";
import { el, icon, iconButton, svg } from "./ui/dom";
import { Inspector } from "./ui/inspector";
import { Help, listenToKeys, type KeyAction } from "./ui/keys";
import { kEntries, missing } from "./ui/overlay_menu";
import { Player } from "./ui/player";
import { PlotsPanel } from "./ui/plots_panel";
import { ChecksPanel } from "./ui/checks_panel";
import { splitter } from "./ui/splitter";
import { ThemeSwitch } from "./ui/theme";
import { PlotFamily } from "./ui/time_plot";
import { Timeline } from "./ui/timeline";
import { Viewport } from "./ui/viewport";
import { drawSheet, optionsOf, type Sheet } from "./ui/picture";
import { expose } from "./report_api";

type Tab = "bodies" | "plots" | "checks";

export class Report {
  readonly replay: Replay;
  readonly columns: Column[];
  readonly player: Player;
  readonly theme = new ThemeSwitch();
  readonly viewport: Viewport;
  readonly plots: PlotsPanel;
  readonly checks: ChecksPanel;
  readonly family: PlotFamily;
  readonly root: HTMLElement;
  selected = -1;
  /** Of a page that is `bare`. */
  sheet: Sheet | null = null;
  private readonly tree: BodyTree;
  private readonly inspector: Inspector;
  private readonly timeline: Timeline;
  private readonly help: Help;
  private readonly tabs = new Map<Tab, HTMLButtonElement>();

  constructor(readonly data: ReportData) {
    this.replay = new Replay(data);
    const recorded = decodeColumns(data);
    this.columns = [...recorded, ...impulseColumns(data.events, recorded, data.contacts, data.scene.bodies)];
    this.player = new Player(this.replay.t);
    this.family = new PlotFamily(this.player, this.theme.theme);
    const marks = data.events.slice(0, 400).map((event) => event.time);
    this.viewport = new Viewport(data, this.replay, this.player, this.theme.theme);
    this.plots = new PlotsPanel(this.columns, this.family, marks, data.scene.name);
    this.checks = new ChecksPanel(data, this.columns, this.family, this.player, marks);
    this.timeline = new Timeline(this.player, data.events, data.contacts);
    const size = this.viewport.stage?.extent.size ?? 1;
    this.inspector = new Inspector(data, this.replay, size, () => this.select(-1), (body) => this.viewport.focusBody(body));
    this.tree = new BodyTree(data, (body) => this.colourOf(body), (body) => this.select(body === this.selected ? -1 : body));
    const actions = this.actions();
    this.help = new Help(actions);
    this.root = this.layout();
    document.body.replaceChildren(this.root, this.help.root);
    listenToKeys(actions, this.help);
    this.viewport.onPick = (body) => this.select(body);
    this.viewport.onFrame = (texts) => this.showTime(texts);
    this.theme.onChange((theme) => {
      this.viewport.setTheme(theme);
      this.family.setTheme(theme);
    });
    this.show(outcomeOf(data.run).kind === "good" ? "plots" : "checks");
  }

  private colourOf(body: number): string {
    return this.data.scene.bodies[body].shapes[0]?.color ?? kBodyColours[body % kBodyColours.length];
  }

  private layout(): HTMLElement {
    const { data } = this;
    const tabs = el("div", { class: "tabs", role: "tablist", "aria-label": "Panels" });
    for (const [tab, name] of [["bodies", "Bodies"], ["plots", "Plots"], ["checks", "Checks"]] as const) {
      const button = el("button", { type: "button", class: `tab tab-${tab}`, role: "tab", "aria-selected": "false", click: () => this.show(tab) }, name);
      this.tabs.set(tab, button);
      tabs.append(button);
    }
    const main = el("main", { class: "report" });
    main.append(
      el("header", { class: "top" }, logo(), el("h1", { title: data.scene.name }, data.scene.name), el("p", { class: "about", title: data.scene.about }, data.scene.about),
        this.badge(), iconButton("moon", "Light or dark (D)", () => this.theme.toggle(), { class: "icon-button theme-button" }), iconButton("help", "Keys and mouse (?)", () => this.help.toggle(true))),
      el("aside", { class: "side", "aria-label": "Bodies" }, el("h2", {}, `Bodies`, el("span", { class: "count" }, String(data.scene.bodies.length))), this.tree.root, this.inspector.root),
      this.viewport.root, splitter(main),
      el("div", { class: "panels" }, tabs, this.plots.root, this.checks.root),
      this.timeline.root);
    return main;
  }

  private badge(): HTMLElement {
    const outcome = outcomeOf(this.data.run);
    return el("button", { type: "button", class: `badge ${outcome.kind}`, title: outcome.reason || "Shows the checks", click: () => this.show("checks") }, icon(outcome.icon), outcome.badge);
  }

  show(tab: Tab): void {
    this.root.dataset.tab = tab;
    for (const [name, button] of this.tabs) button.setAttribute("aria-selected", String(name === tab));
    if (tab === "checks") this.checks.show();
  }

  select(body: number): void {
    this.selected = body;
    this.viewport.select(body);
    this.tree.select(body);
    this.inspector.select(body);
    this.root.classList.toggle("has-selection", body >= 0);
  }

  private showTime(texts: boolean): void {
    this.timeline.update(texts);
    this.family.showTime(texts);
    if (texts) this.inspector.update();
  }

  private actions(): KeyAction[] {
    const { player, viewport } = this;
    const shown = viewport.shown;
    const toggles = kEntries.filter((entry) => !missing(this.data, entry.name)).map((entry): KeyAction => ({
      keys: [entry.key.toLowerCase()], shown: entry.key, what: entry.label, group: "Show", run: () => {
        shown[entry.name] = !shown[entry.name];
        viewport.menu.update();
        viewport.invalidate();
      },
    }));
    return [
      { keys: [" "], shown: "Space", what: "play, pause", group: "Time", run: () => player.play(!player.playing) },
      { keys: ["ArrowLeft"], shown: "←", what: "one frame back", group: "Time", run: () => player.step(-1) },
      { keys: ["ArrowRight"], shown: "→", what: "one frame on", group: "Time", run: () => player.step(1) },
      { keys: ["PageUp"], shown: "PgUp", what: "20 frames back", group: "Time", run: () => player.step(-20) },
      { keys: ["PageDown"], shown: "PgDn", what: "20 frames on", group: "Time", run: () => player.step(20) },
      { keys: ["Home"], shown: "Home", what: "to the start", group: "Time", run: () => player.setTime(player.start) },
      { keys: ["End"], shown: "End", what: "to the end", group: "Time", run: () => player.setTime(player.end) },
      { keys: [",", "."], shown: ", .", what: "slower, faster", group: "Time", run: (event) => player.faster(event.key === "." ? 1 : -1) },
      { keys: ["l"], shown: "L", what: "start again at the end", group: "Time", run: () => this.timeline.toggleLoop() },
      { keys: ["Shift+ArrowLeft", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown"], shown: "Shift+arrow", what: "turn the view", group: "View", run: (event) => {
        const step = 0.12, key = event.key;
        viewport.orbit(key === "ArrowLeft" ? -step : key === "ArrowRight" ? step : 0, key === "ArrowUp" ? step : key === "ArrowDown" ? -step : 0, 1);
      } },
      { keys: ["+", "=", "-"], shown: "+ −", what: "nearer, farther", group: "View", run: (event) => viewport.orbit(0, 0, event.key === "-" ? 1.15 : 1 / 1.15) },
      { keys: ["a"], shown: "A", what: "see everything", group: "View", run: () => viewport.fit() },
      { keys: ["z"], shown: "Z", what: "look at the chosen body", group: "View", run: () => this.selected >= 0 && viewport.focusBody(this.selected) },
      { keys: ["[", "]"], shown: "[ ]", what: "body before, after", group: "View", run: (event) => this.select(this.tree.neighbour(this.selected, event.key === "]" ? 1 : -1)) },
      { keys: ["Escape"], shown: "Esc", what: "choose no body", group: "View", run: () => this.select(-1) },
      { keys: ["h"], shown: "H", what: "follow the centre of mass", group: "View", run: () => viewport.toggleFollow() },
      { keys: ["d"], shown: "D", what: "light, dark", group: "View", run: () => this.theme.toggle() },
      { keys: ["p"], shown: "P", what: "plots, checks", group: "View", run: () => this.show(this.root.dataset.tab === "checks" ? "plots" : "checks") },
      { keys: ["?"], shown: "?", what: "this list", group: "View", run: () => this.help.toggle(true) },
      ...toggles,
      { keys: ["o"], shown: "O", what: "only of the chosen body", group: "Show", run: () => {
        shown.onlySelected = !shown.onlySelected;
        viewport.menu.update();
        viewport.invalidate();
      } },
      { keys: ["v"], shown: "V", what: "the list of all these", group: "Show", run: () => viewport.menu.toggle() },
    ];
  }
}

function logo(): SVGSVGElement {
  return svg("svg", { class: "logo", viewBox: "0 0 24 24", role: "img", "aria-label": "Pintle" },
    svg("path", { class: "logo-pin", d: "M12 1.5 V22.5" }),
    svg("path", { class: "logo-thread", d: "M6 7.2 C6 4.6 18 9.2 18 6.6 M6 12.6 C6 10 18 14.6 18 12 M6 18 C6 15.4 18 20 18 17.4" }));
}

function fail(what: string): void {
  document.body.replaceChildren(el("main", { class: "broken" }, el("h1", {}, "This report cannot be shown"), el("p", {}, what)));
}

function start(): void {
  const opened = performance.now();
  let data: ReportData;
  try {
    data = JSON.parse(document.getElementById("pintle-data")?.textContent ?? "") as ReportData;
  } catch (error) {
    return fail(`Its data are damaged: ${String(error)}`);
  }
  if (data.format !== "pintle-report") return fail("It holds no run: this is the empty page that pintle fills.");
  if (data.format_version !== 1) return fail(`Its data have format version ${String(data.format_version)}; this page reads version 1.`);
  document.title = `${data.scene.name} – Pintle`;
  try {
    const report = new Report(data);
    const options = optionsOf(location.hash);
    expose(report, opened);
    if (options.theme) report.theme.choose(options.theme);
    for (const [name, on] of options.shown) report.viewport.shown[name] = on;
    report.viewport.menu.update();
    if (options.select !== undefined) report.select(data.scene.bodies.findIndex((body) => body.name === options.select));
    if (options.time !== undefined) report.player.setTime(options.time);
    else if (!options.bare && !matchMedia("(prefers-reduced-motion: reduce)").matches) report.player.play(true);
    if (options.tab) report.show(options.tab);
    if (options.bare) report.sheet = drawSheet(report, options);
    report.viewport.invalidate();
  } catch (error) {
    fail(`Its data do not fit together: ${error instanceof Error ? error.message : String(error)}`);
  }
}

start();
