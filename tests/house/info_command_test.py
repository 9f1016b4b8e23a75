"""`pintle info`: its tree, its tables, its JSON and its errors. usage: info_command_test.py PROGRAM"""
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop()
# Two roots, a weld to the world, a branch, a coupling, limits, a name that needs escaping.
SCENE = """
name = "press"
[[body]]
name = "base"
mass = 5
inertia = [1, 1, 1]
joint = { type = "fixed", parent = "world" }
[[body]]
name = "carriage"
mass = 3
[body.joint]
type = "prismatic"
parent = "base"
axis = [1, 0, 0]
rotation = { axis = [0, 0, 1], angle = "90 deg" }
lower = "-0.5 m"
upper = "0.5 m"
restitution = 0.6
speed_limit = "2 m/s"
effort_limit = "50 N"
damping = "4 N s/m"
[body.initial]
q = "0.25 m"
[[body]]
name = "drill"
mass = 0.2
center = [0, 0, -0.1]
inertia = [3e-4, 1e-4, 2e-4]
joint = { type = "cylindrical", parent = "carriage", upper = ["5 cm", "360 deg"], armature = [0, "1e-5 kg m^2"] }
[[body]]
name = 'nut "ä\\'
mass = 0.1
inertia = [1e-4, 1e-4, 1e-4]
joint = { name = "thread", type = "screw", parent = "carriage", lead = "2 mm/rev", axis = [0, 0, -2] }
[[body]]
name = "stone"
mass = 1.7
inertia = [0.1, 0.1, 0.1]
[[coupling]]
joint = "thread"
driver = "carriage"
ratio = "10 rad/m"
offset = 0.5
[[frame]]
name = "tip"
body = "drill"
at = [0, 0, "8 cm"]
[[spring]]
from = { on = "world", at = [1, 0, 0] }
to = "stone"
stiffness = 20
[[sensor]]
name = "pose"
type = "frame-pose"
place = "tip"
[run]
duration = "3 s"
"""


def pintle(*words):
    return subprocess.run([PROGRAM, "info", *words], capture_output=True, text=True)


