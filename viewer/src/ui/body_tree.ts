// The bodies as a tree of who hangs on whom.
import type { ReportData } from "../data/contract";
import { el } from "./dom";

export class BodyTree {
  readonly root: HTMLElement;
  private readonly items: HTMLElement[] = [];
  /** In the order of the tree. */
  private readonly order: number[] = [];

  constructor(data: ReportData, colourOf: (body: number) => string, private readonly choose: (body: number) => void) {
    const { bodies, joints } = data.scene;
    const jointOf = new Map(joints.map((joint) => [joint.child, joint]));
    const children = new Map<number, number[]>();
    bodies.forEach((body, i) => {
      const parent = body.parent >= 0 && body.parent < bodies.length && body.parent !== i ? body.parent : -1;
      children.set(parent, [...(children.get(parent) ?? []), i]);
    });
    this.root = el("div", { class: "tree", role: "tree", "aria-label": "Bodies" });
    const seen = new Set<number>();
    const stack: [number, number][] = (children.get(-1) ?? []).map((i): [number, number] => [i, 1]).reverse();
    while (stack.length > 0) {
      const [i, level] = stack.pop()!;
      if (seen.has(i)) continue;
      seen.add(i);
      this.add(i, level, bodies[i].name, jointOf.get(i)?.type ?? "", colourOf(i));
      for (const child of (children.get(i) ?? []).slice().reverse()) stack.push([child, level + 1]);
    }
    if (bodies.length === 0) this.root.append(el("p", { class: "empty" }, "This scene has no bodies."));
    if (this.order.length > 0) this.items[this.order[0]].tabIndex = 0;
  }

  private add(body: number, level: number, name: string, type: string, colour: string): void {
    const dot = el("span", { class: "dot" });
    dot.style.background = colour;
    const item = el("div", { class: "tree-item", role: "treeitem", "aria-level": level, "aria-selected": "false", tabindex: -1, title: name, click: () => this.choose(body) },
      dot, el("span", { class: "tree-name" }, name), el("span", { class: "tree-type" }, type));
    item.style.paddingInlineStart = `${8 + 11 * Math.min(level - 1, 8)}px`;
    item.addEventListener("keydown", (event) => this.key(event, body));
    this.items[body] = item;
    this.order.push(body);
    this.root.append(item);
  }

  private key(event: KeyboardEvent, body: number): void {
    const at = this.order.indexOf(body);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: this.order.length - 1 }[event.key];
    if (to !== undefined) this.items[this.order[Math.min(Math.max(to, 0), this.order.length - 1)]].focus();
    else if (event.key === "Enter" || event.key === " ") this.choose(body);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The body `step` places on from this one, in the order of the tree. */
  neighbour(body: number, step: number): number {
    const n = this.order.length;
    if (n === 0) return -1;
    const at = this.order.indexOf(body);
    return this.order[at < 0 ? (step > 0 ? 0 : n - 1) : (at + step + n) % n];
  }

  select(body: number): void {
    this.items.forEach((item, i) => {
      item.setAttribute("aria-selected", String(i === body));
      item.tabIndex = i === body || (body < 0 && i === this.order[0]) ? 0 : -1;
    });
    this.items[body]?.scrollIntoView({ block: "nearest" });
  }
}
