// Colours that colour-blind people can tell apart (Okabe and Ito), for bodies and for what is drawn over them.
import { Color } from "three";

export type Theme = "light" | "dark";

/** Of bodies whose shapes have no colour. */
export const kBodyColours = ["#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#0072b2", "#d55e00", "#f0e442"];

/** Of planes without a colour. */
export const kPlaneColour = "#aeb8c2";

/** Lines of plots, as in the plots of the command line. */
export const kLineColours: Record<Theme, string[]> = {
  light: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#4d4d4d"],
  dark: ["#4fa8e0", "#ff8c42", "#2cc99b", "#e29bc6", "#f2b134", "#8ccbf2", "#b794e0", "#c8c8c8"],
};

export const kMarkNames = [
  "joint", "stick", "twist", "wrench", "force", "torque", "contact", "press", "rub", "com", "momentum", "spin", "spring", "x", "y", "z",
  "select", "grid",
] as const;
export type MarkName = (typeof kMarkNames)[number];

const kMarks: Record<Theme, Record<MarkName, string>> = {
  light: {
    joint: "#3a444e", stick: "#8b949d", twist: "#0072b2", wrench: "#b5338a", force: "#d55e00", torque: "#e69f00",
    contact: "#b3261e", press: "#00795a", rub: "#c27400", com: "#1c2126", momentum: "#009e73", spin: "#7a5195", spring: "#5f6b76", x: "#d55e00", y: "#009e73",
    z: "#0072b2", select: "#0072b2", grid: "#7d8894",
  },
  dark: {
    joint: "#c3cbd3", stick: "#8b949d", twist: "#5cb8f0", wrench: "#f08ccf", force: "#ff8c42", torque: "#f2c94c",
    contact: "#ff6b60", press: "#35d6a6", rub: "#f2b134", com: "#ffffff", momentum: "#2cc99b", spin: "#b794e0", spring: "#9aa6b1", x: "#ff8c42", y: "#2cc99b",
    z: "#5cb8f0", select: "#8ccbf2", grid: "#8591a0",
  },
};

export function markColour(theme: Theme, name: MarkName): string {
  return kMarks[theme][name];
}

/** One Color object for each mark, kept and changed with the theme. */
export class MarkColours {
  readonly of: Record<MarkName, Color>;

  constructor(theme: Theme) {
    this.of = Object.fromEntries(kMarkNames.map((name) => [name, new Color()])) as Record<MarkName, Color>;
    this.set(theme);
  }

  set(theme: Theme): void {
    for (const name of kMarkNames) this.of[name].set(kMarks[theme][name]);
  }
}
