"""`pintle dynamics`: its numbers, its JSON and its errors. usage: dynamics_command_test.py PROGRAM"""
import json
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop()
# reference-cases.md, table E: the serial chain of seed 000, exact.
CHAIN = [n / 1351 for n in (-68520, 86880, -23280, 6240, -1680, 480)]


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

    def test_wrong_words_are_usage_errors(self):
        for words, message in (
            (("chian",), "did you mean 'chain'"),
            ((), "model"),
            (("chain", "--q", "1,2"), "--q: found 2 values, expected 6"),
            (("chain", "--v", "1,2,3,4,5,x"), "--v: value 6 is 'x'"),
            (("chain", "--a", "1,2,3,4,5,6"), "give --tau, not --a"),
            (("chain", "--inverse", "--tau", "1,2,3,4,5,6"), "give --a, not --tau"),
        ):
            done = pintle(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
