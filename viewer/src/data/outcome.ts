// How a run ended, for people: well, early but sound, or wrong.
import type { RunData } from "./contract";

export interface Outcome {
  kind: "good" | "early" | "bad";
  icon: "check" | "pause" | "cross";
  /** On the badge. */
  badge: string;
  note: string;
}

export function outcomeOf(run: RunData): Outcome {
  if (run.ok === false) return { kind: "bad", icon: "cross", badge: (run.outcome ?? "failed").replace(/-/g, " "), note: "The run failed." };
  if (run.outcome === "interrupted") return { kind: "early", icon: "pause", badge: "interrupted", note: "The run was interrupted." };
  return { kind: "good", icon: "check", badge: "checks", note: "" };
}
