"""Reference problems through `pintle run`: motions that nobody here computed, or with a closed form, each a scene file.

The numbers are those of public collections of benchmarks, computed again in quad precision or more, and exact ones; see
tests/oracles for the same problems through the library. usage: reference_command_test.py PROGRAM
"""
import csv
import json
import math
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = sys.argv.pop()
SCENES = Path(__file__).parent / "reference_scenes"
TOLERANCE = 1e-9  # of all problems for which no other one is asked


class Run:
    """What a run says at its end, and its table."""

    def __init__(self, scene, *options):
        name = str(SCENES / f"{scene}.toml") if (SCENES / f"{scene}.toml").exists() else scene
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([PROGRAM, "run", name, "--json", "--out", folder, *options], capture_output=True,
                                  text=True, check=False)
            if done.returncode != 0:
                raise AssertionError(f"{scene}: {done.stderr}")
            self.facts = json.loads(done.stdout)
            with open(Path(folder) / "run.csv", newline="", encoding="utf-8") as file:
                self.rows = list(csv.DictReader(file))

    def q(self, name):
        return self.facts["final"]["q"][name]

    def v(self, name):
        return self.facts["final"]["v"][name]

    def column(self, name, row=-1):
        return next(float(value) for key, value in self.rows[row].items() if key.split(" [")[0] == name)

    def columns(self, sensor, parts, row=-1):
        return [self.column(f"{sensor}.{part}", row) for part in parts]

    def events(self, name):
        return [event["time"] for event in self.facts["events"] if event["name"] == name]


def turned(q, p):
    """The vector p turned by the quaternion x, y, z, w."""
    x, y, z, w = q
    t = [2 * (y * p[2] - z * p[1]), 2 * (z * p[0] - x * p[2]), 2 * (x * p[1] - y * p[0])]
    return [p[0] + w * t[0] + y * t[2] - z * t[1], p[1] + w * t[1] + z * t[0] - x * t[2],
            p[2] + w * t[2] + x * t[1] - y * t[0]]


def jacobi(u, k):
    """sn, cn, dn of the argument u and the modulus k, by the arithmetic-geometric mean (Abramowitz, Stegun 16.4)."""
    a, b, c = [1.0], math.sqrt(1 - k * k), [k]
    while abs(c[-1]) > 1e-17:
        c.append((a[-1] - b) / 2)
        a, b = a + [(a[-1] + b) / 2], math.sqrt(a[-1] * b)
    phi = 2 ** (len(a) - 1) * a[-1] * u
    for n in range(len(a) - 1, 0, -1):
        phi = (phi + math.asin(c[n] / a[n] * math.sin(phi))) / 2
    return math.sin(phi), math.cos(phi), math.sqrt(1 - (k * math.sin(phi)) ** 2)


class Reference(unittest.TestCase):
    def assert_near(self, values, expected, tolerance=TOLERANCE):
        values, expected = list(values), list(expected)
        self.assertEqual(len(values), len(expected))
        for value, wanted in zip(values, expected):
            self.assertLessEqual(abs(value - wanted), tolerance, f"{values} is not {expected}")

    def assert_orientation(self, quaternion, expected, tolerance=TOLERANCE):
        """q and -q are one orientation."""
        sign = math.copysign(1.0, sum(a * b for a, b in zip(quaternion, expected)))
        self.assert_near([sign * x for x in quaternion], expected, tolerance)

    def run_of(self, scene, *options):
        """With its ledger: what energy nobody explains is nothing."""
        run = Run(scene, *options)
        self.assertLess(abs(run.facts["energy_balance"]["residual_relative"]), 1e-9, scene)
        self.assertLess(run.facts["certificate"]["worst"], 1e-12, scene)
        return run


