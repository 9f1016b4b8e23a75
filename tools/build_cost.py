#!/usr/bin/env python3
"""What a build costs: CPU seconds by layer, and their ratio to a yardstick that is compiled in the same run.

usage: build_cost.py [--write | --check] SOURCE SCRATCH

Builds what `./run` builds (the preset `native`) from nothing in SCRATCH, in four stretches; between them the yardstick,
bench/yardstick.cpp, is compiled by both cores at once, so that it suffers from what the build suffers from. Machines
compare by the ratio. --write writes the result to bench/build.txt, --check fails when the ratio is 15 % above the one
there. As the compiler's launcher (build_cost.py --launch LOG COMMAND...) it notes what each object costs.
"""
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from build import missing_objects, read_costs, room_of, sample_seconds  # noqa: E402

ALLOWED = 1.15
STRETCHES = 4
YARDSTICK = ["g++", "-std=c++20", "-O2", "-isystem", "/usr/include/eigen3", "-c", "-o", "/dev/null"]


def launch(log: str, command: list) -> int:
    child = os.posix_spawnp(command[0], command, os.environ)
    _, status, used = os.wait4(child, 0)
    target = command[command.index("-o") + 1] if "-o" in command else ""
    with open(log, "a", encoding="utf-8") as file:
        file.write(f"{used.ru_utime + used.ru_stime:.3f} {target}\n")
    return os.waitstatus_to_exitcode(status)


def yardsticks(source: Path, jobs: int) -> list:
    """CPU seconds of as many yardsticks at once as there are jobs."""
    command = [*YARDSTICK, str(source / "bench/yardstick.cpp")]
    children = [os.posix_spawnp(command[0], command, os.environ) for _ in range(jobs)]
    times = []
    for child in children:
        _, status, used = os.wait4(child, 0)
        if status != 0:
            sys.exit(f"build_cost: failed: {' '.join(command)}; is Eigen installed?")
        times.append(used.ru_utime + used.ru_stime)
    return times


def layer_of(room: str) -> str:
    layers = ["base", "math", "spatial", "text", "files", "expression", "geometry", "model", "dynamics", "constraints",
              "simulation", "batch", "io", "run"]
    return next((layer for layer in layers if room == layer or room.startswith(layer + "_")), room)


def measure(source: Path, scratch: Path) -> dict:
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    jobs = int(os.environ.get("PINTLE_JOBS", os.cpu_count() or 2))
    log = scratch / "objects.txt"
    launcher = f"{sys.executable};{Path(__file__).resolve()};--launch;{log}"
    begin = os.times()
    subprocess.run(["cmake", "--preset", "native", "-B", str(scratch / "build"),
                    f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}"], cwd=source, check=True, capture_output=True)
    end = os.times()
    configure = end.children_user - begin.children_user + end.children_system - begin.children_system
    log.unlink(missing_ok=True)  # of what CMake tried
    ninja = ["ninja", "-C", str(scratch / "build"), "-j", str(jobs)]
    objects = missing_objects(str(scratch / "build"), ["pintle_cli"])
    found = yardsticks(source, jobs)
    wall = 0.0
    for stretch in range(STRETCHES):
        part = objects[stretch * len(objects) // STRETCHES:(stretch + 1) * len(objects) // STRETCHES]
        targets = part if stretch + 1 < STRETCHES else ["pintle_cli"]
        start = time.monotonic()
        subprocess.run([*ninja, *targets], check=True, capture_output=True)
        wall += time.monotonic() - start
        found += yardsticks(source, jobs)
    rooms = {}
    for line in log.read_text(encoding="utf-8").splitlines():
        seconds, target = line.split(" ", 1)
        room = room_of("/" + target)
        if room:
            rooms[room] = rooms.get(room, 0.0) + float(seconds)
    return {"rooms": rooms, "configure": configure, "yardstick": statistics.median(found), "wall": wall,
            "files": len(objects), "sample": statistics.median(sample_seconds() for _ in range(3))}


def main() -> int:
    words = sys.argv[1:]
    if words[:1] == ["--launch"]:
        return launch(words[1], words[2:])
    write, check = "--write" in words, "--check" in words
    words = [word for word in words if not word.startswith("--")]
    if len(words) != 2:
        sys.exit(__doc__)
    source, scratch = Path(words[0]).resolve(), Path(words[1]).resolve()
    kept_file = source / "bench/build.txt"
    kept = read_costs(str(kept_file)).get("ratio", 0.0)
    cost = measure(source, scratch)
    total = sum(cost["rooms"].values()) + cost["configure"]
    ratio = total / cost["yardstick"]
    layers = {}
    for room, seconds in cost["rooms"].items():
        layers[layer_of(room)] = layers.get(layer_of(room), 0.0) + seconds
    layers["cmake"] = cost["configure"]
    print(f"{'layer':14} {'CPU s':>7} {'yardsticks':>11}")
    for layer, seconds in sorted(layers.items(), key=lambda item: -item[1]):
        print(f"{layer:14} {seconds:7.1f} {seconds / cost['yardstick']:11.2f}")
    print(f"{'all':14} {total:7.1f} {ratio:11.2f}   {cost['files']} files, {cost['wall']:.0f} s on the wall")
    print(f"yardstick: {cost['yardstick']:.2f} CPU s; kept ratio: {kept:.2f}")
    if write:
        lines = ["# What ./run costs from nothing, by `./run bench build --keep`: the ratio to bench/yardstick.cpp, and",
                 "# CPU seconds by room on the machine that wrote this (tools/build.py tells by them how long a build takes).",
                 f"ratio {ratio:.2f}", f"yardstick {cost['yardstick']:.2f}", f"sample {cost['sample']:.3f}"]
        lines += [f"{room} {seconds:.2f}" for room, seconds in sorted(cost["rooms"].items())]
        kept_file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if check and ratio > ALLOWED * kept:
        print(f"the build has become dearer: {ratio:.2f} yardsticks, {kept:.2f} are kept in bench/build.txt (15 % more are "
              "allowed); find what costs (table above), or keep the new ratio by ./run bench build --keep")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
