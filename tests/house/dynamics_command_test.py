"""`pintle dynamics`: its numbers, its JSON and its errors. usage: dynamics_command_test.py PROGRAM"""
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop()
# reference-cases.md, table E: the serial chain of seed 000, exact.
CHAIN = [n / 1351 for n in (-68520, 86880, -23280, 6240, -1680, 480)]
# The console chain of seed 001, to the digits given there.
CONSOLE = [-51.692106498, 40.872027052, 8.555418089, 1.791495894, 0.378280463, 0.094885000]
# A bob of 2 kg, 0.5 m from its hinge, that starts level and moving; a gear hangs on it.
PENDULUM = """
name = "swing \\"1\\""
[world]
gravity = [0, 0, -10]
[[body]]
name = 'bob "ä\\'
mass = 2
center = [0.5, 0, 0]
inertia = [0, 0, 0]
joint = { type = "revolute", axis = [0, -1, 0], damping = "0.5 N m s/rad" }
initial = { q = "60 deg", v = "3 rad/s" }
[[body]]
name = "gear"
mass = 1
inertia = [0.1, 0.1, 0.1]
joint = { type = "revolute" }
[[coupling]]
joint = "gear"
driver = 'bob "ä\\'
ratio = 2
[[motor]]
joint = 'bob "ä\\'
effort = 100
rotor_inertia = "0.02 kg m^2"
gear = 5
"""


def pintle(*words):
    return subprocess.run([PROGRAM, "dynamics", *words], capture_output=True, text=True)


