// Light or dark: as the screen is set, until the reader chooses.
import type { Theme } from "../stage/palette";

export class ThemeSwitch {
  private readonly query = matchMedia("(prefers-color-scheme: dark)");
  private chosen: Theme | null = null;
  private readonly listeners: ((theme: Theme) => void)[] = [];

  constructor() {
    this.query.addEventListener("change", () => this.apply());
    this.apply();
  }

  get theme(): Theme {
    return this.chosen ?? (this.query.matches ? "dark" : "light");
  }

  onChange(listener: (theme: Theme) => void): void {
    this.listeners.push(listener);
  }

  choose(theme: Theme): void {
    this.chosen = theme;
    this.apply();
  }

  toggle(): void {
    this.choose(this.theme === "dark" ? "light" : "dark");
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.theme;
    for (const listener of this.listeners) listener(this.theme);
  }
}

/** Colours of plots that are drawn on a canvas or saved; those of the plots that the program writes (src/pintle/io/report/svg_plot.cpp). */
export interface Inks {
  text: string;
  quiet: string;
  grid: string;
  zero: string;
  axis: string;
  mark: string;
  paper: string;
}

export const kInks: Record<Theme, Inks> = {
  light: { text: "#1c2126", quiet: "#5c6670", grid: "#e9ecef", zero: "#b9c0c7", axis: "#8b949d", mark: "#9aa3ac", paper: "#ffffff" },
  dark: { text: "#e3e6ea", quiet: "#98a1ab", grid: "#262b32", zero: "#4b535c", axis: "#7d868f", mark: "#6b747e", paper: "#15181d" },
};
