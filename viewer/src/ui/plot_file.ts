// Plots as files: SVG drawn anew (with the look of the command line's plots), PNG from it, CSV.
import { unitText } from "../data/number_text";
import type { Theme } from "../stage/palette";
import { svg } from "./dom";
import { kInks } from "./theme";
import { axisTexts, decadeRange, decadeTexts, decadeTicks, roundTicks, yRange } from "./axis";
import { lineColour, type PlotLine, type PlotSpec } from "./time_plot";

const kWidth = 960, kLeft = 84, kRight = 26, kTop = 52, kPanel = 220, kGap = 26, kBottom = 50, kLegendRow = 18;
const kFont = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

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
  if (spec.log) return decadeRange(low, high);
  return spec.lines.some((line) => line.stems) ? yRange(Math.min(low, 0), Math.max(high, 0)) : yRange(low, high);
}

interface LegendItem {
  line: PlotLine;
  x: number;
  row: number;
}

/** Names of the lines that are on, row by row to the right of the unit. */
export function legendOf(spec: PlotSpec): { items: LegendItem[]; rows: number } {
  const first = kLeft + 12 + 7 * unitLabel(spec).length;
  const items: LegendItem[] = [];
  let x = first, row = 0;
  for (const line of spec.lines) {
    if (!line.on) continue;
    const wide = 40 + 7 * line.name.length;
    if (x + wide > kWidth - kRight && x > first) {
      x = first;
      ++row;
    }
    items.push({ line, x, row });
    x += wide;
  }
  return { items, rows: row + 1 };
}

function unitLabel(spec: PlotSpec): string {
  const unit = unitText(spec.unit);
  return unit ? `[${unit}]` : "";
}

export function svgOf(title: string, subtitle: string, specs: readonly PlotSpec[], range: readonly [number, number], theme: Theme): string {
  const ink = kInks[theme];
  const panels: SVGGElement[] = [];
  let top = kTop;
  specs.forEach((spec, k) => {
    const legend = legendOf(spec);
    top += kLegendRow * legend.rows;
    panels.push(panel(spec, legend.items, legend.rows, range, theme, top, k === specs.length - 1));
    top += kPanel + (k === specs.length - 1 ? kBottom : kGap);
  });
  return new XMLSerializer().serializeToString(svg("svg", { xmlns: "http://www.w3.org/2000/svg", width: kWidth, height: top, viewBox: `0 0 ${kWidth} ${top}` },
    svg("rect", { width: kWidth, height: top, fill: ink.paper }),
    text(title, { x: kLeft, y: 32, fill: ink.text, "font-size": 17, "font-weight": 600 }),
    text(subtitle, { x: kWidth - kRight, y: 32, fill: ink.quiet, "text-anchor": "end" }), ...panels));
}

function grid(spec: PlotSpec, rows: number[], columns: number[], frame: Frame, theme: Theme, top: number, last: boolean): SVGElement[] {
  const ink = kInks[theme], bottom = top + kPanel;
  const parts: SVGElement[] = [];
  axisTexts(columns).forEach((label, i) => {
    const x = frame.x(columns[i]);
    parts.push(svg("line", { x1: x, x2: x, y1: top, y2: bottom, stroke: ink.grid }));
    if (last) parts.push(text(label, { x, y: bottom + 19, fill: ink.quiet, "text-anchor": "middle" }));
  });
  (spec.log ? decadeTexts(rows) : axisTexts(rows)).forEach((label, i) => {
    const y = frame.y(rows[i]);
    parts.push(svg("line", { x1: kLeft, x2: kWidth - kRight, y1: y, y2: y, stroke: rows[i] === 0 && !spec.log ? ink.zero : ink.grid }));
    parts.push(text(label, { x: kLeft - 9, y: y + 4, fill: ink.quiet, "text-anchor": "end" }));
  });
  parts.push(svg("line", { x1: kLeft, x2: kWidth - kRight, y1: bottom, y2: bottom, stroke: ink.axis }));
  if (last) parts.push(text("time [s]", { x: 0.5 * (kLeft + kWidth - kRight), y: bottom + 39, fill: ink.quiet, "text-anchor": "middle" }));
  return parts;
}

/** Single values as stems from zero. */
function stemsOf(t: readonly number[], y: readonly (number | null | undefined)[], range: readonly [number, number], frame: Frame): string {
  let path = "";
  t.forEach((time, i) => {
    const value = y[i];
    if (value === null || value === undefined || time < range[0] || time > range[1]) return;
    path += `M${frame.x(time).toFixed(1)} ${frame.y(0).toFixed(1)}V${frame.y(value).toFixed(1)}`;
  });
  return path;
}

function panel(spec: PlotSpec, legend: readonly LegendItem[], legendRows: number, range: readonly [number, number], theme: Theme, top: number, last: boolean): SVGGElement {
  const ink = kInks[theme];
  const [low, high] = valueRange(spec, range);
  const width = kWidth - kLeft - kRight, bottom = top + kPanel;
  const span = range[1] - range[0] || 1;
  const frame: Frame = { x: (t) => kLeft + ((t - range[0]) / span) * width, y: (value) => bottom - ((Math.max(value, spec.log ? low : value) - low) / (high - low)) * kPanel };
  const rows = spec.log ? decadeTicks(low, high, 7) : roundTicks(low, high, 5);
  const group = svg("g", {}, ...grid(spec, rows, roundTicks(range[0], range[1], 10), frame, theme, top, last),
    text(unitLabel(spec), { x: kLeft, y: top - 9 - kLegendRow * (legendRows - 1), fill: ink.quiet }));
  for (const time of spec.marks)
    if (time >= range[0] && time <= range[1])
      group.append(svg("line", { x1: frame.x(time), x2: frame.x(time), y1: top, y2: top + 6, stroke: ink.mark }));
  for (const { line, x, row } of legend) {
    const colour = lineColour(theme, line.colour), dash = line.dash ? { "stroke-dasharray": line.dash.join(" ") } : {};
    const d = line.stems ? stemsOf(spec.t, line.y, range, frame) : pathOf(spec.t, line.y, range, frame);
    group.append(svg("path", { d, fill: "none", stroke: colour, "stroke-width": 1.9, "stroke-linejoin": "round", "stroke-linecap": "round", ...dash }));
    const y = top - 9 - kLegendRow * (legendRows - 1 - row);
    group.append(svg("line", { x1: x, x2: x + 18, y1: y - 4, y2: y - 4, stroke: colour, "stroke-width": 3, ...dash }));
    group.append(text(line.name, { x: x + 24, y, fill: ink.text }));
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
