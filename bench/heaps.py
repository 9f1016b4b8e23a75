#!/usr/bin/env python3
"""Heaps, stacks and walls of boxes, beside MuJoCo: CPU time of a step, penetration, what is left of the motion.

usage: heaps.py PROGRAM [--quick]      PROGRAM: the command line program; with the Python of build/peers-environment

Both engines run the same scene at the same step, MuJoCo with its default settings (Newton, pyramidal cones), Pintle with
contact = "auto", RK4 between contacts, and with balance of energy and certificates on. A step's time is the CPU time of
the process for the whole span less that for none, over the steps. Penetration is the largest of all steps.
"""
import argparse
import json
import math
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STEP = 2e-3
GRAVITY = 9.81


class Scene:
    """Boxes and balls on a floor, perhaps between walls."""

    def __init__(self, name, duration, friction=0.5):
        self.name, self.duration, self.friction = name, duration, friction
        self.bodies, self.walls = [], []

    def add(self, shape, size, mass, place, turn=(0, 0, 0, 1), velocity=(0, 0, 0)):
        self.bodies.append((shape, size, mass, tuple(place), tuple(turn), tuple(velocity)))

    def toml(self):
        text = f'name = "{self.name}"\n[material.stuff]\nfriction = {self.friction}\n'
        text += '[[ground]]\nmaterial = "stuff"\nshape = { plane = {} }\n'
        for place, size in self.walls:
            text += f'[[ground]]\nmaterial = "stuff"\nshape = {{ box = {{ size = {list(size)} }}, at = {list(place)} }}\n'
        for k, (shape, size, mass, place, turn, velocity) in enumerate(self.bodies):
            what = f"box = {{ size = {list(size)} }}" if shape == "box" else f"sphere = {{ radius = {size[0]} }}"
            text += (f'[[body]]\nname = "b{k}"\nmaterial = "stuff"\nmass = {mass}\nshapes = [ {{ {what} }} ]\n'
                     f'joint = {{ type = "free" }}\n'
                     f'initial = {{ q = {list(place + turn)}, velocity = {list(velocity)} }}\n')
        return text + f'[run]\nduration = {self.duration}\nstep = {STEP}\nintegrator = "rk4"\nrows = 2\n'

    def mjcf(self):
        text = f'<mujoco><option timestep="{STEP}" gravity="0 0 {-GRAVITY}"/><worldbody>'
        friction = f'friction="{self.friction} 0 0"'
        text += f'<geom type="plane" size="50 50 1" {friction}/>'
        for place, size in self.walls:
            text += f'<geom type="box" pos="{spaced(place)}" size="{spaced(x / 2 for x in size)}" {friction}/>'
        for shape, size, mass, place, turn, _ in self.bodies:
            half = spaced(x / 2 for x in size) if shape == "box" else f"{size[0]}"
            quat = spaced((turn[3],) + turn[:3])
            text += (f'<body pos="{spaced(place)}" quat="{quat}"><freejoint/>'
                     f'<geom type="{shape}" size="{half}" mass="{mass}" {friction}/></body>')
        return text + "</worldbody></mujoco>"


def spaced(numbers):
    return " ".join(repr(float(x)) for x in numbers)


def random_turn(source):
    q = [source.gauss(0, 1) for _ in range(4)]
    size = math.sqrt(sum(x * x for x in q))
    return [x / size for x in q]