def answer(*words):
    done = pintle(*words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Dynamics(unittest.TestCase):
    def test_the_chain_of_seed_000_accelerates_as_the_exact_fractions_say(self):
        got = answer("chain")
        self.assertEqual(got["joints"], [f"joint{i}" for i in range(1, 7)])
        self.assertEqual((got["q"], got["v"], got["tau"]), ([0] * 6, [0] * 6, [0] * 6))
        for value, exact in zip(got["vdot"], CHAIN):
            self.assertAlmostEqual(value / exact, 1.0, delta=1e-13)

    def test_the_certificate_is_at_rounding_and_names_a_body(self):
        certificate = answer("chain", "--q", "0.1,0.2,0.3,0.4,0.5,0.6", "--v", "1,-1,1,-1,1,-1")["certificate"]
        self.assertLess(certificate["force_balance_relative"], 1e-15)
        self.assertLess(certificate["joint_balance_relative"], 1e-15)
        self.assertLess(certificate["power_balance_relative"], 1e-15)
        self.assertRegex(certificate["worst_body"], r"^link[1-6]$")

    def test_inverse_dynamics_undoes_forward_dynamics(self):
        state = ("--q", "0.3,-0.2,0.1,0.4,-0.5,0.6", "--v", "1,2,-3,1,0.5,-1")
        forward = answer("console", *state, "--tau", "0.1,-0.2,0.3,0,0.2,-0.1")
        accelerations = ",".join(map(repr, forward["vdot"]))
        inverse = answer("console", *state, "--inverse", f"--a={accelerations}")
        for value, wanted in zip(inverse["tau"], forward["tau"]):
            self.assertAlmostEqual(value, wanted, delta=1e-12)

    def test_the_table_fits_80_columns_and_shows_wrenches_and_certificate(self):
        done = pintle("chain")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 80)
        for word in ("joint6", "force [N]", "torque [N m]", "Certificate"):
            self.assertIn(word, done.stdout)

    def test_the_console_chain_of_seed_001_accelerates_as_the_seed_says(self):
        for value, wanted in zip(answer("console")["vdot"], CONSOLE):
            self.assertAlmostEqual(value, wanted, delta=6e-10)

    def test_motors_and_springs_of_a_scene_do_not_act_and_are_told(self):
        got = answer("console")
        self.assertEqual(got["tau"], [0] * 6)
        self.assertEqual({k: n for k, n in got["left_out"].items() if n}, {"motors": 1, "springs": 1})
        self.assertIn("Not included: motors 1, springs 1\n", pintle("console").stdout)
        self.assertNotIn("Left out", pintle("chain").stdout)

    def test_a_scene_file_starts_where_it_says_and_its_names_are_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "swing.toml")
            with open(path, "w") as file:
                file.write(PENDULUM)
            got = answer(path)
            name = 'bob "ä\\'
            self.assertEqual((got["scene"], got["model"]), (path, 'swing "1"'))
            self.assertEqual((got["joints"], got["coordinates"], got["dofs"]), ([name], [name], [name]))
            self.assertAlmostEqual(got["q"][0], math.pi / 3, delta=1e-15)
            self.assertEqual(got["v"], [3])
            # m l^2 + gear^2 rotor inertia + ratio^2 of the gear; weight and damper
            inertia = 2 * 0.25 + 25 * 0.02 + 4 * 0.1
            wanted = (-2 * 10 * 0.5 * 0.5 - 0.5 * 3) / inertia
            self.assertAlmostEqual(got["vdot"][0], wanted, delta=1e-13)
            self.assertEqual([w["joint"] for w in got["joint_wrenches"]], [name, "gear"])
            self.assertEqual([w["body"] for w in got["joint_wrenches"]], [name, "gear"])
            # the rod holds against the weight and swings the bob round: 2 (10 sin 60 deg + 0.5 3^2) along it
            self.assertAlmostEqual(got["joint_wrenches"][0]["force"][0], 20 * math.sin(math.pi / 3) - 9, delta=1e-12)
            self.assertAlmostEqual(answer(path, "--set", "world.gravity=[0, 0, 0]")["vdot"][0], -1.5 / inertia,
                                   delta=1e-13)
            self.assertRegex(pintle(path).stdout, r"gear +2.094395 +6 +by bob \"ä\\ ")

    def test_every_embedded_scene_has_an_answer(self):
        names = [line.split()[0] for line in subprocess.run([PROGRAM, "scenes"], capture_output=True, text=True)
                 .stdout.split("\n\n")[0].splitlines()]
        self.assertIn("arm", names)
        for name in names:
            got = answer(name)
            self.assertLess(max(got["certificate"]["force_balance_relative"],
                                got["certificate"]["joint_balance_relative"]), 1e-14, name)
            self.assertLessEqual(max(map(len, pintle(name).stdout.splitlines())), 80, name)

    def test_a_wrong_scene_is_told_with_its_place(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "swing.toml")
            with open(path, "w") as file:
                file.write(PENDULUM.replace("mass = 2", "mess = 2"))
            done = pintle(path)
            self.assertEqual((done.returncode, done.stdout), (3, ""))
            self.assertIn(f"{path}:7:1: error[scene-key]", done.stderr)
            self.assertEqual(pintle(os.path.join(folder, "none.toml")).returncode, 4)

    def test_values_by_name_are_those_of_lists_and_the_others_stay(self):
        named = answer("arm", "--q", "elbow=20 deg, hand=-0.5", "--v", "elbow=2")
        names, start = named["coordinates"], answer("arm")
        wanted = list(start["q"])
        wanted[names.index("elbow")] = math.radians(20)
        wanted[names.index("hand")] = -0.5
        self.assertEqual(named["q"], wanted)
        listed = answer("arm", "--q=" + ",".join(map(repr, wanted)), "--v=" + ",".join(map(repr, named["v"])))
        self.assertEqual(named["vdot"], listed["vdot"])

    def test_the_equation_of_motion_holds_by_the_matrices(self):
        got = answer("arm", "--q", "elbow=20 deg, wrist=0.7", "--v", "shoulder1=1,elbow=2,hand=-3", "--tau", "elbow=4")
        M, C, g = got["mass_matrix"], got["coriolis_matrix"], got["gravity"]
        dofs = [dof for joint in json.loads(subprocess.run(
            [PROGRAM, "info", "arm", "--json"], capture_output=True, text=True).stdout)["joints"]
            for dof in joint["dofs"]]
        for i, effort in enumerate(got["tau"]):
            terms = [M[i][j] * got["vdot"][j] for j in range(7)] + [C[i][j] * got["v"][j] for j in range(7)]
            v = got["v"][i]
            terms += [g[i], dofs[i]["damping"] * v, dofs[i]["friction"] * ((v > 0) - (v < 0))]
            self.assertAlmostEqual(sum(terms), effort, delta=1e-12 * sum(map(abs, terms)))
        kinetic = sum(got["v"][i] * M[i][j] * got["v"][j] for i in range(7) for j in range(7)) / 2
        self.assertAlmostEqual(got["energies"]["kinetic"], kinetic, delta=1e-13 * kinetic)

    def test_poses_and_jacobians_are_those_of_two_rods(self):
        # Rods of 1 m that hang along -y at q = 0 and turn about z.
        a, b = 0.4, 0.3
        got = answer("pendulum-double", "--q", f"upper={a},lower={b}", "--jacobian", "lower")
        self.assertEqual([pose["body"] for pose in got["poses"]], ["upper", "lower"])
        for value, wanted in zip(got["poses"][1]["position"], (math.sin(a), -math.cos(a), 0)):
            self.assertAlmostEqual(value, wanted, delta=1e-15)
        for value, wanted in zip(got["poses"][1]["quaternion"], (0, 0, math.sin((a + b) / 2), math.cos((a + b) / 2))):
            self.assertAlmostEqual(value, wanted, delta=1e-15)
        self.assertEqual(got["jacobians"][0]["place"], "lower")
        wanted = [[math.cos(a), 0], [math.sin(a), 0], [0, 0], [0, 0], [0, 0], [1, 1]]
        for row, wanted_row in zip(got["jacobians"][0]["jacobian"], wanted):
            for value, wanted_value in zip(row, wanted_row):
                self.assertAlmostEqual(value, wanted_value, delta=1e-15)
        self.assertAlmostEqual(got["energies"]["gravity"], -9.81 * (2 * math.cos(a) + math.cos(a + b)), delta=1e-13)

    def test_what_is_chosen_is_printed_within_80_columns(self):
        words = ("--mass-matrix", "--coriolis-matrix", "--gravity", "--energies", "--poses", "--jacobian", "hand")
        done = pintle("arm", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 80)
        headings = ("Mass matrix", "Coriolis matrix", "Gravity", "Energies", "Poses", "Jacobian of hand")
        places = [done.stdout.index("\n" + heading) for heading in headings]
        self.assertEqual(places, sorted(places))
        for heading in headings:
            self.assertNotIn("\n" + heading, pintle("arm").stdout)

    def test_wrong_words_are_usage_errors(self):
        for words, message in (
            (("chian",), "did you mean 'chain'"),
            ((), "SCENE"),
            (("chain", "--q", "1,2"), "--q: found 2 values, expected 6"),
            (("chain", "--v", "1,2,3,4,5,x"), "--v: value 6 is 'x'"),
            (("arm", "--q", "elbw=1"), "--q: there is no coordinate 'elbw'; did you mean 'elbow'?"),
            (("arm", "--q", "elbow=5 mm"), "--q: 'elbow=5 mm': it must be in rad, and this is m"),
            (("arm", "--q", "elbow=1,2"), "'2' has no name; give NAME=VALUE, or 7 numbers without names"),
            (("arm", "--jacobian", "hnad"), "there is no body or frame 'hnad'; did you mean 'hand'?"),
            (("chain", "--a", "1,2,3,4,5,6"), "give --tau, not --a"),
            (("chain", "--inverse", "--tau", "1,2,3,4,5,6"), "give --a, not --tau"),
        ):
            done = pintle(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