def answer(*words):
    done = pintle(*words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Info(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "press.toml")
        with open(cls.path, "w") as file:
            file.write(SCENE)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_tree_shows_every_body_below_the_one_it_hangs_on(self):
        done = pintle(self.path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        tree = done.stdout.split("\n\n")[1].splitlines()
        self.assertEqual(tree[0], "world")
        text = "\n".join(tree)
        for line in ("├─ base", "│  └─ carriage", "│     ├─ drill", '│     └─ nut "ä\\', "└─ stone"):
            self.assertIn("\n" + line, text)
        self.assertIn("prismatic y, -0.5 … 0.5 m, ≤ 2 m/s", text)
        self.assertIn("restitution 0.6", text)
        self.assertIn("travel ≤ 0.05 m", text)
        self.assertIn("angle ≤ 360 deg", text)
        self.assertIn("thread: screw -z, lead 2 mm/rev", text)
        self.assertIn("pitch 0.31831 mm/rad", text)
        self.assertIn("follows carriage × 10 + 0.5", text)

    def test_masses_and_totals_are_in_the_tables(self):
        text = pintle(self.path).stdout
        self.assertIn("press: 5 bodies, 5 joints (1 fixed), 9 dofs (nq 10, nv 9)", text)
        self.assertRegex(text, r"drill +0.2 +0 +0 +-0.1 +0.0001 +0.0002 +0.0003\n")
        self.assertRegex(text, r"all +10 kg, 5 kg of them move,")
        self.assertRegex(text, r"carriage +4 N s/m\n")
        for line in (r"springs +stone_spring \(world to stone\)", r"frames +tip on drill", r"sensors +pose \(frame-pose\)",
                     r"couplings +thread = 10 carriage \+ 0.5", r"start +q.carriage = 0.25 m"):
            self.assertRegex(text, "\n" + line + "\n")

    def test_what_can_touch_and_how_materials_meet(self):
        path = os.path.join(self.folder.name, "touch.toml")
        with open(path, "w") as file:
            file.write("""
[material.rubber]
density = 1000
restitution = 0.8
friction = 0.5
[material.ice]
restitution = 0.2
friction = 0.02
static_friction = 0.08
[[contact.pair]]
materials = ["rubber", "rubber"]
friction = 0.9
[[ground]]
shape = { plane = {} }
material = "ice"
[[body]]
name = "ball"
shape = { sphere = { radius = 0.1 } }
material = "rubber"
[[body]]
name = "other"
shape = { sphere = { radius = 0.1 } }
material = "rubber"
[[body]]
name = "stone"
shape = { sphere = { radius = 0.1 } }
material = "granite"
""")
        text = pintle(path).stdout
        for line in (r"touch +world \(half-space, ice\), ball \(sphere, rubber\),",
                     r"surfaces +ice with rubber: e 0.4, friction 0.1 \(static 0.2\) \(geometric mean\),",
                     r"impacts +stronge, several points: simultaneous\n"):
            self.assertRegex(text, "\n" + line)
        got = answer(path)["contact"]
        self.assertEqual([shape["body"] for shape in got["shapes"]], ["world", "ball", "other", "stone"])
        rules = {(pair["first"], pair["second"]): (pair["rule"], pair["shapes"], pair["friction"]) for pair in got["materials"]}
        self.assertEqual(rules[("rubber", "rubber")], ("given", 1, 0.9))
        self.assertEqual(rules[("ice", "granite")], ("no parameters", 1, 0))
        self.assertEqual(rules[("ice", "rubber")][:2], ("geometric mean", 2))
        self.assertIsNone(answer(self.path)["contact"])

    def test_holes_count_for_the_mass_and_are_filled_in_contact(self):
        path = os.path.join(self.folder.name, "plate.toml")
        with open(path, "w") as file:
            file.write("""
[contact]
[[body]]
name = "plate"
density = 1000
shape = { box = { size = [1, 1, 0.1] }, subtract = [{ cylinder = { radius = 0.2, length = 0.1 } }] }
""")
        self.assertRegex(pintle(path).stdout, r"\ntouch +plate \(box with 1 hole filled\)")
        got = answer(path)
        self.assertAlmostEqual(got["bodies"][0]["mass"], 100 - 4 * math.pi, 12)
        self.assertEqual([shape["filled_holes"] for shape in got["contact"]["shapes"]], [1])

    def test_units_are_those_asked_for(self):
        text = pintle(self.path, "--units", "mm, rad, g").stdout
        for part in ("mass [g]", "centre of mass [mm]", "principal inertia [g mm^2]", "-500 … 500 mm", "≤ 2000 mm/s",
                     "(0, 0, -9810) mm/s^2", "q.carriage = 250 mm", "5000 g"):
            self.assertIn(part, text)
        self.assertEqual(pintle(self.path, "--units", "si").stdout, pintle(self.path).stdout)

    def test_the_json_has_every_number_in_si_units(self):
        got = answer(self.path)
        self.assertEqual((got["scene"], got["model"], got["nq"], got["nv"]), (self.path, "press", 10, 9))
        bodies = {body["name"]: body for body in got["bodies"]}
        self.assertEqual(list(bodies), ["base", "carriage", "drill", 'nut "ä\\', "stone"])
        self.assertEqual([body["moves"] for body in got["bodies"]], [False, True, True, True, True])
        drill = bodies["drill"]
        self.assertEqual((drill["mass"], drill["parent"], drill["joint"]), (0.2, "carriage", "drill"))
        self.assertAlmostEqual(drill["center_of_mass"][2], -0.1, delta=1e-15)
        for value, wanted in zip(drill["principal_inertias"], (1e-4, 2e-4, 3e-4)):
            self.assertAlmostEqual(value, wanted, delta=1e-16)
        joints = {joint["name"]: joint for joint in got["joints"]}
        carriage = joints["carriage"]
        for value, wanted in zip(carriage["axis"], (0, 1, 0)):  # in the parent's axes
            self.assertAlmostEqual(value, wanted, delta=1e-15)
        dof = carriage["dofs"][0]
        self.assertEqual((dof["name"], dof["unit"], dof["lower"], dof["upper"], dof["speed_limit"],
                          dof["effort_limit"], dof["damping"]), ("travel", "m", -0.5, 0.5, 2, 50, 4))
        self.assertIsNone(joints["drill"]["dofs"][0]["lower"])
        self.assertEqual(joints["drill"]["dofs"][1]["armature"], 1e-5)
        self.assertIsNone(carriage["pitch"])
        self.assertIsNone(joints["base"]["axis"])
        self.assertAlmostEqual(joints["thread"]["lead"], 2e-3, delta=1e-18)
        self.assertAlmostEqual(joints["thread"]["pitch"], 2e-3 / (2 * math.pi), delta=1e-18)
        self.assertEqual((joints["thread"]["follows"], joints["carriage"]["follows"]), ("carriage", None))
        self.assertEqual(got["couplings"], [{"joint": "thread", "driver": "carriage", "ratio": 10, "offset": 0.5}])
        self.assertEqual(got["initial"]["q"]["carriage"], 0.25)
        self.assertEqual(got["run"]["duration"], 3)

    def test_the_totals_are_those_of_the_bodies_where_they_start(self):
        total = answer(self.path)["total"]
        self.assertAlmostEqual(total["mass"], 10, delta=1e-14)
        self.assertAlmostEqual(total["moving_mass"], 5, delta=1e-14)
        # the carriage, the drill and the nut are 0.25 m along y; the nut is turned by 3 rad, the drill's centre 0.1 m down
        pitch = 2e-3 / (2 * math.pi)
        centre = (0, 0.25 * 3.3 / 10, (-0.02 - 0.1 * pitch * 3) / 10)
        for value, wanted in zip(total["center_of_mass"], centre):
            self.assertAlmostEqual(value, wanted, delta=1e-14)
        zz = 1 + 2e-4 + 1e-4 + 0.1 + 3.3 * (0.25 - centre[1]) ** 2 + 6.7 * centre[1] ** 2
        self.assertAlmostEqual(total["inertia"]["zz"], zz, delta=1e-13)

    def test_lines_fit_80_columns_for_every_embedded_scene(self):
        listing = subprocess.run([PROGRAM, "scenes", "--json"], capture_output=True, text=True)
        if listing.returncode == 0:
            names = [scene["name"] for scene in json.loads(listing.stdout)["scenes"]]
        else:
            listing = subprocess.run([PROGRAM, "scenes"], capture_output=True, text=True)
            names = [line.split()[0] for line in listing.stdout.split("\n\n")[0].splitlines()]
        self.assertIn("arm", names)
        for name in [*names, self.path]:
            done = pintle(name)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            self.assertLessEqual(max(map(len, done.stdout.splitlines())), 80, name)
            answer(name)

    def test_a_deep_chain_fits_too(self):
        chain = 'name = "rope"\n[[body]]\nrepeat = 200\nname = "link{i}"\nmass = 1\ninertia = [1, 1, 1]\n' \
                'joint = { type = "spherical", parent = "link{i-1}", at = [1, 0, 0] }\n'
        path = os.path.join(self.folder.name, "rope.toml")
        with open(path, "w") as file:
            file.write(chain)
        done = pintle(path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 80)
        self.assertRegex(done.stdout, r"… 200 └ link200 +1 kg  spherical")

    def test_wrong_scenes_and_words(self):
        done = pintle("chian")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("did you mean 'chain'", done.stderr)
        done = pintle(self.path, "--set", "run.durations=3")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("duration", done.stderr)
        wrong = os.path.join(self.folder.name, "wrong.toml")
        with open(wrong, "w") as file:
            file.write(SCENE.replace("mass = 5", "mass = -5"))
        done = pintle(wrong)
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertIn(f"{wrong}:5:", done.stderr)
        self.assertEqual(answer("chain", "--set", "world.gravity=[0, 0, 1]")["gravity"], [0, 0, 1])


if __name__ == "__main__":
    unittest.main()
