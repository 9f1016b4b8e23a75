// Elements of the page. Texts only ever become text nodes: a name cannot become markup.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void) | undefined>;

const kSvg = "http://www.w3.org/2000/svg";

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children)
    if (child !== null && child !== undefined && child !== false) element.append(child);
}

/** An element; a function among its attributes becomes a listener of that event. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS(kSvg, tag) as SVGElementTagNameMap[K];
  fill(element, attributes, children);
  return element;
}

/** Sets the text of an element when it is another one. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Pictures of 20 x 20, drawn by strokes. */
const kIcons = {
  play: "M6 4 L16 10 L6 16 Z",
  pause: "M6.5 4 V16 M13.5 4 V16",
  previous: "M15 4.5 L8 10 L15 15.5 Z M5 4.5 V15.5",
  next: "M5 4.5 L12 10 L5 15.5 Z M15 4.5 V15.5",
  loop: "M4 10 A6 6 0 0 1 15 6.6 M15.5 3.5 V7 H12 M16 10 A6 6 0 0 1 5 13.4 M4.5 16.5 V13 H8",
  layers: "M10 3 L17 7 L10 11 L3 7 Z M3.6 10.4 L10 14 L16.4 10.4 M3.6 13.6 L10 17.2 L16.4 13.6",
  fit: "M4 7.5 V4 H7.5 M12.5 4 H16 V7.5 M16 12.5 V16 H12.5 M7.5 16 H4 V12.5",
  follow: "M10 5.5 A4.5 4.5 0 1 0 10 14.5 A4.5 4.5 0 1 0 10 5.5 M10 2 V6 M10 14 V18 M2 10 H6 M14 10 H18",
  moon: "M15.5 12.2 A6.4 6.4 0 1 1 8 4.2 A5.2 5.2 0 0 0 15.5 12.2 Z",
  sun: "M10 6.6 A3.4 3.4 0 1 0 10 13.4 A3.4 3.4 0 1 0 10 6.6 M10 2 V3.6 M10 16.4 V18 M2 10 H3.6 M16.4 10 H18 M4.4 4.4 L5.5 5.5 M14.5 14.5 L15.6 15.6 M4.4 15.6 L5.5 14.5 M14.5 5.5 L15.6 4.4",
  help: "M7.2 7.4 A2.9 2.9 0 1 1 10.6 10.3 Q10 10.6 10 12 M10 14.6 V14.8",
  close: "M5 5 L15 15 M15 5 L5 15",
  copy: "M7.5 7.5 H16 V16 H7.5 Z M12.5 7.5 V4 H4 V12.5 H7.5",
  check: "M4 10.5 L8.2 14.5 L16 6",
  warning: "M10 3.5 V11.5 M10 15.6 V15.8",
  cross: "M5.5 5.5 L14.5 14.5 M14.5 5.5 L5.5 14.5",
  save: "M10 3.5 V12.5 M6.2 9 L10 12.8 L13.8 9 M4 16.5 H16",
} as const;
export type Icon = keyof typeof kIcons;

export function icon(name: Icon): SVGSVGElement {
  return svg("svg", { viewBox: "0 0 20 20", class: `icon icon-${name}`, "aria-hidden": "true" }, svg("path", { d: kIcons[name] }));
}

export function iconButton(name: Icon, label: string, action: () => void, extra: Attributes = {}): HTMLButtonElement {
  return el("button", { type: "button", class: "icon-button", title: label, "aria-label": label, click: action, ...extra }, icon(name));
}

/** Hands a file to the reader. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** A name that every file system takes. */
export function fileName(text: string): string {
  return text.replace(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, 80) || "pintle";
}