class SmoothMotion(Reference):
    def test_pendulum(self):
        for time, x, y in ((1, -.986291751131875, -.165010853125541), (10, .275087462576117, -.961419205099125),
                           (100, .181513351427031, -.983388480334058)):
            run = self.run_of("pendulum", "--time", f"{time} s")
            self.assert_near(run.columns("bob", "xyz"), [x, y, 0])
        times = run.events("bottom")
        self.assertEqual(len(times), 42)
        self.assert_near([(times[-1] - times[0]) / 41], [2.3678419475762374])

    def test_compound_pendulum(self):
        run = self.run_of("compound-pendulum", "--time", "5 s")
        self.assert_near(run.columns("center", "xyz"), [-1.99968386888353, 0, -.0355587475452318])
        self.assert_near([abs(run.v("arm"))], [.412436065475133])
        times = self.run_of("compound-pendulum").events("bottom")
        self.assert_near([(times[-1] - times[0]) / (len(times) - 1)], [3.39081274198811])

    def test_babyboot(self):
        run = self.run_of("babyboot")
        self.assert_near([run.q("rod"), run.q("plate")], [-1.0701134366014187, -16.222449647007136], 1e-6)
        self.assert_near([run.v("rod"), run.v("plate")], [-6.7440080753737698, -2.7795696723106602], 1e-5)

    def test_double_pendulum(self):
        for time, first, second in ((1, -2.2272028399655323, -1.4896877011075040),
                                    (5, -.91459878438393287, -7.5777109069866866)):
            run = self.run_of("double-pendulum", "--time", f"{time} s")
            self.assert_near([run.q("bar1"), run.q("bar1") + run.q("bar2")], [first, second], 1e-10)

    def test_double_pendulum_of_points_which_is_an_embedded_scene(self):
        for time, first, second in ((5, -.62718670506653073, -1.3013155502098117),
                                    (10, -.56847466401595019, -.52639372793240470)):
            run = self.run_of("pendulum-double", "--time", f"{time} s")
            self.assert_near([run.q("upper"), run.q("upper") + run.q("lower")], [first, second], 1e-10)

    def test_free_body(self):
        run = self.run_of("free-body")
        self.assert_orientation([run.q(f"body.q{x}") for x in "xyzw"],
                                [.6448312122904335, -.07100090587929592, .7364567041231458, -.1917892123463741])
        self.assert_near([run.v(f"body.w{x}") for x in "xyz"], [1.081775534910825, -4.339327331749519, 6])
        self.assert_near([run.q(f"body.{x}") for x in "xyz"], [-20, 29.5, -89.125])

    def test_heavy_top(self):
        run = self.run_of("heavy-top", "--time", "0.2 s")
        self.assert_orientation([run.q(f"top.q{x}") for x in "xyzw"],
                                [.43878108812656, .54572839614542, .08939975282389, -.70827915297434])
        self.assert_near(self.run_of("heavy-top").columns("center", "xyz"), [.1733439641, .6400885921, -.7484907911])

    def test_governor_which_is_an_embedded_scene(self):
        for time, height in ((0.1, .52383647557), (0.5, .74324942479), (1, .50142092237), (5, .53556310370),
                             (10, .61962291707)):
            run = self.run_of("governor", "--time", f"{time} s")
            self.assert_near([run.q("slider")], [height])