def rest(count):
    scene = Scene("a box at rest" if count == 1 else f"{count} boxes apart, at rest", 2.0)
    for k in range(count):
        scene.add("box", (0.2, 0.2, 0.1), 1.0, (0.5 * (k % 10), 0.5 * (k // 10), 0.05))
    return scene


def stack(count, heaviest=1.0):
    scene = Scene(f"stack of {count}" if heaviest == 1.0 else f"{heaviest:g} kg on 1 kg", 5.0)
    for k in range(count):
        scene.add("box", (0.2, 0.2, 0.1), heaviest if k + 1 == count else 1.0, (0, 0, 0.05 + 0.1 * k))
    return scene


def heap(count, shape="box"):
    scene = Scene(f"heap of {count} {'boxes' if shape == 'box' else 'balls'} in a bin", 3.0)
    source, side = random.Random(count), 0.6 * max(1.0, (count / 10) ** (1 / 3))
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        at = side / 2 + 0.05
        scene.walls.append(((x * at, y * at, 1.0), (0.1 if x else side + 0.2, 0.1 if y else side + 0.2, 2.0)))
    row = max(1, int((side - 0.2) / 0.25))
    for k in range(count):
        layer, i, j = k // (row * row), k % row, k % (row * row) // row
        place = [(i - (row - 1) / 2) * 0.25 + source.uniform(-0.02, 0.02),
                 (j - (row - 1) / 2) * 0.25 + source.uniform(-0.02, 0.02), 0.2 + 0.26 * layer]
        size = [round(source.uniform(0.1, 0.16), 3) for _ in range(3)]
        scene.add(shape, size if shape == "box" else [size[0] / 2], 1.0, place, random_turn(source))
    return scene


def dominoes():
    scene = Scene("30 dominoes, the first one falls", 3.0, 0.4)
    for k in range(30):
        angle = 0.3 if k == 0 else 0.0
        scene.add("box", (0.02, 0.1, 0.2), 0.2, (0.08 * k, 0, 0.112 if k == 0 else 0.1),
                  (0, math.sin(angle / 2), 0, math.cos(angle / 2)))
    return scene


def wall():
    scene = Scene("wall of 25 bricks hit by a ball", 2.0)
    for j in range(5):
        for i in range(5):
            scene.add("box", (0.1, 0.2, 0.1), 1.0, (0, 0.2 * (i - 2) + (0.1 if j % 2 else 0.0), 0.05 + 0.1 * j))
    scene.add("sphere", (0.1,), 5.0, (-1.0, 0.03, 0.3), velocity=(4.0, 0, 1.0))
    return scene


def cpu_of(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime, done


def ours(program, scene, folder):
    path = folder / "scene.toml"
    path.write_text(scene.toml(), encoding="utf-8")
    run = [program, "run", str(path), "--out", str(folder / "out"), "--quiet"]
    nothing = min(cpu_of([*run, "--time", "0 s"])[0] for _ in range(2))
    whole, done = cpu_of(run)
    result = json.loads((folder / "out/run.json").read_text(encoding="utf-8"))
    if done.returncode != 0:
        sys.exit(f"heaps: {scene.name}: {done.stderr}")
    energy = result["energy_balance"]
    return {"step": max(whole - nothing, 0.0) / result["steps"], "penetration": result["contacts"]["penetration"],
            "residual": abs(energy["residual_relative"]), "kinetic": energy["energy"]["end"]["kinetic"],
            "law": result["contacts"]["residual"], "share": result["contacts"]["share"]}


def theirs(scene):
    import mujoco
    model = mujoco.MjModel.from_xml_string(scene.mjcf())
    data = mujoco.MjData(model)
    for k, body in enumerate(scene.bodies):
        data.qvel[6 * k:6 * k + 3] = body[5]
    steps = round(scene.duration / STEP)
    deepest, spent = 0.0, 0.0
    for _ in range(steps):
        start = time.process_time()
        mujoco.mj_step(model, data)
        spent += time.process_time() - start
        if data.ncon:
            deepest = max(deepest, -float(data.contact.dist.min()))
    mujoco.mj_energyVel(model, data)
    return {"step": spent / steps, "penetration": deepest, "kinetic": float(data.energy[1])}


SHORTEST = 1e-7  # [s] a step; what sleeps takes less than the clock of a process can tell


def columns_of(a, b):
    """The time of a step in ours and theirs, and their ratio."""
    theirs_text = f"{1e6 * b['step']:.1f} us"
    if a["step"] < SHORTEST:
        return f"< {1e6 * SHORTEST:.1f} us | {theirs_text} | > {b['step'] / SHORTEST:.0f} x"
    return f"{1e6 * a['step']:.1f} us | {theirs_text} | {b['step'] / a['step']:.2f} x"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    scenes = [rest(1), rest(100), stack(10), stack(2, 1000.0), heap(10), heap(30), dominoes(), wall()]
    if not arguments.quick:
        scenes += [heap(100), heap(100, "sphere")]
    import mujoco
    print(f"Steps of {STEP:g} s; CPU time of one core; MuJoCo {mujoco.__version__} with its default settings.\n")
    print("| scene | a step | MuJoCo | MuJoCo over ours | penetration | MuJoCo | kinetic energy at the end | MuJoCo | "
          "energy missing | laws | by time stepping |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for scene in scenes:
            a, b = ours(arguments.program, scene, Path(folder)), theirs(scene)
            print(f"| {scene.name} | {columns_of(a, b)} | {a['penetration']:.1e} m | "
                  f"{b['penetration']:.1e} m | {a['kinetic']:.0e} J | {b['kinetic']:.0e} J | {a['residual']:.0e} | "
                  f"{a['law']:.0e} | {100 * a['share']:.0f} % |", flush=True)


if __name__ == "__main__":
    main()
