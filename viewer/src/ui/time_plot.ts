// A plot of lines over time with its legend, joined with the player: a click or the grip moves the time, zoom is shared.
import uPlot from "uplot";
import { numberText, unitText } from "../data/number_text";
import { axisTexts, decadeRange, decadeTexts, decadeTicks, roundTicks, yRange } from "./axis";
import { kLineColours, type Theme } from "../stage/palette";
import { el, setText } from "./dom";
import type { Player } from "./player";
import { kInks } from "./theme";

export interface PlotLine {
  name: string;
  /** Of the palette of lines; "text" for the colour of text. */
  colour: number | "text";
  dash?: number[];
  y: (number | null | undefined)[];
  on: boolean;
  /** What the legend shows at a time. */
  value: (time: number) => number;
  /** Of the whole run, if the legend shall tell. */
  lowest?: number | null;
  highest?: number | null;
  /** Single values, each drawn as a stem from zero. */
  stems?: boolean;
  /** The line is the edge of a layer; this is its other edge. */
  layer?: number[];
}

export interface PlotSpec {
  unit: string;
  /** Named on the axis instead of the unit alone. */
  label?: string;
  t: number[];
  lines: PlotLine[];
  height: number;
  /** y are exponents of ten. */
  log?: boolean;
  marks: readonly number[];
}

const kFont = '11px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const kMostLongMarks = 12;
export const kDashes: (number[] | undefined)[] = [undefined, [8, 4.5], [1.5, 4.5]];

export function lineColour(theme: Theme, colour: number | "text"): string {
  const colours = kLineColours[theme];
  return colour === "text" ? kInks[theme].text : colours[colour % colours.length];
}

/** First and last index of each stretch of numbers without a gap. */
export function runsOf(y: readonly (number | null | undefined)[]): [number, number][] {
  const runs: [number, number][] = [];
  let first = -1;
  for (let i = 0; i <= y.length; ++i) {
    const known = i < y.length && y[i] !== null && y[i] !== undefined;
    if (known && first < 0) first = i;
    if (!known && first >= 0) {
      runs.push([first, i - 1]);
      first = -1;
    }
  }
  return runs;
}

/** The spec with a logarithmic axis; what is not positive is a gap. */
export function logarithmic(spec: PlotSpec): PlotSpec {
  const exponents = (line: PlotLine): PlotLine => ({ ...line, y: line.y.map((y) => (y === undefined ? undefined : y !== null && y > 0 ? Math.log10(y) : null)) });
  return { ...spec, log: true, lines: spec.lines.map(exponents) };
}

/** Plots that share their zoom. */
export class PlotFamily {
  readonly plots = new Set<TimePlot>();
  theme: Theme;
  range: [number, number] | null = null;
  private busy = false;

  constructor(readonly player: Player, theme: Theme) {
    this.theme = theme;
  }

  zoom(range: [number, number] | null): void {
    if (this.busy) return;
    this.busy = true;
    this.range = range;
    for (const plot of this.plots) plot.showRange(range);
    this.busy = false;
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    for (const plot of this.plots) plot.redraw();
  }

  /** Moves the marks of now; values in legends too when asked. */
  showTime(values: boolean): void {
    for (const plot of this.plots) plot.showTime(values);
  }
}

export class TimePlot {
  readonly root: HTMLElement;
  readonly spec: PlotSpec;
  private readonly plot: uPlot;
  private readonly now: HTMLElement;
  private readonly values: HTMLElement[] = [];
  private readonly keys: HTMLButtonElement[] = [];
  private readonly swatches: HTMLElement[] = [];
  private readonly observer: ResizeObserver;
  private hovered = NaN;
  private lastX = NaN;

