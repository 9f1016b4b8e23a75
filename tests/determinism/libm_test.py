#!/usr/bin/env python3
"""The library calls no function of the C library whose last bits depend on the processor (sin, exp, pow, ...).

pintle/math has its own, with the same bits everywhere. Square roots, fused multiply-adds and rounding are exact.

usage: libm_test.py LIBRARY NM
"""
import subprocess
import sys

NAMES = """sin cos tan sincos asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10
log1p pow cbrt hypot fmod remainder erf erfc tgamma lgamma""".split()


def main():
    forbidden = {name + suffix for name in NAMES for suffix in ("", "f", "l")}
    found = []
    symbols = subprocess.run([sys.argv[2], "-A", "-u", sys.argv[1]], capture_output=True, text=True, check=True).stdout
    for line in symbols.splitlines():
        where, symbol = line.split()[0], line.split()[-1].split("@")[0]
        if symbol in forbidden:
            found.append(f"{where} calls {symbol}")
    print("\n".join(found) if found else f"{len(symbols.splitlines())} calls, none of {len(forbidden)} functions")
    return 1 if found or not symbols else 0


if __name__ == "__main__":
    sys.exit(main())
