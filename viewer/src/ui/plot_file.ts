// Plots as files: SVG drawn anew (with the look of the command line's plots), PNG from it, CSV.
import { unitText } from "../data/number_text";
import type { Theme } from "../stage/palette";
import { svg } from "./dom";
import { kInks } from "./theme";
import { axisTexts, lineColour, yRange, type PlotSpec } from "./time_plot";

const kWidth = 960, kLeft = 84, kRight = 26, kTop = 60, kPanel = 220, kGap = 58, kBottom = 46;
const kFont = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/** Steps of 1, 2 or 5 times a power of ten, about `count` of them. */
export function roundTicks(low: number, high: number, count: number): number[] {
  const raw = (high - low) / count;
  if (!(raw > 0) || !Number.isFinite(raw)) return [low];
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  const m = raw / power;
  const step = (m > 5 ? 10 : m > 2 ? 5 : m > 1 ? 2 : 1) * power;
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step && ticks.length < 50; ++i) ticks.push(i * step);
  return ticks;
}

interface Frame {
  x: (t: number) => number;
  y: (value: number) => number;
}

function text(content: string, attributes: Record<string, string | number>): SVGTextElement {
  return svg("text", { "font-family": kFont, "font-size": 12, ...attributes }, content);
}

/** One line as an SVG path within a range of time; gaps where there is no number. */
export function pathOf(t: readonly number[], y: readonly (number | null | undefined)[], range: readonly [number, number], frame: Frame): string {
  let path = "", pen = false;
  for (let i = 0; i < t.length; ++i) {
    const value = y[i];
    if (value === undefined) continue;
    if (value === null || t[i] < range[0] || t[i] > range[1]) {
      pen = false;
      continue;
    }
    path += `${pen ? "L" : "M"}${frame.x(t[i]).toFixed(1)} ${frame.y(value).toFixed(1)}`;
    pen = true;
  }
  return path;
}

function valueRange(spec: PlotSpec, range: readonly [number, number]): [number, number] {
  let low = Infinity, high = -Infinity;
  for (const line of spec.lines) {
    if (!line.on) continue;
    line.y.forEach((value, i) => {
      if (value === null || value === undefined || spec.t[i] < range[0] || spec.t[i] > range[1]) return;
      low = Math.min(low, value);
      high = Math.max(high, value);
    });
  }
  return yRange(low, high);
}

export function svgOf(title: string, subtitle: string, specs: readonly PlotSpec[], range: readonly [number, number], theme: Theme): string {
  const ink = kInks[theme];
  const height = kTop + specs.length * (kPanel + kGap) - kGap + kBottom;
  const root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", width: kWidth, height, viewBox: `0 0 ${kWidth} ${height}` },
    svg("rect", { width: kWidth, height, fill: ink.paper }),
    text(title, { x: kLeft, y: 26, fill: ink.text, "font-size": 17, "font-weight": 600 }),
    text(subtitle, { x: kWidth - kRight, y: 26, fill: ink.quiet, "text-anchor": "end" }));
  specs.forEach((spec, k) => root.append(panel(spec, range, theme, kTop + k * (kPanel + kGap), k === specs.length - 1)));
  return new XMLSerializer().serializeToString(root);
}

function panel(spec: PlotSpec, range: readonly [number, number], theme: Theme, top: number, last: boolean): SVGGElement {
  const ink = kInks[theme];
  const [low, high] = valueRange(spec, range);
  const width = kWidth - kLeft - kRight;
  const span = range[1] - range[0] || 1;
  const frame: Frame = { x: (t) => kLeft + ((t - range[0]) / span) * width, y: (value) => top + kPanel - ((value - low) / (high - low)) * kPanel };
  const group = svg("g");
  const unit = unitText(spec.unit);
  group.append(text(spec.label ?? (unit ? `[${unit}]` : ""), { x: kLeft - 8, y: top - 10, fill: ink.quiet, "text-anchor": "end" }));
  const rows = roundTicks(low, high, 5), columns = roundTicks(range[0], range[1], 10);
  axisTexts(rows).forEach((label, i) => {
    const y = frame.y(rows[i]);
    group.append(svg("line", { x1: kLeft, x2: kWidth - kRight, y1: y, y2: y, stroke: rows[i] === 0 ? ink.zero : ink.grid }));
    group.append(text(label, { x: kLeft - 8, y: y + 4, fill: ink.quiet, "text-anchor": "end" }));
  });
  const bottom = top + kPanel;
  axisTexts(columns).forEach((label, i) => {
    const x = frame.x(columns[i]);
    group.append(svg("line", { x1: x, x2: x, y1: top, y2: bottom, stroke: ink.grid }));
    if (last) group.append(text(label, { x, y: bottom + 18, fill: ink.quiet, "text-anchor": "middle" }));
  });
  if (last) group.append(text("t [s]", { x: kWidth - kRight, y: bottom + 36, fill: ink.quiet, "text-anchor": "end" }));
  for (const time of spec.marks)
    if (time >= range[0] && time <= range[1])
      group.append(svg("line", { x1: frame.x(time), x2: frame.x(time), y1: top, y2: bottom, stroke: ink.mark, "stroke-dasharray": "3 3" }));
  let x = kLeft;
  for (const line of spec.lines) {
    if (!line.on) continue;
    const colour = lineColour(theme, line.colour), dash = line.dash ? { "stroke-dasharray": line.dash.join(" ") } : {};
    group.append(svg("path", { d: pathOf(spec.t, line.y, range, frame), fill: "none", stroke: colour, "stroke-width": 1.9, "stroke-linejoin": "round", ...dash }));
    const wide = 34 + 7 * line.name.length;
    if (x + wide > kWidth - kRight) continue;
    group.append(svg("line", { x1: x, x2: x + 18, y1: top - 14, y2: top - 14, stroke: colour, "stroke-width": 3, ...dash }));
    group.append(text(line.name, { x: x + 24, y: top - 10, fill: ink.text }));
    x += wide;
  }
  return group;
}

/** The picture at twice its size. */
export async function pngOf(source: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    await new Promise<void>((resolve, reject) => {
      image.onload = () => resolve();
      image.onerror = () => reject(new Error("the plot could not be drawn"));
      image.src = url;
    });
    const canvas = document.createElement("canvas");
    canvas.width = 2 * image.naturalWidth;
    canvas.height = 2 * image.naturalHeight;
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}
