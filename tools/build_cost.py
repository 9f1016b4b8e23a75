#!/usr/bin/env python3
"""What a build costs: CPU seconds by layer, and their ratio to a yardstick that is compiled in the same run.

usage: build_cost.py [--write | --check [--made BUILD]] SOURCE SCRATCH

Builds what `./run` builds (the preset `native`) from nothing in SCRATCH, in four stretches; between them the yardstick,
bench/yardstick.cpp, is compiled by both cores at once, so that it suffers from what the build suffers from. Machines
compare by the ratio. --write writes the result to bench/build.txt, --check fails when the ratio is 15 % above the one
there. The launcher of the compiler, tools/timed_compile.sh, notes what each object costs.

--made BUILD: a build by `./run` that has these objects among others. If it noted what they cost (it does not with
ccache) and that, beside yardsticks compiled now, is within the limit, nothing is built. If not, the load of the machine
may have changed since: the build in stretches decides.
"""
import argparse
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


def noted_seconds(build: Path, target: str) -> float:
    """CPU seconds of an object's compiler; raises OSError when nobody noted them."""
    of_compiler = Path(build, target + ".time").read_text(encoding="utf-8").splitlines()[1]
    return sum(60.0 * float(minutes) + float(seconds)
               for minutes, seconds in (time.rstrip("s").split("m") for time in of_compiler.split()))


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


def by_room(build: Path, objects: list) -> dict:
    rooms = {}
    for target in objects:
        room = room_of("/" + target)
        if room:
            rooms[room] = rooms.get(room, 0.0) + noted_seconds(build, target)
    return rooms


def configured(source: Path, build: Path) -> float:
    """Configures a build of what `./run` builds; its CPU seconds."""
    begin = os.times()
    subprocess.run(["cmake", "--preset", "native", "-B", str(build),
                    f"-DCMAKE_CXX_COMPILER_LAUNCHER={source / 'tools/timed_compile.sh'}"],
                   cwd=source, check=True, capture_output=True)
    end = os.times()
    return end.children_user - begin.children_user + end.children_system - begin.children_system


def job_count() -> int:
    return int(os.environ.get("PINTLE_JOBS", os.cpu_count() or 2))


def measure(source: Path, scratch: Path) -> dict:
    shutil.rmtree(scratch, ignore_errors=True)
    build = scratch / "build"
    configure = configured(source, build)
    jobs = job_count()
    ninja = ["ninja", "-C", str(build), "-j", str(jobs)]
    objects = missing_objects(str(build), ["pintle_cli"])
    found = yardsticks(source, jobs)
    wall = 0.0
    for stretch in range(STRETCHES):
        part = objects[stretch * len(objects) // STRETCHES:(stretch + 1) * len(objects) // STRETCHES]
        targets = part if stretch + 1 < STRETCHES else ["pintle_cli"]
        start = time.monotonic()
        subprocess.run([*ninja, *targets], check=True, capture_output=True)
        wall += time.monotonic() - start
        found += yardsticks(source, jobs)
    return {"rooms": by_room(build, objects), "configure": configure, "yardstick": statistics.median(found), "wall": wall,
            "files": len(objects), "sample": statistics.median(sample_seconds() for _ in range(3))}


def made_cost(source: Path, scratch: Path, made: Path):
    """The cost by what another build noted, or None if it did not."""
    shutil.rmtree(scratch, ignore_errors=True)
    configure = configured(source, scratch / "build")
    objects = missing_objects(str(scratch / "build"), ["pintle_cli"])
    try:
        rooms = by_room(made, objects)
    except OSError:
        return None
    found = [seconds for _ in range(3) for seconds in yardsticks(source, job_count())]
    return {"rooms": rooms, "configure": configure, "yardstick": statistics.median(found), "wall": None,
            "files": len(objects)}


def ratio_of(cost: dict) -> float:
    return (sum(cost["rooms"].values()) + cost["configure"]) / cost["yardstick"]


def show(cost: dict, kept: float):
    layers = {"cmake": cost["configure"]}
    for room, seconds in cost["rooms"].items():
        layers[layer_of(room)] = layers.get(layer_of(room), 0.0) + seconds
    print(f"{'layer':14} {'CPU s':>7} {'yardsticks':>11}")
    for layer, seconds in sorted(layers.items(), key=lambda item: -item[1]):
        print(f"{layer:14} {seconds:7.1f} {seconds / cost['yardstick']:11.2f}")
    how = f"{cost['wall']:.0f} s on the wall" if cost["wall"] else "as noted when they were made"
    print(f"{'all':14} {sum(layers.values()):7.1f} {ratio_of(cost):11.2f}   {cost['files']} files, {how}")
    print(f"yardstick: {cost['yardstick']:.2f} CPU s; kept ratio: {kept:.2f}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--made", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("scratch", type=Path)
    arguments = parser.parse_args()
    source, scratch = arguments.source.resolve(), arguments.scratch.resolve()
    kept_file = source / "bench/build.txt"
    kept = read_costs(str(kept_file)).get("ratio", 0.0)
    if arguments.made:
        cost = made_cost(source, scratch, arguments.made.resolve())
        if cost:
            show(cost, kept)
            if ratio_of(cost) <= ALLOWED * kept:
                return 0
            print("dearer than allowed, if the machine was as busy all the time: built again beside the yardstick")
    cost = measure(source, scratch)
    show(cost, kept)
    ratio = ratio_of(cost)
    if arguments.write:
        lines = ["# What ./run costs from nothing, by `./run bench build --keep`: the ratio to bench/yardstick.cpp, and",
                 "# CPU seconds by room on the machine that wrote this (tools/build.py tells by them how long a build takes).",
                 f"ratio {ratio:.2f}", f"yardstick {cost['yardstick']:.2f}", f"sample {cost['sample']:.3f}"]
        lines += [f"{room} {seconds:.2f}" for room, seconds in sorted(cost["rooms"].items())]
        kept_file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if arguments.check and ratio > ALLOWED * kept:
        print(f"the build has become dearer: {ratio:.2f} yardsticks, {kept:.2f} are kept in bench/build.txt (15 % more are "
              "allowed); find what costs (table above), or keep the new ratio by ./run bench build --keep")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
