#!/usr/bin/env python3
"""Regenerates every polynomial coefficient and constant of the elementary functions in src/pintle/math.

    tools/minimax.py            print the constants, each with the error of its polynomial
    tools/minimax.py --check    compare them with the headers; exit 1 when one differs

The polynomials are minimax fits (Remez exchange in 80 digits) of the relative error of the function they serve, rounded
to the lane type afterwards. Needs mpmath (Debian: python3-mpmath).
"""

import pathlib
import re
import struct
import sys

from mpmath import atan, cos, exp, floor, lu_solve, log, matrix, mp, mpf, nstr, pi, sin, sqrt, tan

mp.dps = 80
MATH = pathlib.Path(__file__).resolve().parent.parent / "src" / "pintle" / "math"


def round_to(bits, x):
    """x rounded to the nearest number of `bits` significant bits, ties to even."""
    if x == 0:
        return mpf(0)
    exponent = int(floor(log(abs(x), 2))) + 1 - bits
    scaled = x / mpf(2) ** exponent
    below = floor(scaled)
    rest = scaled - below
    up = rest > mpf("0.5") or (rest == mpf("0.5") and int(below) % 2 == 1)
    return (below + (1 if up else 0)) * mpf(2) ** exponent


def literal(x, bits):
    """The C++ hexadecimal literal of x rounded to double (53 bits) or float (24)."""
    value = float(round_to(bits, x))
    text = re.sub(r"\.?0*p", "p", value.hex())
    return text + ("f" if bits == 24 else "")


def remez(function, weight, low, high, count):
    """Coefficients c of sum c[i] x^i, i < count, that minimise max |weight (sum - function)|, and that maximum."""
    low, high = mpf(low), mpf(high)
    nodes = [(low + high) / 2 - (high - low) / 2 * cos(pi * i / count) for i in range(count + 1)]
    for _ in range(40):
        rows = [[x**j for j in range(count)] + [(-1) ** i / weight(x)] for i, x in enumerate(nodes)]
        solution = lu_solve(matrix(rows), matrix([function(x) for x in nodes]))
        c = [solution[j] for j in range(count)]

        def error(x):
            return weight(x) * (sum(c[j] * x**j for j in range(count)) - function(x))

        extrema = alternating_extrema(error, low, high, count)
        peaks = [abs(error(x)) for x in extrema]
        if len(extrema) != count + 1:
            raise ArithmeticError("the error does not alternate often enough")
        nodes = extrema
        if max(peaks) - min(peaks) < max(peaks) * mpf("1e-3"):
            return c, max(peaks)
    raise ArithmeticError("the exchange did not converge")


def alternating_extrema(error, low, high, count):
    """One point of largest |error| between any two sign changes of the error."""
    steps = 40 * (count + 1)
    grid = [(low + high) / 2 - (high - low) / 2 * cos(pi * i / steps) for i in range(steps + 1)]
    values = [error(x) for x in grid]
    best = [0]
    for i in range(1, steps + 1):
        if values[i] * values[best[-1]] < 0:
            best.append(i)
        elif abs(values[i]) > abs(values[best[-1]]):
            best[-1] = i
    return [refined(error, grid, i) for i in best]


def refined(error, grid, i):
    """The extremum near grid[i], by golden-section search between its neighbours."""
    if i in (0, len(grid) - 1):
        return grid[i]
    a, b = grid[i - 1], grid[i + 1]
    golden = (sqrt(mpf(5)) - 1) / 2
    for _ in range(30):
        p, q = b - golden * (b - a), a + golden * (b - a)
        if abs(error(p)) > abs(error(q)):
            b = q
        else:
            a = p
    return (a + b) / 2


def series(terms):
    """x -> sum terms(n) x^n to 80 digits, for |x| < 1/2; free of the cancellation of closed forms near zero."""

    def value(x):
        total, power, n = mpf(0), mpf(1), 0
        while abs(power) > mpf(10) ** -90 or n < 2:
            total += terms(n) * power
            power *= x
            n += 1
        return total

    return value


def factorial_series(first, sign):
    """x -> sum (sign x)^n / (first + 2 n)!"""

    def value(x):
        total, term, n = mpf(0), 1 / mp.factorial(first), 0
        while abs(term) > mpf(10) ** -90:
            total += term
            term *= sign * x / ((first + 2 * n + 1) * (first + 2 * n + 2))
            n += 1
        return total

    return value


def truncated_parts(x, bits):
    """x as a sum of parts: every part but the last has at most bits[i] bits below the leading bit of x - earlier parts."""
    parts = []
    position = 0
    for i, width in enumerate(bits):
        position += width
        if i + 1 < len(bits):
            part = floor(x * mpf(2) ** (position - 1)) / mpf(2) ** (position - 1)
        else:
            part = round_to(width, x)
        parts.append(part)
        x -= part
    return parts


def bits_of(x):
    return "0x%016x" % struct.unpack("<Q", struct.pack("<d", float(x)))[0]