  constructor(private readonly family: PlotFamily, spec: PlotSpec) {
    this.spec = spec;
    const canvasHost = el("div", { class: "plot-canvas" });
    this.root = el("figure", { class: "plot" }, this.heading(), canvasHost, this.legend());
    this.plot = new uPlot(this.options(), [spec.t, ...spec.lines.map((line) => line.y)] as uPlot.AlignedData, canvasHost);
    this.now = el("div", { class: "now" }, el("div", { class: "now-grip", title: "Drag to move the time" }));
    this.plot.over.append(this.now);
    this.listen();
    this.observer = new ResizeObserver(() => {
      const width = Math.floor(canvasHost.clientWidth);
      if (width > 0 && width !== this.plot.width) {
        this.plot.setSize({ width, height: spec.height });
        this.lastX = NaN;
        this.showTime(true);
      }
    });
    this.observer.observe(canvasHost);
    this.paint();
    if (family.range) this.showRange(family.range);
    this.showTime(true);
    family.plots.add(this);
  }

  destroy(): void {
    this.family.plots.delete(this);
    this.observer.disconnect();
    this.plot.destroy();
    this.root.remove();
  }

  private heading(): HTMLElement {
    const unit = unitText(this.spec.unit);
    const text = this.spec.label ? (unit ? `${this.spec.label} [${unit}]` : this.spec.label) : unit ? `[${unit}]` : "plain numbers";
    return el("figcaption", { class: "plot-unit" }, text);
  }

  private legend(): HTMLElement {
    const ranged = this.spec.lines.some((line) => line.lowest !== undefined);
    const list = el("div", { class: ranged ? "legend ranged" : "legend", role: "group", "aria-label": "Lines" });
    if (ranged) list.append(el("div", { class: "legend-head", "aria-hidden": "true" }, el("span", {}, "now"), el("span", {}, "lowest"), el("span", {}, "highest")));
    this.spec.lines.forEach((line, i) => {
      const value = el("span", { class: "legend-value" });
      const swatch = el("span", { class: "swatch" });
      const range = ranged ? [line.lowest, line.highest].map((x) => el("span", { class: "legend-extreme" }, numberText(x, 4))) : [];
      const key = el("button", {
        type: "button", class: "legend-key", "aria-pressed": String(line.on), title: `${line.name}: switch on or off; double click: this one alone`,
        click: () => this.toggle(i), dblclick: () => this.solo(i),
      }, swatch, el("span", { class: "legend-name" }, line.name), value, ...range);
      this.values.push(value);
      this.keys.push(key);
      this.swatches.push(swatch);
      list.append(key);
    });
    return list;
  }

  private toggle(i: number): void {
    this.show(i, !this.spec.lines[i].on);
  }

  private solo(i: number): void {
    const alone = this.spec.lines.every((line, k) => line.on === (k === i));
    this.spec.lines.forEach((_, k) => this.show(k, alone || k === i));
  }

  show(i: number, on: boolean): void {
    this.spec.lines[i].on = on;
    this.keys[i].setAttribute("aria-pressed", String(on));
    this.plot.setSeries(i + 1, { show: on });
  }

