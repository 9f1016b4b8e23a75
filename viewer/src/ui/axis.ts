// Axes of plots: how far they reach, where their ticks are, and what is written there.
import { powerOfTen } from "../data/number_text";

/** Some room above and below; a line that stands still gets an axis of its own size. */
export function yRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const largest = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= 1e-12 * largest || high === low) return largest === 0 ? [-1, 1] : [low - 0.1 * largest, high + 0.1 * largest];
  const margin = 0.06 * (high - low);
  return [low - margin, high + margin];
}

/** Steps of 1, 2 or 5 times a power of ten, about `count` of them. */
export function roundTicks(low: number, high: number, count: number): number[] {
  const raw = (high - low) / count;
  if (!(raw > 0) || !Number.isFinite(raw)) return [low];
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  const m = raw / power;
  const step = (m > 5 ? 10 : m > 2 ? 5 : m > 1 ? 2 : 1) * power;
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step && ticks.length < 50; ++i) ticks.push(i * step);
  return ticks;
}

/** Ticks with as many decimals as tell them apart, or with a power of ten. */
export function axisTexts(ticks: (number | null)[]): string[] {
  const known = ticks.filter((x): x is number => x !== null);
  const step = known.length > 1 ? Math.abs(known[1] - known[0]) : Math.abs(known[0] ?? 1);
  const largest = known.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  if (largest >= 1e5 || (largest > 0 && largest < 1e-3)) {
    const unit = 10 ** Math.floor(Math.log10(largest));
    const digits = step > 0 ? Math.min(4, decimalsOf(step / unit)) : 1;
    return ticks.map((x) => (x === null ? "" : Math.abs(x) < 1e-9 * largest ? "0" : powerText(x, digits)));
  }
  const decimals = decimalsOf(step);
  return ticks.map((x) => (x === null ? "" : x.toFixed(decimals).replace(/^-(0(\.0*)?)$/, "$1").replace("-", "−")));
}

/** Decimals that write a step exactly: 1 for 2.5, 2 for 0.25; at most 8. */
function decimalsOf(step: number): number {
  for (let decimals = 0; decimals < 8; ++decimals) {
    const scaled = step * 10 ** decimals;
    if (Math.round(scaled) >= 1 && Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return decimals;
  }
  return step > 0 ? 8 : 2;
}

function powerText(x: number, digits: number): string {
  const [mantissa, exponent] = x.toExponential(digits).split("e");
  return `${mantissa.replace("-", "−")}e${exponent.replace("+", "").replace("-", "−")}`;
}

/** Below it a logarithmic axis does not go: what is smaller is rounding of rounding. */
const kLeastDecade = -20;

/** Whole decades around the exponents `low` to `high`. */
export function decadeRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [-16, 0];
  const top = Math.ceil(high);
  const bottom = Math.min(Math.max(Math.floor(low), kLeastDecade), top - 1);
  return [bottom, top];
}

/** Exponents at ticks: each, every second, every fifth, ... so that there are at most `most`. */
export function decadeTicks(low: number, high: number, most: number): number[] {
  const step = [1, 2, 5, 10, 20, 50, 100].find((s) => (high - low) / s <= most) ?? 200;
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step); i * step <= high; ++i) ticks.push(i * step);
  return ticks;
}

export function decadeTexts(exponents: (number | null)[]): string[] {
  return exponents.map((x) => (x === null ? "" : powerOfTen(x)));
}
