#!/usr/bin/env python3
"""Whole runs without optimisation: the bits of the golden file from each compiler.

Builds the library and simulation_bits_test at -O0 by each compiler given (with ccache where there is one), for the
instruction sets that this processor has, and runs the test for each of them. The optimised builds run the same test on
their own, and are compiled for all instruction sets.

usage: simulation_bits_test.py SOURCE_DIR SCRATCH_DIR COMPILER...
"""
import os
import pathlib
import shutil
import subprocess
import sys


NEEDS = {"baseline": set(), "avx2": {"avx2", "fma"}, "avx512": {"avx512f", "avx512dq", "avx512vl", "avx2", "fma"}}


def isas_here():
    flags = set()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            flags = set(line.split(":")[1].split())
    return [isa for isa, needs in NEEDS.items() if needs <= flags]


def main():
    source, scratch = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    good = True
    for compiler in sys.argv[3:]:
        build = scratch / pathlib.Path(compiler).name
        configure = ["cmake", "-S", str(source), "-B", str(build), "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
                     "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0", "-DPINTLE_BUILD_CLI=OFF",
                     "-DPINTLE_BUILD_EXAMPLES=OFF", f"-DPINTLE_ISAS={';'.join(isas_here())}"]
        if shutil.which("ccache"):
            configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        for command in (configure, ["cmake", "--build", str(build), "--target", "simulation_bits_test"]):
            ran = subprocess.run(command, capture_output=True, text=True)
            if ran.returncode != 0:
                print(f"FAIL {compiler}: {' '.join(command)}\n{ran.stdout[-3000:]}{ran.stderr[-3000:]}")
                return 1
        program = next(p for p in build.rglob("simulation_bits_test") if p.is_file() and os.access(p, os.X_OK))
        for isa in isas_here():
            ran = subprocess.run([str(program), "--test-case=*golden file"], capture_output=True, text=True,
                                 env={**os.environ, "PINTLE_ISA": isa})
            ok = ran.returncode == 0
            good &= ok
            print(f"{'ok  ' if ok else 'FAIL'} {pathlib.Path(compiler).name:10} -O0 {isa}")
            if not ok:
                print(ran.stdout[-3000:] + ran.stderr[-1000:])
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
