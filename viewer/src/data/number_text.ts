// Numbers as people read them: few digits, a true minus, units with a prefix where that makes them short.

const kSuperscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function superscript(exponent: number): string {
  const digits = String(Math.abs(exponent)).replace(/\d/g, (d) => kSuperscripts[Number(d)]);
  return (exponent < 0 ? "⁻" : "") + digits;
}

export function powerOfTen(exponent: number): string {
  return exponent === 0 ? "1" : `10${superscript(exponent)}`;
}

/** A number with `digits` significant digits: 0.02500, 12.35, 3.1×10⁻¹⁵. */
export function numberText(x: number | null | undefined, digits = 4): string {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e-3 && size < 1e6) {
    const whole = Math.floor(Math.log10(size)) + 1;
    return x.toFixed(Math.max(0, Math.min(digits - whole, digits + 2))).replace("-", "−");
  }
  const [mantissa, exponent] = x.toExponential(Math.max(0, Math.min(digits - 1, 2))).split("e");
  return `${mantissa.replace("-", "−")}×10${superscript(Number(exponent))}`;
}

/** Whole numbers in groups of three with thin spaces: 1 000 000. */
export function countText(n: number | null | undefined): string {
  if (n === null || n === undefined || !Number.isFinite(n)) return "–";
  return String(Math.round(n)).replace(/\B(?=(\d{3})+(?!\d))/g, "\u2009").replace("-", "−");
}

/** The unit as it is read aloud: products by a dot, powers raised; "1" is no unit. */
export function unitText(unit: string): string {
  if (unit === "1") return "";
  return unit.replace(/ /g, "\u2009").replace(/\^(\d)/g, (_, d: string) => kSuperscripts[Number(d)]);
}

export function quantityText(x: number | null | undefined, unit: string, digits = 4): string {
  const u = unitText(unit);
  return u ? `${numberText(x, digits)}\u202f${u}` : numberText(x, digits);
}

/** A length in m, cm, mm or µm, whichever is short. */
export function lengthText(x: number | null | undefined, digits = 4): string {
  if (x === null || x === undefined || !Number.isFinite(x) || x === 0) return quantityText(x, "m", digits);
  const size = Math.abs(x);
  if (size < 1e-3 && size >= 1e-7) return quantityText(x * 1e6, "µm", digits);
  if (size < 0.1 && size >= 1e-4) return quantityText(x * 1e3, "mm", digits);
  return quantityText(x, "m", digits);
}

/** A span of time in s, ms or µs. */
export function durationText(x: number | null | undefined, digits = 4): string {
  if (x === null || x === undefined || !Number.isFinite(x) || x === 0) return quantityText(x, "s", digits);
  const size = Math.abs(x);
  const trimmed = (value: number, unit: string) => quantityText(Number(value.toPrecision(digits)), unit, digits).replace(/(\.\d*?)0+(?=\u202f)/, "$1").replace(/\.(?=\u202f)/, "");
  if (size < 1e-3) return trimmed(x * 1e6, "µs");
  if (size < 1) return trimmed(x * 1e3, "ms");
  return trimmed(x, "s");
}

/** Decimals that tell instants apart which are `step` away from each other. */
export function decimalsFor(step: number): number {
  if (!(step > 0)) return 3;
  return Math.max(2, Math.min(9, Math.ceil(-Math.log10(step) + 0.3)));
}
