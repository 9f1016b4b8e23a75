#!/usr/bin/env python3
"""Draws docs/single-point.svg: the scene `cylinder` by seed 004's single point, and by all points of contact.

usage: plot_single_point.py ROOT PROGRAM
"""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

UNTIL = 1.5  # s
RUNS = (("single_point = true", "true", "#c8553d"), ("all points (the default)", "false", "#28589c"))
WIDTH, HEIGHT, LEFT, TOP, WIDE, HIGH, STEP = 1050, 330, 62, 48, 270, 230, 345


def run(program, single_point):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [program, "run", "cylinder", "--quiet", "--time", f"{UNTIL} s", "--set", f"contact.single_point={single_point}", "--out", folder],
            check=True)
        with open(pathlib.Path(folder) / "run.csv", newline="") as file:
            rows = list(csv.reader(file))
    names = [name.split(" ")[0] for name in rows[0]]
    columns = {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(names)}
    upright = [max(-1.0, min(1.0, u)) for u in columns["upright"]]
    tilt = [math.degrees(math.acos(abs(u))) for u in upright]
    return columns["t"], (columns["height"], tilt, columns["energy.total"])


def panel(number, title, ticks, curves):
    low, high = ticks[0], ticks[-1]
    x = lambda t: LEFT + number * STEP + WIDE * t / UNTIL
    y = lambda value: TOP + HIGH * (high - value) / (high - low)
    lines = [f'<text x="{x(0):.1f}" y="{TOP - 12}" font-weight="bold">{title}</text>']
    for tick in ticks:
        lines.append(f'<path d="M{x(0):.1f},{y(tick):.1f}H{x(UNTIL):.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{x(0) - 6:.1f}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for tick in (0.0, 0.5, 1.0, 1.5):
        lines.append(f'<path d="M{x(tick):.1f},{TOP}V{TOP + HIGH}" stroke="#ddd"/>')
        lines.append(f'<text x="{x(tick):.1f}" y="{TOP + HIGH + 16}" text-anchor="middle">{tick:g} s</text>')
    for (_, _, color), (times, values) in zip(RUNS, curves):
        points = " ".join(f"{x(t):.1f},{y(value):.1f}" for t, value in zip(times, values))
        lines.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.6" stroke-linejoin="round"/>')
    return lines


def main():
    root, program = pathlib.Path(sys.argv[1]), sys.argv[2]
    results = [run(program, word) for _, word, _ in RUNS]
    panels = (("height of the middle [mm]", (20, 40, 60, 80, 100)), ("tilt of the axis [degrees]", (0, 30, 60, 90)),
              ("kinetic and gravity energy [J]", (0, 0.5, 1, 1.5, 2)))
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
             'font-family="sans-serif" font-size="11">', '<rect width="100%" height="100%" fill="white"/>']
    for k, (name, _, color) in enumerate(RUNS):
        lines.append(f'<text x="{LEFT + 200 * k}" y="18" font-weight="bold" fill="{color}">{name}</text>')
    for number, (title, ticks) in enumerate(panels):
        lines += panel(number, title, ticks, [(times, columns[number]) for times, columns in results])
    (root / "docs" / "single-point.svg").write_text("\n".join(lines + ["</svg>", ""]))


if __name__ == "__main__":
    main()
