#!/usr/bin/env python3
"""Checks that objects compiled for one instruction set define no symbol that another object could define too.

usage: check_isa_symbols.py BUILD_FOLDER

An inline function compiled with -mavx2 in one object and without in another is one symbol to the linker, which keeps
either. So every global or weak symbol of an object of a target ..._kernels_<isa> or ..._instances_<isa> must have the
namespace of its kind and instruction set in its name. Baseline objects are not checked: their code runs everywhere.
Prints one line per foreign symbol and exits with 1 when there is any, or when there is no object to check.
"""
import re
import subprocess
import sys
from pathlib import Path

TARGET = re.compile(r"_(kernels|instances)_(avx2|avx512)\.dir/")
NAMESPACE = {"kernels": "kernels", "instances": "inline"}
# Written by the compiler itself and the same for every instruction set: a pointer to the exception personality, and
# clang's call of std::terminate.
COMPILER_SYMBOLS = {"DW.ref.__gxx_personality_v0", "__clang_call_terminate"}
GLOBAL_KINDS = set("TWVuRDBGSiC")


def namespace_of(path: Path):
    """The namespace that the symbols of an object must be in; None when the object is not one to check."""
    match = TARGET.search(path.as_posix())
    return f"{NAMESPACE[match.group(1)]}_{match.group(2)}" if match else None


def foreign_symbols(symbols: list, namespace: str) -> list:
    """Those of the lines of `nm -C` that define a global or weak symbol outside the namespace."""
    component = re.compile(rf"\bpintle::{namespace}::")
    foreign = []
    for line in symbols:
        match = re.match(r"^[0-9a-f]* *([A-Za-z]) (.*)$", line)
        if not match or match.group(1) not in GLOBAL_KINDS:
            continue
        name = match.group(2)
        if name not in COMPILER_SYMBOLS and not component.search(name):
            foreign.append(name)
    return foreign


def symbols_of(path: Path) -> list:
    command = ["nm", "-C", "--defined-only", str(path)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def check(build: Path) -> int:
    objects = [(path, namespace_of(path)) for path in sorted(build.rglob("*.o")) if namespace_of(path)]
    if not objects:
        print(f"{build}: no object of a target ..._kernels_<isa> or ..._instances_<isa>; nothing was checked")
        return 1
    problems = 0
    for path, namespace in objects:
        for name in foreign_symbols(symbols_of(path), namespace):
            problems += 1
            print(f"{path.relative_to(build)}: defines '{name}'; it is not in pintle::{namespace}, so the linker may "
                  f"use this copy elsewhere; make it always inline, local, or move it into PINTLE_ISA")
    print(f"isa symbols: {len(objects)} objects, {problems} foreign symbol(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(check(Path(sys.argv[1])))
