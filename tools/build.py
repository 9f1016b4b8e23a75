#!/usr/bin/env python3
"""Builds targets of a build folder by ninja, and shows how far it is.

usage: build.py --log FILE [--jobs N] [--costs FILE] FOLDER [TARGET...]

The output of the build goes to the log; its end is shown when the build fails. The first line says how long the build
will take here: the costs of objects (bench/build.txt, CPU seconds on some machine) times how much slower this machine
compiles a small file than that one. On a terminal a progress line follows; elsewhere a line every 10 %.
"""
import argparse
import os
import re
import subprocess
import sys
import time

# A small file whose compilation takes as long as its standard headers take to read.
SAMPLE = "#include <algorithm>\n#include <map>\n#include <string>\n#include <vector>\nint main() {}\n"
SAMPLE_COMMAND = ["g++", "-std=c++20", "-O1", "-x", "c++", "-c", "-o", "/dev/null", "-"]
OBJECT = re.compile(r"^\[(\d+)/(\d+)\] (.*)$")
ROOM = re.compile(r"/(?:room_(\w+?)(?:_(?:kernels|instances)_\w+)?|(pintle_cli))\.dir/")
UNKNOWN_COST = 3.0  # CPU seconds of an object that the costs do not list: a test, say


def read_costs(path: str) -> dict:
    """CPU seconds by room, and of the sample ("sample")."""
    costs = {}
    try:
        with open(path, encoding="utf-8") as file:
            for line in file:
                words = line.split("#")[0].split()
                if len(words) == 2:
                    costs[words[0]] = float(words[1])
    except OSError:
        pass
    return costs


def sample_seconds() -> float:
    begin = os.times().children_user
    try:
        subprocess.run(SAMPLE_COMMAND, input=SAMPLE, text=True, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return 0.0
    return os.times().children_user - begin


def clock(seconds: float) -> str:
    seconds = int(round(seconds))
    return f"{seconds // 60} min {seconds % 60:02d} s" if seconds >= 60 else f"{seconds} s"


def roughly(seconds: float) -> str:
    if seconds < 50:
        return f"{max(5, 5 * round(seconds / 5))} s"
    halves = max(2, round(seconds / 30))
    return f"{halves / 2:g} min"


def missing_objects(folder: str, targets: list) -> list:
    """The objects of the targets that are not there yet."""
    listed = subprocess.run(["ninja", "-C", folder, "-t", "inputs", *(targets or ["all"])], capture_output=True, text=True)
    objects = [line for line in listed.stdout.splitlines() if line.endswith(".o")]
    return [name for name in objects if not os.path.exists(os.path.join(folder, name))]


class Costs:
    """What objects cost to compile, in CPU seconds of the machine that wrote the file."""

    def __init__(self, path: str):
        self.rooms = read_costs(path)
        self.counts = {}

    def expect(self, objects: list):
        for name in objects:
            self.counts[room_of(name)] = self.counts.get(room_of(name), 0) + 1

    def of(self, name: str) -> float:
        room = room_of(name)
        return self.rooms[room] / self.counts.get(room, 1) if room in self.rooms else UNKNOWN_COST


def room_of(step: str) -> str:
    """The room of an object, by its name; empty for others."""
    match = ROOM.search("/" + step)
    return (match.group(1) or match.group(2)) if match else ""


class Progress:
    """Shows how far a build is: by the costs of its objects where most are to be made, else by their number."""

    def __init__(self, name: str, objects: list, costs: Costs, estimate: float, log: str):
        self.costs, self.estimate = costs, estimate
        self.total = sum(map(costs.of, objects))
        self.done = 0.0
        self.begin = time.monotonic()
        self.shows_line = sys.stderr.isatty()
        self.next_tenth = 1
        what = f"{len(objects)} files, about {roughly(estimate)} here " if estimate > 3 else ""
        self.say(f"building {name}: {what}(log: {log})")

    @staticmethod
    def say(text: str):
        print(f"run: {text}", file=sys.stderr, flush=True)

    def step(self, number: int, count: int, step: str):
        if " CXX object " in step:
            self.done += self.costs.of(step)
        part = min(self.done / self.total, 1.0) if self.estimate > 0.0 else number / count
        elapsed = time.monotonic() - self.begin
        # The estimate counts for the first fifth of the work, what was measured for the rest.
        trust = min(part / 0.2, 1.0) if self.estimate > 0.0 else 1.0
        left = (1.0 - part) * (trust * elapsed / max(part, 1e-3) + (1.0 - trust) * self.estimate)
        if self.shows_line:
            cells = 24
            full = int(cells * part)
            text = f"  {'━' * full}{'─' * (cells - full)} {100 * part:3.0f} %  {number} of {count} steps  {clock(left)} left"
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
        elif 10 * part >= self.next_tenth:
            self.next_tenth = int(10 * part) + 1
            self.say(f"  {10 * int(10 * part)} %, {number} of {count} steps, {clock(left)} left")

    def end(self):
        if self.shows_line:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--log", required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--costs", default="")
    parser.add_argument("folder")
    parser.add_argument("targets", nargs="*")
    arguments = parser.parse_args()
    ninja = ["ninja", "-C", arguments.folder, "-j", str(arguments.jobs), *arguments.targets]
    costs = Costs(arguments.costs)
    objects = missing_objects(arguments.folder, arguments.targets)
    costs.expect(objects)
    os.makedirs(os.path.dirname(os.path.abspath(arguments.log)), exist_ok=True)
    estimate = 0.0
    if len(objects) > 8:
        here, there = sample_seconds(), costs.rooms.get("sample", 0.0)
        slower = here / there if here > 0.0 and there > 0.0 else 1.0
        estimate = slower * sum(map(costs.of, objects)) / min(arguments.jobs, os.cpu_count() or 1)
    progress = None
    if estimate > 0.0:
        progress = Progress(os.path.basename(arguments.folder), objects, costs, estimate, os.path.relpath(arguments.log))
    with open(arguments.log, "w", encoding="utf-8") as log:
        process = subprocess.Popen(ninja, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   env={**os.environ, "NINJA_STATUS": "[%f/%t] "})
        for line in process.stdout:
            log.write(line)
            match = OBJECT.match(line.rstrip("\n"))
            if match and progress is None and int(match.group(2)) > 4:
                progress = Progress(os.path.basename(arguments.folder), [], costs, 0.0, os.path.relpath(arguments.log))
            if match and progress:
                progress.step(int(match.group(1)), int(match.group(2)), match.group(3))
        code = process.wait()
    if progress:
        progress.end()
    if code != 0:
        with open(arguments.log, encoding="utf-8") as log:
            sys.stderr.write("".join(log.readlines()[-80:]))
        Progress.say(f"the build failed; the whole log: {arguments.log}")
    return 1 if code != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
