// Pictures without the page around them, for programs: report.html#bare&t=1.5&theme=dark&show=twists,com
// and sheets of many instants: report.html#bare&sheet=24&columns=4&width=480&height=270
import type { Report } from "../main";
import { kOverlays, type Overlay } from "../stage/overlays";
import type { Theme } from "../stage/palette";
import { el } from "./dom";

export interface PictureOptions {
  bare: boolean;
  time?: number;
  theme?: Theme;
  tab?: "bodies" | "plots" | "checks";
  select?: string;
  shown: [Overlay, boolean][];
  /** Instants on one sheet. */
  sheet: number;
  columns: number;
  width: number;
  height: number;
  from?: number;
  to?: number;
}

/** What programs ask of a page that is `bare`. */
export interface Sheet {
  /** The sheet as it is, as a data URL. */
  png(): string;
  /** Draws another instant as the sheet's first picture: base64 of its pixels, red, green, blue, row by row. */
  pixels(time: number): string;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function optionsOf(hash: string): PictureOptions {
  const options: PictureOptions = { bare: false, shown: [], sheet: 1, columns: 1, width: 0, height: 0 };
  const number = (text: string, low: number, high: number) => {
    const x = Number(text);
    return text !== "" && Number.isFinite(x) ? Math.min(Math.max(x, low), high) : undefined;
  };
  for (const part of hash.replace(/^#/, "").split("&")) {
    const at = part.indexOf("=");
    const key = at < 0 ? part : part.slice(0, at), value = at < 0 ? "" : decoded(part.slice(at + 1));
    const time = number(value, -1e300, 1e300);
    if (key === "bare") options.bare = true;
    else if (key === "t" && time !== undefined) options.time = time;
    else if (key === "from" && time !== undefined) options.from = time;
    else if (key === "to" && time !== undefined) options.to = time;
    else if (key === "theme" && (value === "dark" || value === "light")) options.theme = value;
    else if (key === "tab" && (value === "bodies" || value === "plots" || value === "checks")) options.tab = value;
    else if (key === "select") options.select = value;
    else if (key === "show" || key === "hide")
      for (const name of value.split(",")) if ((kOverlays as readonly string[]).includes(name)) options.shown.push([name as Overlay, key === "show"]);
    if (key === "sheet" || key === "columns") options[key] = Math.round(number(value, 1, 1000) ?? 1);
    if (key === "width" || key === "height") options[key] = Math.round(number(value, 16, 8192) ?? 0);
  }
  return options;
}

/** Replaces the page by one picture, or by a sheet of them row by row; its size is columns * width by rows * height. */
export function drawSheet(report: Report, options: PictureOptions): Sheet | null {
  const { stage } = report.viewport;
  document.documentElement.classList.add("bare");
  if (!stage) return null;
  const width = options.width || innerWidth, height = options.height || innerHeight;
  const rows = Math.ceil(options.sheet / options.columns);
  const sheet = el("canvas", { class: "sheet", width: width * options.columns, height: height * rows });
  sheet.style.width = `${width * options.columns}px`;
  sheet.style.height = `${height * rows}px`;
  const ink = sheet.getContext("2d")!;
  stage.resize(width, height, 1);
  report.player.play(false);
  report.replay.sample(report.player.time);
  stage.firstView();
  const from = options.from ?? report.player.start, to = options.to ?? report.player.end;
  const draw = (time: number, i: number) => {
    report.replay.sample(time);
    stage.place();
    stage.render(report.viewport.shown);
    const x = (i % options.columns) * width, y = Math.floor(i / options.columns) * height;
    const sky = ink.createLinearGradient(0, y, 0, y + height);
    const style = getComputedStyle(document.documentElement);
    sky.addColorStop(0, style.getPropertyValue("--sky-top").trim());
    sky.addColorStop(1, style.getPropertyValue("--sky-low").trim());
    ink.fillStyle = sky;
    ink.fillRect(x, y, width, height);
    ink.drawImage(stage.canvas, x, y, width, height);
  };
  for (let i = 0; i < options.sheet; ++i) draw(options.sheet === 1 ? report.player.time : from + ((to - from) * i) / options.sheet, i);
  document.body.replaceChildren(sheet);
  return {
    png: () => sheet.toDataURL("image/png"),
    pixels: (time) => {
      draw(time, 0);
      return base64Rgb(ink.getImageData(0, 0, width, height).data);
    },
  };
}

/** Base64 of red, green and blue of pixels that have an opacity too. */
export function base64Rgb(rgba: Uint8ClampedArray): string {
  let text = "";
  const kAtOnce = 3 * 4096;  // pixels; a multiple of 3, so that the parts have no padding
  for (let first = 0; first < rgba.length / 4; first += kAtOnce) {
    const last = Math.min(first + kAtOnce, rgba.length / 4);
    let bytes = "";
    for (let i = first; i < last; ++i) bytes += String.fromCharCode(rgba[4 * i], rgba[4 * i + 1], rgba[4 * i + 2]);
    text += btoa(bytes);
  }
  return text;
}
