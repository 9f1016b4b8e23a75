#!/usr/bin/env python3
"""A compiler's launcher that takes objects from another build of the same sources where it can.

usage: reuse_objects.py BUILD COMPILER OPTION...

Called in a build folder. BUILD is a complete build: an object that was compiled there from the same text by the same
command, but for the name of the build folder, is copied with its list of dependencies; others are compiled. Words of
BUILD's own launcher do not count.
"""
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path


def plain(words: list, folder: str) -> list:
    return [word.replace(folder, "@") for word in words]


def made_there(build: str, command: list) -> bool:
    """Whether the build made the object of this command by the same one."""
    target = command[command.index("-o") + 1]
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        for entry in json.load(file):
            words = shlex.split(entry["command"])
            if command[0] in words and target in words:
                # CMake does not list the options that write dependencies.
                return plain(words[words.index(command[0]):], build) == plain(without_dependencies(command), os.getcwd())
    return False


def without_dependencies(command: list) -> list:
    words, rest = [], iter(command)
    for word in rest:
        if word in ("-MF", "-MT"):
            next(rest)
        elif word != "-MD":
            words.append(word)
    return words


def same_text(build: str, source: str) -> bool:
    """Sources are shared; only what CMake made in the build folder can differ."""
    here = os.getcwd()
    if not source.startswith(here):
        return True
    there = Path(build + source[len(here):])
    return there.exists() and there.read_bytes().replace(build.encode(), b"@") == \
        Path(source).read_bytes().replace(here.encode(), b"@")


def main() -> int:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    build, command = sys.argv[1], sys.argv[2:]
    if "-o" in command and "-c" in command and made_there(build, command) and same_text(build, command[-1]):
        target = command[command.index("-o") + 1]
        shutil.copyfile(os.path.join(build, target), target)
        # ninja has read and removed the list there; what the object depends on is of no use to a build made once.
        if "-MF" in command:
            Path(command[command.index("-MF") + 1]).write_text(f"{target}:\n", encoding="utf-8")
        return 0
    return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main())
