#!/usr/bin/env python3
"""Compares what including pintle/pintle.h costs with what including Eigen/Core costs.

usage: header_cost.py [--limit RATIO] COMPILER...

Instructions of the compiler and its children under valgrind, parsing only: they do not depend on what else the machine
does. Exits with 1 when the ratio of a compiler is above the limit.
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src"
OURS = '#include "pintle/pintle.h"\n'
THEIRS = "#include <Eigen/Core>\n"
COUNT = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", "--trace-children=yes"]


def instructions(command: list, text: str) -> int:
    """Of all processes of the command, which parses the text."""
    done = subprocess.run([*COUNT, *command], input=text, text=True, capture_output=True)
    counts = re.findall(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode != 0 or not counts:
        sys.exit(f"header_cost.py: {command[0]} failed:\n{done.stderr}")
    return sum(int(count.replace(",", "")) for count in counts)


def eigen_flags() -> list:
    flags = subprocess.run(["pkg-config", "--cflags", "eigen3"], check=True, capture_output=True, text=True).stdout
    return flags.split()


def measure(compiler: str):
    command = [compiler, "-std=c++20", "-O0", "-fsyntax-only", f"-I{SOURCE}", *eigen_flags(), "-x", "c++", "-"]
    return instructions(command, OURS), instructions(command, THEIRS)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=float, default=0.4)
    parser.add_argument("compilers", nargs="+", metavar="COMPILER")
    arguments = parser.parse_args()

    print(f"{'compiler':<12} {'pintle/pintle.h':>16} {'Eigen/Core':>12} {'ratio':>7}   limit {arguments.limit}")
    too_slow = False
    for compiler in arguments.compilers:
        ours, theirs = measure(compiler)
        too_slow |= ours / theirs > arguments.limit
        print(f"{compiler:<12} {ours / 1e9:>13.3f} G {theirs / 1e9:>10.3f} G {ours / theirs:>7.2f}")
    return 1 if too_slow else 0


if __name__ == "__main__":
    sys.exit(main())