  private options(): uPlot.Options {
    const { family, spec } = this;
    const ink = () => kInks[family.theme];
    const fromZero = spec.lines.some((line) => line.layer || line.stems);
    const axis = { stroke: () => ink().quiet, font: kFont, ticks: { show: false }, grid: { stroke: () => ink().grid, width: 1 } };
    return {
      width: 300, height: spec.height, legend: { show: false }, padding: [8, 18, 0, 0],
      scales: { x: { time: false }, y: { range: (_, low, high) => (spec.log ? decadeRange(low, high) : fromZero ? yRange(Math.min(low, 0), Math.max(high, 0)) : yRange(low, high)) } },
      axes: [
        { ...axis, size: 26, gap: 4, values: (_, ticks) => axisTexts(ticks).map((text, i) => (i === ticks.length - 1 ? `${text} s` : text)) },
        {
          ...axis, size: 54, gap: 5, space: 26, values: (_, ticks) => (spec.log ? decadeTexts(ticks) : axisTexts(ticks)),
          // uPlot's own ticks end at 1e21; it draws ours when one of its steps fits, as this one always does.
          incrs: (_, __, low, high) => [Math.max(5, high - low)],
          splits: (_, __, low, high) => (spec.log ? decadeTicks(low, high, spec.height / 30) : roundTicks(low, high, Math.max(2, spec.height / 28))),
        },
      ],
      series: [
        { label: "t" },
        ...spec.lines.map((line): uPlot.Series => ({
          label: line.name, show: line.on, scale: "y", pxAlign: 0, width: line.layer !== undefined ? 1 : 1.7,
          points: { show: line.stems === true, size: 7, fill: () => lineColour(family.theme, line.colour) },
          stroke: () => lineColour(family.theme, line.colour), ...(line.dash ? { dash: line.dash } : {}), ...(line.stems ? { paths: () => null } : {}),
        })),
      ],
      cursor: {
        x: true, y: false, drag: { x: true, y: false, setScale: true, dist: 5 },
        points: { size: 6 },
        sync: { key: "pintle", setSeries: false, filters: { pub: (type) => type === "mousemove" || type === "mouseleave" } },
      },
      hooks: {
        setCursor: [(u) => this.hover(u)],
        setScale: [(u, key) => {
          if (key === "x") this.zoomed(u);
        }],
        drawAxes: [(u) => {
          this.drawLayers(u);
          this.drawMarks(u);
          this.drawStems(u);
        }],
      },
    };
  }

