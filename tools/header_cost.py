#!/usr/bin/env python3
"""Compares what including pintle/pintle.h costs with what including Eigen/Core costs.

usage: header_cost.py [--limit RATIO] [--repeat N] COMPILER...

Processor time of the compiler and its children, parsing only. The files take turns, and the least of N times counts:
other load on the machine can only add. Exits with 1 when the ratio of a compiler is above the limit.
"""
import argparse
import resource
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src"
OURS = '#include "pintle/pintle.h"\n'
THEIRS = "#include <Eigen/Core>\n"


def child_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def parse_seconds(command: list, text: str) -> float:
    before = child_seconds()
    subprocess.run(command, input=text, text=True, check=True)
    return child_seconds() - before


def eigen_flags() -> list:
    flags = subprocess.run(["pkg-config", "--cflags", "eigen3"], check=True, capture_output=True, text=True).stdout
    return flags.split()


def measure(compiler: str, repeat: int):
    command = [compiler, "-std=c++20", "-O0", "-fsyntax-only", f"-I{SOURCE}", *eigen_flags(), "-x", "c++", "-"]
    ours, theirs = [], []
    for _ in range(repeat):
        ours.append(parse_seconds(command, OURS))
        theirs.append(parse_seconds(command, THEIRS))
    return min(ours), min(theirs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=float, default=0.4)
    parser.add_argument("--repeat", type=int, default=11)
    parser.add_argument("compilers", nargs="+", metavar="COMPILER")
    arguments = parser.parse_args()

    print(f"{'compiler':<12} {'pintle/pintle.h':>16} {'Eigen/Core':>12} {'ratio':>7}   limit {arguments.limit}")
    too_slow = False
    for compiler in arguments.compilers:
        ours, theirs = measure(compiler, arguments.repeat)
        too_slow |= ours / theirs > arguments.limit
        print(f"{compiler:<12} {ours:>14.3f} s {theirs:>10.3f} s {ours / theirs:>7.2f}")
    return 1 if too_slow else 0


if __name__ == "__main__":
    sys.exit(main())
