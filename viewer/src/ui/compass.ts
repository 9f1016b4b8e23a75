// The world's axes as the camera sees them; a click on one looks along it.
import { Vector3, type PerspectiveCamera } from "three";
import { markColour, type Theme } from "../stage/palette";
import { svg } from "./dom";

const kNames = ["x", "y", "z"] as const;

export class Compass {
  readonly root: SVGSVGElement;
  private readonly lines: SVGLineElement[] = [];
  private readonly tips: SVGGElement[] = [];
  private readonly discs: SVGCircleElement[] = [];
  private readonly axis = new Vector3();
  private readonly last = new Float64Array(6);

  constructor(look: (direction: Vector3) => void) {
    this.root = svg("svg", { class: "compass", viewBox: "-34 -34 68 68", role: "group", "aria-label": "Axes of the world" });
    kNames.forEach((name, k) => {
      const direction = new Vector3().setComponent(k, 1);
      const line = svg("line", { x1: 0, y1: 0, "stroke-width": 2.5, "stroke-linecap": "round" });
      const disc = svg("circle", { r: 8 });
      const tip = svg("g", { class: "compass-tip", role: "button", tabindex: 0, "aria-label": `Look along ${name}`, click: () => look(direction),
        keydown: (event) => {
          if ((event as KeyboardEvent).key !== "Enter") return;
          event.preventDefault();
          look(direction);
        } }, svg("title", {}, `Look along ${name}`), disc, svg("text", { "text-anchor": "middle", y: 3.6 }, name));
      this.lines.push(line);
      this.discs.push(disc);
      this.tips.push(tip);
    });
    this.root.append(...this.lines, ...this.tips);
  }

  setTheme(theme: Theme): void {
    kNames.forEach((name, k) => {
      this.lines[k].setAttribute("stroke", markColour(theme, name));
      this.discs[k].setAttribute("fill", markColour(theme, name));
    });
  }

  update(camera: PerspectiveCamera): void {
    const m = camera.matrixWorldInverse.elements;
    let same = true;
    for (let k = 0; k < 3; ++k) {
      if (Math.abs(m[4 * k] - this.last[k]) + Math.abs(m[4 * k + 1] - this.last[3 + k]) > 1e-4) same = false;
      this.last[k] = m[4 * k];
      this.last[3 + k] = m[4 * k + 1];
    }
    if (same) return;
    for (let k = 0; k < 3; ++k) {
      this.axis.setFromMatrixColumn(camera.matrixWorldInverse, k);
      const x = (23 * this.axis.x).toFixed(1), y = (-23 * this.axis.y).toFixed(1);
      this.lines[k].setAttribute("x2", x);
      this.lines[k].setAttribute("y2", y);
      this.tips[k].setAttribute("transform", `translate(${x} ${y})`);
      this.tips[k].setAttribute("opacity", this.axis.z < -0.3 ? "0.55" : "1");
    }
  }
}
