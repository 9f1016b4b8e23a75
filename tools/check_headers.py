#!/usr/bin/env python3
"""Checks that headers of src/pintle compile on their own, without warnings.

usage: check_headers.py COMPILER... -- OPTION...

The first compiler compiles every header, the others the umbrella headers, which reach all that users get. The options
are those the library itself is compiled with. (What depends on the instruction set is compiled for each of them, by
every compiler, in the kernels.) Exits with 1 when any does not compile.
"""
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src"
UMBRELLAS = ("pintle.h", "simulation.h", "io.h", "batch.h", "generic.h", "eigen.h")


def eigen_flags() -> list:
    flags = subprocess.run(["pkg-config", "--cflags", "eigen3"], check=True, capture_output=True, text=True).stdout
    return [flag.replace("-I", "-isystem", 1) for flag in flags.split()]


def compile_alone(job):
    """The header, the command and what the compiler said when it failed; None when it did not."""
    header, command = job
    done = subprocess.run(command, input=f'#include "{header}"\n', capture_output=True, text=True)
    return None if done.returncode == 0 else (header, command, done.stderr)


def main() -> int:
    if "--" not in sys.argv:
        sys.exit(__doc__)
    end = sys.argv.index("--")
    compilers, options = sys.argv[1:end], sys.argv[end + 1:]
    headers = [path.relative_to(SOURCE).as_posix() for path in sorted((SOURCE / "pintle").rglob("*.h"))]
    # An option of one compiler may be unknown to the other.
    flags = ["-std=c++20", "-fsyntax-only", *options, "-Wno-unknown-warning-option", "-Werror", f"-I{SOURCE}",
             *eigen_flags(), "-x", "c++", "-"]
    umbrellas = [f"pintle/{name}" for name in UMBRELLAS]
    jobs = [(header, [compiler, *flags]) for number, compiler in enumerate(compilers)
            for header in (headers if number == 0 else umbrellas)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [failure for failure in pool.map(compile_alone, jobs) if failure]
    for header, command, output in failures:
        print(f"src/{header}: does not compile on its own: {' '.join(command)}\n{output}")
    print(f"headers: {len(headers)} headers, {len(jobs)} compilations, {len(failures)} failed")
    return 1 if failures or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
