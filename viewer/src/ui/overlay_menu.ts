// What is shown in the picture: a list of switches with the colours of what they switch.
import type { ReportData } from "../data/contract";
import { markColour, type MarkName, type Theme } from "../stage/palette";
import type { Overlay, Shown } from "../stage/overlays";
import { el, icon } from "./dom";

interface Entry {
  name: Overlay;
  label: string;
  key: string;
  marks: MarkName[];
}

export const kEntries: Entry[] = [
  { name: "twists", label: "Screws of twists", key: "T", marks: ["twist"] },
  { name: "wrenches", label: "Screws of wrenches", key: "W", marks: ["wrench"] },
  { name: "reactions", label: "Joint forces, torques", key: "R", marks: ["force", "torque"] },
  { name: "forces", label: "Contact forces", key: "E", marks: ["press", "rub"] },
  { name: "contacts", label: "Impacts, impulses", key: "K", marks: ["contact"] },
  { name: "com", label: "Centre of mass, path", key: "C", marks: ["com"] },
  { name: "momentum", label: "Momentum", key: "M", marks: ["momentum", "spin"] },
  { name: "joints", label: "Joint axes", key: "J", marks: ["joint"] },
  { name: "frames", label: "Frames", key: "F", marks: ["x", "y", "z"] },
  { name: "names", label: "Names", key: "N", marks: [] },
  { name: "ground", label: "Ground", key: "G", marks: [] },
  { name: "shadows", label: "Shadows", key: "S", marks: [] },
];

/** Overlays that this report has nothing for. */
export function missing(data: ReportData, overlay: Overlay): boolean {
  if (overlay === "contacts") return data.contacts.length === 0;
  if (overlay === "forces") return !data.frames.contacts;
  if (overlay === "wrenches" || overlay === "reactions") return data.frames.wrenches === null;
  if (overlay === "momentum") return data.frames.momentum === null;
  return false;
}

export class OverlayMenu {
  readonly root: HTMLElement;
  private readonly boxes = new Map<Overlay, HTMLInputElement>();
  private readonly swatches: { element: HTMLElement; mark: MarkName }[] = [];
  private readonly button: HTMLButtonElement;
  private readonly card: HTMLElement;
  private readonly only: HTMLInputElement;

  constructor(data: ReportData, private readonly shown: Shown, changed: () => void, setScale: (scale: number) => void) {
    const list = el("div", { class: "switches" });
    for (const entry of kEntries) {
      const absent = missing(data, entry.name);
      const box = el("input", { type: "checkbox", disabled: absent, "data-overlay": entry.name });
      box.checked = shown[entry.name] && !absent;
      box.addEventListener("change", () => {
        shown[entry.name] = box.checked;
        changed();
      });
      this.boxes.set(entry.name, box);
      const colours = entry.marks.map((mark) => {
        const element = el("span", { class: "dot" });
        this.swatches.push({ element, mark });
        return element;
      });
      list.append(el("label", { class: absent ? "switch absent" : "switch", title: absent ? "This run has none" : "" }, box, el("span", { class: "switch-name" }, entry.label), ...colours, el("kbd", {}, entry.key)));
    }
    this.only = el("input", { type: "checkbox" });
    this.only.addEventListener("change", () => {
      shown.onlySelected = this.only.checked;
      changed();
    });
    const scale = el("input", { type: "range", min: -1.5, max: 1.5, step: 0.05, value: 0, "aria-label": "Length of arrows" });
    scale.addEventListener("input", () => {
      setScale(Math.pow(2, Number(scale.value)));
      changed();
    });
    list.append(el("label", { class: "switch divided" }, this.only, el("span", { class: "switch-name" }, "Only of the chosen body"), el("kbd", {}, "O")),
      el("label", { class: "switch" }, el("span", { class: "switch-name" }, "Length of arrows"), scale));
    this.card = el("div", { class: "menu-card", hidden: true, id: "overlay-menu" }, list);
    this.button = el("button", { type: "button", class: "chip-button", "aria-expanded": "false", "aria-controls": "overlay-menu", title: "What is shown (V)", click: () => this.toggle() }, icon("layers"), "Show");
    this.root = el("div", { class: "menu" }, this.button, this.card);
    document.addEventListener("pointerdown", (event) => {
      if (!this.card.hidden && !this.root.contains(event.target as Node)) this.toggle(false);
    });
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.card.hidden) return;
      event.preventDefault();
      this.toggle(false);
      this.button.focus();
    });
  }

  toggle(open = this.card.hidden): void {
    this.card.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
    if (open) this.card.querySelector("input")?.focus();
  }

  /** Boxes as what is shown. */
  update(): void {
    for (const [name, box] of this.boxes) box.checked = this.shown[name] && !box.disabled;
    this.only.checked = this.shown.onlySelected;
  }

  setTheme(theme: Theme): void {
    for (const { element, mark } of this.swatches) element.style.background = markColour(theme, mark);
  }
}