  private drawLayers(u: uPlot): void {
    const { ctx, bbox } = u, { t, lines } = this.spec;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const line of lines) {
      if (!line.layer || !line.on) continue;
      ctx.fillStyle = lineColour(this.family.theme, line.colour);
      ctx.globalAlpha = 0.55;
      for (const [first, last] of runsOf(line.y)) {
        ctx.beginPath();
        for (let i = first; i <= last; ++i) ctx.lineTo(u.valToPos(t[i], "x", true), u.valToPos(line.y[i]!, "y", true));
        for (let i = last; i >= first; --i) ctx.lineTo(u.valToPos(t[i], "x", true), u.valToPos(line.layer[i], "y", true));
        ctx.closePath();
        ctx.fill();
      }
    }
    ctx.restore();
  }

  private drawStems(u: uPlot): void {
    const { ctx, bbox } = u, { t, lines } = this.spec;
    ctx.save();
    ctx.lineWidth = 1.7 * devicePixelRatio;
    const zero = u.valToPos(0, "y", true);
    for (const line of lines) {
      if (!line.stems || !line.on) continue;
      ctx.strokeStyle = lineColour(this.family.theme, line.colour);
      ctx.beginPath();
      line.y.forEach((value, i) => {
        const x = u.valToPos(t[i], "x", true);
        if (value === null || value === undefined || x < bbox.left || x > bbox.left + bbox.width) return;
        ctx.moveTo(x, zero);
        ctx.lineTo(x, u.valToPos(value, "y", true));
      });
      ctx.stroke();
    }
    ctx.restore();
  }

  private zoomed(u: uPlot): void {
    const { min, max } = u.scales.x;
    if (min === undefined || max === undefined || min === null || max === null) return;
    const t = this.spec.t, whole = t.length === 0 || (min <= t[0] && max >= t[t.length - 1]);
    this.lastX = NaN;
    this.family.zoom(whole ? null : [min, max]);
    if (this.now) this.showTime(false);
  }

  showRange(range: [number, number] | null): void {
    const { min, max } = this.plot.scales.x, t = this.spec.t;
    const [low, high] = range ?? [t[0] ?? 0, t[t.length - 1] ?? 1];
    if (min !== low || max !== high) this.plot.setScale("x", { min: low, max: high });
    this.lastX = NaN;
  }

  private hover(u: uPlot): void {
    const left = u.cursor.left ?? -1;
    const next = left >= 0 ? u.posToVal(left, "x") : NaN;
    if (Object.is(next, this.hovered)) return;
    this.hovered = next;
    if (this.now) this.showValues();
  }

  private listen(): void {
    const { over } = this.plot, player = this.family.player;
    let downX = 0;
    over.addEventListener("mousedown", (event) => (downX = event.clientX));
    over.addEventListener("click", (event) => {
      if (Math.abs(event.clientX - downX) > 4) return;
      player.play(false);
      player.setTime(this.plot.posToVal(event.clientX - over.getBoundingClientRect().left, "x"));
    });
    const grip = this.now.firstElementChild as HTMLElement;
    const drag = (event: PointerEvent) => {
      player.play(false);
      player.setTime(this.plot.posToVal(event.clientX - over.getBoundingClientRect().left, "x"));
    };
    grip.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      event.preventDefault();
      grip.setPointerCapture(event.pointerId);
      grip.addEventListener("pointermove", drag);
    });
    grip.addEventListener("pointerup", () => grip.removeEventListener("pointermove", drag));
    for (const type of ["mousedown", "click", "dblclick"]) grip.addEventListener(type, (event) => event.stopPropagation());
  }

  private drawMarks(u: uPlot): void {
    const { ctx, bbox } = u, ink = kInks[this.family.theme];
    ctx.save();
    ctx.strokeStyle = ink.mark;
    ctx.globalAlpha = 0.7;
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    const inView = this.spec.marks.map((time) => Math.round(u.valToPos(time, "x", true)) + 0.5).filter((x) => x >= bbox.left && x <= bbox.left + bbox.width);
    // Many marks would hide the lines: then they are short, at the top.
    const many = inView.length > kMostLongMarks;
    if (many) ctx.setLineDash([]);
    for (const x of inView) {
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + (many ? 6 * devicePixelRatio : bbox.height));
    }
    ctx.stroke();
    const y = u.valToPos(0, "y", true);
    if (!this.spec.log && y > bbox.top && y < bbox.top + bbox.height) {
      ctx.setLineDash([]);
      ctx.globalAlpha = 1;
      ctx.strokeStyle = ink.zero;
      ctx.beginPath();
      ctx.moveTo(bbox.left, Math.round(y) + 0.5);
      ctx.lineTo(bbox.left + bbox.width, Math.round(y) + 0.5);
      ctx.stroke();
    }
    ctx.restore();
  }

  redraw(): void {
    this.paint();
    if (this.plot.status === 1) this.plot.redraw(true, true);  // it is about to be drawn otherwise
  }

  private paint(): void {
    this.spec.lines.forEach((line, i) => {
      const colour = lineColour(this.family.theme, line.colour), swatch = this.swatches[i].style;
      if (line.dash) {
        const [on, off] = line.dash;
        swatch.background = `repeating-linear-gradient(90deg, ${colour} 0 ${on}px, transparent ${on}px ${on + off}px)`;
      } else {
        swatch.background = colour;
      }
      swatch.height = line.layer !== undefined ? "9px" : "3px";
    });
  }

  showTime(values: boolean): void {
    const x = this.plot.valToPos(this.family.player.time, "x");
    if (x !== this.lastX) {
      this.lastX = x;
      const inside = x >= -0.5 && x <= this.plot.over.clientWidth + 0.5;
      this.now.style.visibility = inside ? "visible" : "hidden";
      this.now.style.transform = `translateX(${x}px)`;
    }
    if (values && Number.isNaN(this.hovered)) this.showValues();
  }

  private showValues(): void {
    const time = Number.isNaN(this.hovered) ? this.family.player.time : this.hovered;
    this.spec.lines.forEach((line, i) => setText(this.values[i], numberText(line.value(time), 4)));
  }

  /** [s] that are in view. */
  range(): [number, number] {
    const { min, max } = this.plot.scales.x;
    return [min ?? 0, max ?? 1];
  }
}
