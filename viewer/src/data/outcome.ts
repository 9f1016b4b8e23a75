// How a run ended, for people: well; early, or with doubts; wrong.
import type { CheckVerdict, RunData } from "./contract";

export interface Outcome {
  kind: "good" | "early" | "bad";
  icon: "check" | "pause" | "warning" | "cross";
  /** On the badge. */
  badge: string;
  /** Why it is not good: the checks that say so. */
  reason: string;
  note: string;
}

function reasons(run: RunData, verdict: CheckVerdict): string {
  return (run.checks?.list ?? []).filter((check) => check.verdict === verdict).map((check) => check.text).join("\n");
}

/** Good only if the run did not fail and every check is within its limits. */
export function outcomeOf(run: RunData): Outcome {
  const failed = reasons(run, "failed"), doubts = reasons(run, "warning");
  if (run.ok === false) return { kind: "bad", icon: "cross", badge: (run.outcome ?? "failed").replace(/-/g, " "), reason: run.text ?? "", note: "The run failed." };
  if (failed) return { kind: "bad", icon: "cross", badge: "checks failed", reason: failed, note: "" };
  if (run.outcome === "interrupted") return { kind: "early", icon: "pause", badge: "interrupted", reason: run.text ?? "", note: "The run was interrupted." };
  if (doubts) return { kind: "early", icon: "warning", badge: "check warnings", reason: doubts, note: "" };
  if (!run.checks) return { kind: "early", icon: "warning", badge: "not checked", reason: "The report has no checks.", note: "" };
  return { kind: "good", icon: "check", badge: "checks ok", reason: "", note: "" };
}
