// Keys and their list, shown on request.
import { el, iconButton } from "./dom";

export interface KeyAction {
  keys: string[];
  /** As it is printed. */
  shown: string;
  what: string;
  group: "Time" | "View" | "Show";
  run: (event: KeyboardEvent) => void;
}

export function listenToKeys(actions: readonly KeyAction[], help: Help): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (help.open) {
      if (event.key === "Escape" || event.key === "?") help.toggle(false);
      return;
    }
    const target = event.target as HTMLElement;
    const typing = target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type !== "range" && target.type !== "checkbox");
    if (typing) return;
    const onButton = target instanceof HTMLButtonElement || target instanceof HTMLInputElement;
    if (onButton && (event.key === " " || event.key === "Enter") && !(target instanceof HTMLInputElement && target.type === "range")) return;
    const name = (event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "") + (event.key.length === 1 ? event.key.toLowerCase() : event.key);
    const action = actions.find((a) => a.keys.includes(name));
    if (!action) return;
    event.preventDefault();
    action.run(event);
  });
}

export class Help {
  readonly root: HTMLElement;
  open = false;
  private before: Element | null = null;
  private readonly closeButton: HTMLButtonElement;

  constructor(actions: readonly KeyAction[]) {
    const groups = (["Time", "View", "Show"] as const).map((group) => {
      const list = el("dl", { class: "key-list" });
      for (const action of actions) if (action.group === group) list.append(el("dt", {}, ...action.shown.split(" ").map((key) => el("kbd", {}, key))), el("dd", {}, action.what));
      return el("section", {}, el("h3", {}, group), list);
    });
    this.closeButton = iconButton("close", "Close", () => this.toggle(false));
    this.root = el("div", { class: "help", role: "dialog", "aria-modal": "true", "aria-label": "Keys and mouse", hidden: true, click: (event) => {
      if (event.target === this.root) this.toggle(false);
    } }, el("div", { class: "help-card" }, el("header", {}, el("h2", {}, "Keys and mouse"), this.closeButton), el("div", { class: "help-groups" }, ...groups),
      el("p", { class: "note" }, "In the picture: drag turns, right drag (or two fingers) moves, the wheel zooms, a click chooses a body, a double click looks at it.")));
  }

  toggle(on = !this.open): void {
    this.open = on;
    this.root.hidden = !on;
    if (on) {
      this.before = document.activeElement;
      this.closeButton.focus();
    } else if (this.before instanceof HTMLElement) {
      this.before.focus();
    }
  }
}
