// window.pintleReport: what tests and scripts can ask and do.
import type { Report } from "./main";
import { kOverlays, type Overlay } from "./stage/overlays";
import type { Sheet } from "./ui/picture";

export interface ReportApi {
  readonly ready: boolean;
  /** [ms] from the start of the script to the first whole picture. */
  readonly openedIn: number;
  readonly webgl: boolean;
  readonly start: number;
  readonly end: number;
  readonly bodies: string[];
  readonly columns: string[];
  readonly overlays: readonly string[];
  time(): number;
  setTime(time: number): void;
  play(on: boolean): void;
  playing(): boolean;
  setSpeed(speed: number): void;
  framesPerSecond(): number;
  drawCalls(): number;
  triangles(): number;
  overlay(name: string): boolean;
  setOverlay(name: string, on: boolean): void;
  select(body: string | number): void;
  selected(): string | null;
  /** [CSS px] on the page. */
  bodyOnScreen(body: string | number): { x: number; y: number; visible: boolean } | null;
  /** The body that a click there would choose. */
  bodyAt(x: number, y: number): string | null;
  plotValue(column: string, time: number): number;
  showTab(tab: "bodies" | "plots" | "checks"): void;
  showGroup(group: string): void;
  setTheme(theme: "light" | "dark"): void;
  fit(): void;
  /** The next picture is drawn even when nothing has changed. */
  invalidate(): void;
  /** Draws `count` whole pictures spread over the run, and says how long they took until they were there [ms]. */
  drawMany(count: number): number;
  /** Of a page that is `bare`. */
  readonly sheet: Sheet | null;
}

declare global {
  interface Window {
    pintleReport?: ReportApi;
  }
}

export function expose(report: Report, opened: number): void {
  const { viewport, player, data } = report;
  const stage = viewport.stage;
  let openedIn = NaN;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    openedIn = performance.now() - opened;
  }));
  const bodyOf = (body: string | number) => (typeof body === "number" ? body : data.scene.bodies.findIndex((b) => b.name === body));
  const place = { x: 0, y: 0, visible: false };
  const api: ReportApi = {
    get ready() {
      return !Number.isNaN(openedIn);
    },
    get openedIn() {
      return openedIn;
    },
    webgl: stage !== null, start: player.start, end: player.end,
    bodies: data.scene.bodies.map((b) => b.name), columns: report.columns.map((c) => c.name), overlays: kOverlays,
    time: () => player.time,
    setTime: (time) => {
      player.play(false);
      player.setTime(time);
      viewport.drawNow();
    },
    play: (on) => player.play(on),
    playing: () => player.playing,
    setSpeed: (speed) => player.setSpeed(speed),
    framesPerSecond: () => viewport.fps,
    drawCalls: () => stage?.drawCalls ?? 0,
    triangles: () => stage?.triangles ?? 0,
    overlay: (name) => viewport.shown[name as Overlay],
    setOverlay: (name, on) => {
      if (!kOverlays.includes(name as Overlay)) throw new Error(`there is no overlay ${name}`);
      viewport.shown[name as Overlay] = on;
      viewport.menu.update();
      viewport.invalidate();
    },
    select: (body) => report.select(bodyOf(body)),
    selected: () => data.scene.bodies[report.selected]?.name ?? null,
    bodyOnScreen: (body) => {
      const i = bodyOf(body);
      if (!stage || i < 0) return null;
      stage.project(i, place);
      const box = stage.canvas.getBoundingClientRect();
      return { x: box.left + place.x, y: box.top + place.y, visible: place.visible };
    },
    bodyAt: (x, y) => {
      if (!stage) return null;
      const box = stage.canvas.getBoundingClientRect();
      return data.scene.bodies[stage.pick(x - box.left, y - box.top)]?.name ?? null;
    },
    plotValue: (column, time) => report.columns.find((c) => c.name === column)?.at(time) ?? NaN,
    showTab: (tab) => report.show(tab),
    showGroup: (group) => report.plots.show(group),
    setTheme: (theme) => report.theme.choose(theme),
    fit: () => viewport.fit(),
    invalidate: () => viewport.invalidate(),
    drawMany: (count) => {
      const before = performance.now();
      for (let i = 0; i < count; ++i) {
        player.time = player.start + ((player.end - player.start) * i) / count;
        viewport.draw();
      }
      stage?.wait();
      return performance.now() - before;
    },
    get sheet() {
      return report.sheet;
    },
  };
  window.pintleReport = api;
}
