#!/usr/bin/env python3
"""Breaks lines of the sources one by one and checks that a test notices each.

usage: mutation_check.py [--list FILE] [--jobs N] [--check]

tests/mutations.txt names the file, the fragment, what to put in its place and the test program that must fail. The
tree is copied to build/mutations, where the programs must first pass unbroken. Exits with 1 when a mutation survives,
does not compile, or when its fragment is not in the file exactly once. --check looks only at the list itself.
"""
import argparse
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "mutations"
COPY = WORK / "source"
BUILD = WORK / "build"
COPIED = ["CMakeLists.txt", "cmake", "docs", "src", "tests", "LICENSE"]
FIELDS = ("file", "from", "to", "test")


@dataclass
class Mutation:
    line: int
    file: str
    original: str
    mutated: str
    test: str


def read_list(path: Path) -> list:
    """The entries of the list: four lines `field: text` each, in the order of FIELDS; # starts a comment line."""
    mutations, entry, start = [], {}, 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        field, _, text = line.partition(":")
        expected = FIELDS[len(entry)]
        if field != expected:
            sys.exit(f"{path}:{number}: expected '{expected}: ...', found '{line}'")
        start = start if entry else number
        entry[field] = text.strip()
        if len(entry) == len(FIELDS):
            mutations.append(Mutation(start, entry["file"], entry["from"], entry["to"], entry["test"]))
            entry = {}
    if entry:
        sys.exit(f"{path}:{start}: the entry lacks '{FIELDS[len(entry)]}: ...'")
    return mutations


def check_fragments(path: Path, mutations: list):
    problems = []
    for mutation in mutations:
        source = ROOT / mutation.file
        count = source.read_text(encoding="utf-8").count(mutation.original) if source.is_file() else 0
        if count != 1:
            problems.append(f"{path}:{mutation.line}: '{mutation.original}' is {count} times in {mutation.file}, "
                            "not once")
    if problems:
        sys.exit("\n".join(problems))


def copy_file(source: str, target: str):
    """Leaves equal files alone, so that a second run builds only what changed."""
    if not Path(target).is_file() or Path(source).read_bytes() != Path(target).read_bytes():
        shutil.copyfile(source, target)
    return target


def copy_tree():
    COPY.mkdir(parents=True, exist_ok=True)
    for stale in [path for path in COPY.rglob("*") if path.is_file() and not (ROOT / path.relative_to(COPY)).is_file()]:
        stale.unlink()
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, COPY / name, copy_function=copy_file, dirs_exist_ok=True)
        else:
            copy_file(str(ROOT / name), str(COPY / name))


def quiet(command: list, timeout=None):
    """The exit code, None after a timeout, and the output of a command."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              timeout=timeout)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return None, ""


def must(command: list):
    code, output = quiet(command)
    if code != 0:
        sys.exit(f"{output}\nfailed: {' '.join(map(str, command))}")


def build_command(tests: list, jobs: int) -> list:
    return ["cmake", "--build", str(BUILD), "--parallel", str(jobs), "--target", *tests]


def program(test: str) -> str:
    return str(BUILD / "bin" / test)


def prepare(tests: list, jobs: int) -> dict:
    """Builds the unbroken tree and returns how long each test may take before it counts as hanging."""
    must(["cmake", "-S", str(COPY), "-B", str(BUILD), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
          "-DCMAKE_CXX_COMPILER=g++", "-DCMAKE_CXX_FLAGS=-O1", f"-DCMAKE_RUNTIME_OUTPUT_DIRECTORY={BUILD / 'bin'}",
          "-DPINTLE_BUILD_CLI=OFF", "-DPINTLE_BUILD_EXAMPLES=OFF", "-DPINTLE_INSTALL=OFF"])
    must(build_command(tests, jobs))
    limits = {}
    for test in tests:
        start = time.monotonic()
        must([program(test)])
        limits[test] = 60.0 + 10.0 * (time.monotonic() - start)
    return limits


def try_mutation(mutation: Mutation, limit: float, jobs: int) -> str:
    source = COPY / mutation.file
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace(mutation.original, mutation.mutated), encoding="utf-8")
    try:
        code, _ = quiet(build_command([mutation.test], jobs))
        if code != 0:
            return "does not compile"
        code, _ = quiet([program(mutation.test)], timeout=limit)
        if code is None:
            return "caught (hangs)"
        return "caught" if code != 0 else "SURVIVES"
    finally:
        source.write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", type=Path, default=ROOT / "tests" / "mutations.txt")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--check", action="store_true", help="is the list sound? Breaks nothing.")
    arguments = parser.parse_args()

    mutations = read_list(arguments.list)
    if not mutations:
        sys.exit(f"{arguments.list}: holds no mutation")
    check_fragments(arguments.list, mutations)
    if arguments.check:
        return 0
    copy_tree()
    print("mutations: building and testing the unbroken tree", flush=True)
    limits = prepare(sorted({mutation.test for mutation in mutations}), arguments.jobs)

    missed = 0
    print(f"{'outcome':<18} {'test':<14} mutation", flush=True)
    for mutation in mutations:
        outcome = try_mutation(mutation, limits[mutation.test], arguments.jobs)
        missed += not outcome.startswith("caught")
        print(f"{outcome:<18} {mutation.test:<14} {mutation.file}: {mutation.original}  ->  {mutation.mutated}",
              flush=True)
    print(f"mutations: {len(mutations)} tried, {len(mutations) - missed} caught, {missed} not")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
