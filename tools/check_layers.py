#!/usr/bin/env python3
"""Checks the rooms (folders) of src/pintle: who includes whom, by rooms.txt, and what public headers may bring along.

usage: check_layers.py [ROOT]     (ROOT: the repository, by default the one this file is in)

Prints one line per problem, `file:line: what; why; fix`, and exits with 1 when there is any.
"""
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOMS = Path(__file__).resolve().parent / "rooms.txt"
HEAVY = {"memory", "functional", "ranges", "iostream", "sstream", "regex", "thread"}
# Headers of the compiler for vector instructions; everything else that is not standard C++ has a dot or a slash.
COMPILER_HEADERS = {"immintrin.h", "arm_neon.h"}
EIGEN_ADAPTOR = "src/pintle/eigen.h"
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]*)"|<([^>]*)>)')


@dataclass(frozen=True)
class Include:
    line: int
    name: str
    quoted: bool


class Tree:
    """The sources of src/pintle with their includes; files are named relative to src, as includes are."""

    def __init__(self, root: Path, rooms: dict):
        self.src = root / "src"
        self.rooms = rooms
        self.problems = []
        self.text = {}
        self.includes = {}
        for path in sorted((self.src / "pintle").rglob("*")):
            if path.suffix in (".h", ".cpp"):
                name = path.relative_to(self.src).as_posix()
                self.text[name] = path.read_text(encoding="utf-8")
                self.includes[name] = list(includes_of(self.text[name]))

    def report(self, file: str, line: int, what: str, why: str, fix: str):
        self.problems.append(f"src/{file}:{line}: {what}; {why}; {fix}")


def includes_of(text: str):
    for number, line in enumerate(text.splitlines(), start=1):
        match = INCLUDE.match(line)
        if match:
            quoted = match.group(1) is not None
            yield Include(number, match.group(1) if quoted else match.group(2), quoted)


def room_of(name: str):
    """The room of a file or include name `pintle/<room>/<file>`; None for an umbrella header `pintle/<name>.h`."""
    return "/".join(name.split("/")[1:-1]) or None


def read_rooms(text: str) -> dict:
    """Of each room those that it may include, in the order of the file."""
    rooms = {}
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        room, _, allowed = line.partition(":")
        for other in allowed.split():
            if other not in rooms:
                raise SystemExit(f"tools/rooms.txt:{number}: '{room}' may include '{other}', which does not stand above it")
        rooms[room] = allowed.split()
    return rooms


def check_folders(tree: Tree):
    for room in sorted({room_of(file) for file in tree.includes if room_of(file)}):
        if room not in tree.rooms:
            tree.report(f"pintle/{room}", 1, "folder is no room", "tools/rooms.txt does not know it",
                        "move its files, or add a line")


def check_form(tree: Tree):
    for file, includes in tree.includes.items():
        for include in includes:
            if include.quoted and not include.name.startswith("pintle/"):
                tree.report(file, include.line, f'includes "{include.name}"',
                            "an include must show the room it reaches into", 'write "pintle/<room>/<file>.h"')
            elif not include.quoted and include.name.startswith("pintle/"):
                tree.report(file, include.line, f"includes <{include.name}>", "angle brackets are for other libraries",
                            f'write "{include.name}"')
            elif include.quoted and include.name not in tree.includes:
                tree.report(file, include.line, f'includes "{include.name}"', "there is no such file",
                            "correct the name or add the file")


def check_order(tree: Tree):
    for file, includes in tree.includes.items():
        room = room_of(file)
        if room not in tree.rooms:
            continue
        for include in includes:
            if not include.name.startswith("pintle/"):
                continue
            target = room_of(include.name)
            if target is None:
                tree.report(file, include.line, f'includes the umbrella header "{include.name}"',
                            "it brings every room, also later ones", "include the files that are used")
            elif target in tree.rooms and target != room and target not in tree.rooms[room]:
                tree.report(file, include.line, f'room {room} includes "{include.name}"',
                            f"tools/rooms.txt does not let {room} include {target}",
                            f"move the code into {target} or later, or what it needs into an earlier room")


def check_dynamics_knows_no_geometry(tree: Tree):
    """Follows the includes of dynamics/ and reports every step from outside geometry/ into it."""
    def is_in(name: str, layer: str) -> bool:
        return (room_of(name) or "").split("/")[0] == layer

    reached = [file for file in tree.includes if is_in(file, "dynamics")]
    seen = set(reached)
    while reached:
        file = reached.pop()
        for include in tree.includes[file]:
            if is_in(include.name, "geometry"):
                tree.report(file, include.line, f'includes "{include.name}" and is reached from dynamics/',
                            "dynamics must not depend on geometry", "forward-declare the type")
            elif include.name in tree.includes and include.name not in seen:
                seen.add(include.name)
                reached.append(include.name)


def check_public_headers(tree: Tree):
    for file, includes in tree.includes.items():
        if not file.endswith(".h"):
            continue
        if not re.search(r"^#pragma once$", tree.text[file], re.MULTILINE):
            tree.report(file, 1, "has no #pragma once", "a header may be included twice", "add the line")
        for include in includes:
            if include.quoted or include.name.startswith("pintle/") or f"src/{file}" == EIGEN_ADAPTOR:
                continue
            if include.name in HEAVY:
                tree.report(file, include.line, f"public header includes <{include.name}>",
                            "it costs every user compile time", "use it in the .cpp file only")
            elif not re.fullmatch(r"[a-z_0-9]+", include.name) and include.name not in COMPILER_HEADERS:
                tree.report(file, include.line, f"public header includes <{include.name}>",
                            "users must need no other library, and C++ headers have no .h",
                            "use it in the .cpp file only, or write the C++ name")


def check(root: Path, rooms: dict = None) -> list:
    tree = Tree(root, rooms or read_rooms(ROOMS.read_text(encoding="utf-8")))
    for rule in (check_folders, check_form, check_order, check_dynamics_knows_no_geometry, check_public_headers):
        rule(tree)
    if not tree.includes:
        tree.report("pintle", 1, "holds no sources", "nothing was checked", "give the root of the repository")
    return tree.problems


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    problems = check(root)
    for problem in problems:
        print(problem)
    print(f"layers: {len(problems)} problem(s)" if problems else "layers: in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
