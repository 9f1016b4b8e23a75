#!/usr/bin/env python3
"""Counts the instructions of kernels under callgrind, beside those that are kept.

usage: count_instructions.py PROGRAM KEPT [--keep]

PROGRAM is bench/kernel_calls, KEPT the file of counts (bench/instructions.txt). Each kernel is called once and four
times; the difference is what a call takes when caches and memory are there. Prints the change in percent; --keep writes
the counts to KEPT. Counts do not depend on what else the machine does, but on the compiler: KEPT says which.
"""

import os
import re
import subprocess
import sys
import tempfile

CALLS = (1, 4)


def instructions(program, kernel, calls):
    """All instructions of so many calls of a kernel."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            "valgrind",
            "--tool=callgrind",
            "--callgrind-out-file=" + os.path.join(folder, "out"),
            "--toggle-collect=measured_" + kernel,
            program,
            kernel,
            str(calls),
        ]
        # valgrind knows no AVX-512.
        done = subprocess.run(command, env=dict(os.environ, PINTLE_ISA="avx2"), capture_output=True, text=True)
    found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    if done.returncode != 0 or not found:
        sys.exit("count_instructions.py: %s %s failed:\n%s" % (program, kernel, done.stderr))
    return int(found.group(1))


def count(program):
    """{kernel: instructions for one state}"""
    counts = {}
    for line in subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines():
        kernel, states = line.split()
        few, many = (instructions(program, kernel, calls) for calls in CALLS)
        counts[kernel] = (many - few) / (CALLS[1] - CALLS[0]) / int(states)
    return counts


def read(path):
    """The head of the file, and its counts."""
    head, counts = [], {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#") or not line.strip():
                head.append(line)
            else:
                kernel, number = line.split()
                counts[kernel] = float(number)
    return head, counts


def main(arguments):
    keep = "--keep" in arguments
    words = [word for word in arguments if word != "--keep"]
    if len(words) != 2:
        sys.exit(__doc__)
    program, path = words
    head, kept = read(path)
    counts = count(program)
    print("%-24s %14s %14s %9s" % ("instructions for a state", "kept", "now", "change"))
    for kernel, now in counts.items():
        was = kept.get(kernel)
        change = "%+.2f %%" % (100.0 * (now / was - 1.0)) if was else "new"
        print("%-24s %14s %14.0f %9s" % (kernel, "%.0f" % was if was else "-", now, change))
    for kernel in kept:
        if kernel not in counts:
            print("%-24s %14.0f %14s %9s" % (kernel, kept[kernel], "-", "gone"))
    if keep:
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(head)
            file.writelines("%s %.0f\n" % item for item in counts.items())


if __name__ == "__main__":
    main(sys.argv[1:])