def constants():
    """(header, name, [C++ literals], remark) of everything the headers hold."""
    out = []

    def add(header, name, values, remark=""):
        out.append((header, name, values, remark))

    def fit(header, name, bits, function, weight, low, high, count):
        c, error = remez(function, weight, low, high, count)
        add(header, name, [literal(x, bits) for x in c], "relative error 2^" + nstr(log(error, 2), 4))

    # sin r = r - r^3 S(r^2), cos r = 1 - r^2/2 + r^4 C(r^2) for |r| <= pi/4 and a little more, since the quotient is rounded.
    for suffix, bits, count, slack in (("64", 53, 6, "1e-9"), ("32", 24, 3, "1e-4")):
        end = (pi / 4 + mpf(slack)) ** 2
        sin_weight = lambda z: z * sqrt(z) / sin(sqrt(z)) if z > 0 else mpf(0)
        cos_weight = lambda z: z * z / cos(sqrt(z))
        fit("sincos_impl.h", "kSin" + suffix, bits, factorial_series(3, -1), sin_weight, "1e-12", end, count)
        fit("sincos_impl.h", "kCos" + suffix, bits, factorial_series(4, -1), cos_weight, "1e-12", end, count)
        add("sincos_impl.h", "kTwoOverPi" + suffix, [literal(2 / pi, bits)])
    parts = truncated_parts(pi / 2, [37, 37, 53])
    add("sincos_impl.h", "kHalfPi64", [literal(p, 53) for p in parts])
    parts = truncated_parts(pi / 2, [14, 10, 14, 24])
    add("sincos_impl.h", "kHalfPi32", [literal(p, 24) for p in parts])
    add("sincos_impl.h", "kHalfPi", [literal(pi / 2, 53), literal(pi / 2 - round_to(53, pi / 2), 53)])
    add("sincos_impl.h", "kTwoOverPiWords", ["0x%016x" % w for w in two_over_pi_words(20)])

    # e^r = 1 + r + r^2 E(r) for |r| <= ln(2)/2.
    def exp_rest(r):
        total, term, n = mpf(0), mpf(1) / 2, 2
        while abs(term) > mpf(10) ** -90:
            total += term
            n += 1
            term *= r / n
        return total

    half = log(2) / 2 + mpf("1e-9")
    fit("exp_log_impl.h", "kExp", 53, exp_rest, lambda r: (r * r + mpf("1e-30")) / exp(r), -half, half, 10)
    ln2 = truncated_parts(log(2), [43, 53])  # log(2) has no bit of weight 1: 42 significant bits.
    add("exp_log_impl.h", "kLn2", [literal(p, 53) for p in ln2])
    add("exp_log_impl.h", "kLog2E", [literal(1 / log(2), 53)])
    add("exp_log_impl.h", "kSqrtHalfBits", [bits_of(sqrt(mpf(1) / 2))])

    # 2 atanh s = 2 s + s^3 (2/3 + s^2 (2/5 + s^2 L(s^2))) for |s| <= (sqrt 2 - 1)/(sqrt 2 + 1).
    end = ((sqrt(mpf(2)) - 1) / (sqrt(mpf(2)) + 1)) ** 2 * (1 + mpf("1e-9"))
    fit("exp_log_impl.h", "kLog", 53, series(lambda n: mpf(2) / (2 * n + 7)), lambda z: z**3 / 2 + mpf("1e-40"), 0, end, 7)
    for name, x in (("kTwoThirds", mpf(2) / 3), ("kTwoFifths", mpf(2) / 5)):
        add("exp_log_impl.h", name, [literal(x, 53), literal(x - round_to(53, x), 53)])

    # atan t = t - t^3 A(t^2) for |t| <= tan(pi/8).
    end = tan(pi / 8) ** 2 * (1 + mpf("1e-9"))
    atan_weight = lambda z: z * sqrt(z) / atan(sqrt(z)) if z > 0 else mpf(0)
    fit("atan_impl.h", "kAtan", 53, series(lambda n: mpf(-1) ** n / (2 * n + 3)), atan_weight, "1e-12", end, 11)
    add("atan_impl.h", "kTanEighthPi", [literal(tan(pi / 8), 53)])
    quarter = truncated_parts(pi / 4, [51, 53])
    add("atan_impl.h", "kQuarterPi", [literal(p, 53) for p in quarter])
    return out


def two_over_pi_words(count):
    """The binary fraction of 2/pi in words of 64 bits, after one word of zeros."""
    digits = mp.dps
    mp.dps = 420
    words = [0] + [int(floor(2 / pi * mpf(2) ** (64 * i))) % 2**64 for i in range(1, count)]
    mp.dps = digits
    return words


def main():
    check = "--check" in sys.argv[1:]
    wrong = 0
    for header, name, values, remark in constants():
        if not check:
            print(f"{header} {name}{': ' + remark if remark else ''}\n    " + ", ".join(values))
            continue
        text = (MATH / header).read_text()
        found = re.search(r"\b" + name + r"(?:\[\])? = (\{[^}]*\}|[^;]*);", text)
        held = re.findall(r"-?0x[0-9a-f.]+(?:p[+-]?\d+f?)?", found.group(1)) if found else []
        if held != values:
            print(f"{header}: {name} should be {', '.join(values)}")
            wrong += 1
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
