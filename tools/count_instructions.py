#!/usr/bin/env python3
"""Counts the instructions of calls under callgrind, beside those that are kept.

usage: count_instructions.py [--keep | --check] [--compiler NAME] PROGRAM KEPT

PROGRAM is bench/kernel_calls or bench/run_steps, KEPT the file of its counts (bench/kernel_calls.txt,
bench/run_steps.txt). Called without words a program lists its cases: a name, the parts of one call, and perhaps another
case that this one is compared with and by how many percent it may exceed that. Each case is called once and four times;
the difference is what a call takes when caches and memory are there. Prints the change of a part in percent, and by how
much a case exceeds the one that it is compared with.

--keep writes the counts to KEPT. --check fails if a count is 5 % or more above the kept one, if a case exceeds the one
that it is compared with by more than it may, or if cases differ.
Counts do not depend on what else the machine does, but on the compiler: KEPT says which. With another --compiler
--check returns 77: nothing to compare with.
"""

import os
import re
import subprocess
import sys
import tempfile

CALLS = (1, 4)
MAX_GROWTH = 0.05
SKIPPED = 77


def instructions(program, case, calls):
    """All instructions of so many calls of a case."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            "valgrind",
            "--tool=callgrind",
            "--callgrind-out-file=" + os.path.join(folder, "out"),
            "--toggle-collect=measured_*",
            program,
            case,
            str(calls),
        ]
        # valgrind knows no AVX-512.
        done = subprocess.run(command, env=dict(os.environ, PINTLE_ISA="avx2"), capture_output=True, text=True)
    found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    if done.returncode != 0 or not found:
        sys.exit("count_instructions.py: %s %s failed:\n%s" % (program, case, done.stderr))
    return int(found.group(1))


def count(program):
    """{case: instructions of a part}, {case: (the one it is compared with, the percent by which it may exceed it)}"""
    counts, compared = {}, {}
    for line in subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines():
        case, parts, *others = line.split()
        few, many = (instructions(program, case, calls) for calls in CALLS)
        counts[case] = (many - few) / (CALLS[1] - CALLS[0]) / int(parts)
        if others:
            compared[case] = (others[0], float(others[1]))
    return counts, compared


def read(path):
    """The head of the file, the compiler it names, and its counts."""
    head, compiler, counts = [], "", {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#") or not line.strip():
                head.append(line)
                named = re.match(r"# compiler: (.*)", line)
                compiler = named.group(1) if named else compiler
            else:
                case, number = line.split()
                counts[case] = float(number)
    return head, compiler, counts


def show(counts, kept, compared):
    """Prints the table. Returns what is too much."""
    faults = []
    print("%-26s %14s %14s %9s %9s" % ("instructions of a part", "kept", "now", "change", "overhead"))
    for case, now in counts.items():
        was, overhead, change = kept.get(case), "", "new"
        if was:
            change = "%+.2f %%" % (100.0 * (now / was - 1.0))
            if now >= (1.0 + MAX_GROWTH) * was:
                faults.append("%s grew by %.1f %%" % (case, 100.0 * (now / was - 1.0)))
        else:
            faults.append("%s is not kept" % case)
        if case in compared:
            other, limit = compared[case]
            percent = 100.0 * (now / counts[other] - 1.0)
            overhead = "%.1f %%" % percent
            if percent > limit:
                faults.append("%s exceeds %s by %.1f %%, more than %.0f %%" % (case, other, percent, limit))
        print("%-26s %14s %14.0f %9s %9s" % (case, "%.0f" % was if was else "-", now, change, overhead))
    for case in kept:
        if case not in counts:
            faults.append("%s is gone" % case)
            print("%-26s %14.0f %14s %9s" % (case, kept[case], "-", "gone"))
    return faults


def main(arguments):
    keep, check = "--keep" in arguments, "--check" in arguments
    words = [word for word in arguments if word not in ("--keep", "--check")]
    used = None
    if "--compiler" in words:
        at = words.index("--compiler")
        used = words[at + 1] if at + 1 < len(words) else None
        del words[at : at + 2]
    if len(words) != 2 or (keep and check):
        sys.exit(__doc__)
    program, path = words
    head, compiler, kept = read(path)
    if check and used is not None and used != compiler:
        print("%s has counts of %s, not of %s" % (os.path.basename(path), compiler, used))
        return SKIPPED
    counts, compared = count(program)
    faults = show(counts, kept, compared)
    if keep:
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(head)
            file.writelines("%s %.0f\n" % item for item in counts.items())
    if not check:
        return 0
    for fault in faults:
        print("count_instructions.py: " + fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