class ClosedForms(Reference):
    def test_torque_free_body(self):
        """Landau and Lifshitz, Mechanics, section 37."""
        inertia, start = (0.01, 0.02, 0.025), (3.0, 0.0, 5.0)
        run = self.run_of("torque-free")
        energy = sum(i * w * w for i, w in zip(inertia, start))  # twice
        square = sum((i * w) ** 2 for i, w in zip(inertia, start))
        a, b, c = inertia
        rate = math.sqrt((c - b) * (square - energy * a) / (a * b * c))
        k = math.sqrt((b - a) * (energy * c - square) / ((c - b) * (square - energy * a)))
        sn, cn, dn = jacobi(10 * rate, k)
        w = [run.v(f"body.w{x}") for x in "xyz"]
        self.assert_near(w, [math.sqrt((energy * c - square) / (a * (c - a))) * cn,
                             math.sqrt((energy * c - square) / (b * (c - b))) * sn,
                             math.sqrt((square - energy * a) / (c * (c - a))) * dn])
        momentum = turned([run.q(f"body.q{x}") for x in "xyzw"], [i * x for i, x in zip(inertia, w)])
        self.assert_near(momentum, [i * x for i, x in zip(inertia, start)], 1e-12)

    def test_lagrange_top(self):
        """Steady precession: the axis goes round at 6 rad/s and keeps its lean."""
        run = self.run_of("lagrange-top")
        axis = turned([run.q(f"top.q{x}") for x in "xyzw"], [0, 0, 1])
        lean, angle = 0.7, 6 * 2.0
        self.assert_near(axis, [math.sin(lean) * math.sin(angle), -math.sin(lean) * math.cos(angle), math.cos(lean)])

    def test_conical_pendulum(self):
        run = self.run_of("conical-pendulum")
        length, angle = 0.8, 0.6
        turn = 5 * math.sqrt(9.81 / (length * math.cos(angle)))
        self.assert_near(run.columns("bob", "xyz"), [length * math.sin(angle) * math.cos(turn),
                                                     length * math.sin(angle) * math.sin(turn),
                                                     -length * math.cos(angle)])

    def test_projectile(self):
        run = self.run_of("projectile")
        self.assert_near(run.columns("center", "xyz"), [0.05 + 6, -0.1 - 2, 0.2 + 24 - 9.81 * 2])

    def test_oscillators(self):
        run = self.run_of("oscillators")
        for name in ("in", "on", "along"):
            self.assert_near([run.q(name), run.v(name)], [0.1 * math.cos(200), -2 * math.sin(200)])


class SeedSystems(Reference):
    def test_serial_chain(self):
        """Its scene stops when a force balance is off by more than 2^-43."""
        run = self.run_of("serial-chain")
        self.assertEqual(run.facts["outcome"], "reached")
        exact = [x / 1351 for x in (-68520, 86880, -23280, 6240, -1680, 480)]
        for i, wanted in enumerate(exact, start=1):
            self.assertLessEqual(abs(run.column(f"a.bar{i}", 0) / wanted - 1), 1e-12)

    def test_free_cylinder(self):
        run = self.run_of("free-cylinder")
        self.assert_orientation([run.q(f"cylinder.q{x}") for x in "xyzw"],
                                [.453934750436129658, -.830921987131941419, -.0643239531694395,
                                 .315236931046871818], 1e-12)
        self.assert_near(run.columns("motion", ("wx", "wy", "wz")),
                         [.291136174791876, 5.08964881063528, -.103511893647194], 1e-12)

    def test_console_chain(self):
        run = self.run_of("console-chain")
        bars = range(1, 7)
        self.assert_near([run.column(f"a.bar{i}", 0) for i in bars],
                         [-51.692106498, 40.872027052, 8.555418089, 1.791495894, .378280463, .094885000], 0.5e-9)
        self.assert_near([run.q("bar1")], [-.2515896], 0.5e-7)
        self.assert_near([run.q(f"bar{i}") for i in bars[1:]], [.19152259, .04617157, .01076902, .00246697, .00065945],
                         0.5e-8)

    def test_console_link(self):
        run = self.run_of("console-link")
        self.assert_near([run.column("a.bar", 0)], [-49.132651110], 0.5e-9)
        self.assert_near([run.q("bar"), run.v("bar")], [-.082736453183, 2.849710546977])


class Files(unittest.TestCase):
    def test_every_scene_file_is_run_here(self):
        text = Path(__file__).read_text(encoding="utf-8")
        for path in SCENES.glob("*.toml"):
            self.assertIn(f'run_of("{path.stem}"', text)


if __name__ == "__main__":
    unittest.main()
