// The bar between the picture and the panels, moved by pointer or keys.
import { el } from "./dom";

export function splitter(host: HTMLElement): HTMLElement {
  let width = 0;
  const bar = el("div", { class: "splitter", role: "separator", tabindex: 0, "aria-orientation": "vertical", "aria-label": "Width of the panels" });
  const set = (wanted: number) => {
    width = Math.round(Math.min(Math.max(wanted, 300), Math.max(300, host.clientWidth - 560)));
    host.style.setProperty("--panels", `${width}px`);
    bar.setAttribute("aria-valuenow", String(width));
  };
  const current = () => width || (host.querySelector(".panels")?.clientWidth ?? 440);
  const drag = (event: PointerEvent) => set(host.getBoundingClientRect().right - event.clientX);
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    bar.addEventListener("pointermove", drag);
  });
  bar.addEventListener("pointerup", () => bar.removeEventListener("pointermove", drag));
  bar.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowLeft" ? 24 : event.key === "ArrowRight" ? -24 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    set(current() + step);
  });
  return bar;
}
