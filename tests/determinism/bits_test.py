#!/usr/bin/env python3
"""The same bits from every compiler, optimisation level, instruction set and lane.

Compiles fingerprint.cpp by each compiler given, at -O0 and -O3, for every instruction set, runs what this processor can
run, and compares with the golden hashes (one line per bit family). A program of an instruction set that the processor
lacks is compiled and listed as not run.

usage: bits_test.py SOURCE_DIR SCRATCH_DIR GOLDEN COMPILER...
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys

FLAGS = ["-std=c++20", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-Wno-psabi", "-w"]
GNU_FLAGS = ["-fno-tree-vectorize"]  # as in cmake/PintleRooms.cmake
ISAS = {
    "baseline": ([], []),
    "avx2": (["-mavx2", "-mfma"], ["avx2", "fma"]),
    "avx512": (["-mavx512f", "-mavx512dq", "-mavx512vl", "-mavx2", "-mfma"], ["avx512f", "avx512dq", "avx512vl"]),
}


def processor_flags():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            return set(line.split(":")[1].split())
    return set()


def main():
    source, scratch, golden_file = (pathlib.Path(p) for p in sys.argv[1:4])
    compilers = sys.argv[4:]
    scratch.mkdir(parents=True, exist_ok=True)
    golden = {}
    for line in golden_file.read_text().splitlines():
        if line and not line.startswith("#"):
            golden[line.split()[0]] = line
    have = processor_flags()
    base = [str(source / "src/pintle/base/hash.cpp")]
    program_source = str(source / "tests/determinism/fingerprint.cpp")

    def build_and_run(case):
        compiler, level, isa = case
        flags, needs = ISAS[isa]
        program = scratch / f"{pathlib.Path(compiler).name}{level}-{isa}"
        gnu = [] if "clang" in pathlib.Path(compiler).name else GNU_FLAGS
        command = [compiler, *FLAGS, *gnu, level, *flags, "-DPINTLE_KERNELS", f"-I{source / 'src'}", program_source, *base, "-o", str(program)]
        compiled = subprocess.run(command, capture_output=True, text=True)
        if compiled.returncode != 0:
            return case, False, "does not compile:\n" + compiled.stderr[-3000:]
        if not set(needs) <= have:
            return case, True, "compiled, not run: this processor lacks " + isa
        ran = subprocess.run([str(program)], capture_output=True, text=True)
        text = ran.stdout.strip()
        family = text.splitlines()[-1].split()[0] if text else "?"
        if ran.returncode != 0:
            return case, False, f"exit code {ran.returncode}: {text}"
        if golden.get(family) != text:
            return case, False, f"{text}\n    golden is: {golden.get(family)}"
        return case, True, text

    cases = [(c, level, isa) for c in compilers for level in ("-O3", "-O0") for isa in ISAS]
    good = True
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (compiler, level, isa), ok, text in pool.map(build_and_run, cases):
            good &= ok
            print(f"{'ok  ' if ok else 'FAIL'} {pathlib.Path(compiler).name:10} {level} {isa:9} {text}")
    if not good:
        print("A changed hash means changed results: if that is meant, update golden.txt and say so in CHANGELOG.md.")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
