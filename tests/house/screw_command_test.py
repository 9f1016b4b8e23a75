"""`pintle screw`: known screws, bad input. usage: screw_command_test.py PROGRAM"""
import json
import math
import os
import re
import subprocess
import sys
import unittest

PROGRAM = os.path.abspath(sys.argv.pop())
SIX_OF_A_TWIST = "; give six numbers vx,vy,vz,wx,wy,wz"


def pintle(*words, **options):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, **options)


class ScrewTest(unittest.TestCase):
    """Calls `pintle screw` and reads its answer."""

    def screws(self, *words):
        done = pintle("screw", "--json", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def screw(self, *words):
        (screw,) = self.screws(*words)["screws"]
        self.assertEqual(sorted(screw), sorted(
            ["kind", "point", "direction", "pitch", "magnitude", "infinite_pitch", "residual"]))
        return screw

    def assertNear(self, actual, expected):
        self.assertEqual(len(actual), len(expected))
        for a, b in zip(actual, expected):
            self.assertAlmostEqual(a, b, delta=1e-14)

    def table(self, *words):
        done = pintle("screw", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 80)
        return re.sub(" +", " ", done.stdout)


class KnownScrews(ScrewTest):
    def test_a_rotation_about_a_line_has_that_line_and_pitch_zero(self):
        screw = self.screw("--twist", "4,-2,0,0,0,2")  # about z through (1, 2, 0): v = p x w
        self.assertEqual(screw, {"kind": "twist", "point": [1, 2, 0], "direction": [0, 0, 1], "pitch": 0,
                                 "magnitude": 2, "infinite_pitch": False, "residual": 0})

    def test_the_lead_is_the_advance_of_one_turn(self):
        table = self.table("--twist", "0,0,0.1,0,0,2")
        self.assertIn("pitch 0.05 m/rad\n", table)
        self.assertIn("lead 314.159 mm/rev\n", table)
        self.assertIn("magnitude 2 rad/s\n", table)
        self.assertRegex(table, r"check \d\.\de[+-]\d\d ")

    def test_a_pure_translation_has_an_infinite_pitch(self):
        screw = self.screw("--twist", "0,-3,4,0,0,0")
        self.assertNear(screw["direction"], [0, -0.6, 0.8])
        self.assertEqual((screw["pitch"], screw["infinite_pitch"], screw["magnitude"]), (None, True, 5))
        table = self.table("--twist", "0,-3,4,0,0,0")
        self.assertIn("pitch infinite (pure translation)\n", table)
        self.assertIn("magnitude 5 m/s\n", table)

    def test_a_force_acts_along_its_central_axis(self):
        screw = self.screw("--wrench", "0,0,10,20,0,5")  # through (0, 2, 0): p x f = (20, 0, 0)
        self.assertEqual((screw["kind"], screw["magnitude"], screw["pitch"]), ("wrench", 10, 0.5))
        self.assertNear(screw["point"], [0, 2, 0])
        table = self.table("--wrench", "0,0,10,20,0,5")
        self.assertIn("pitch 0.5 m\n", table)
        self.assertIn("magnitude 10 N\n", table)
        self.assertNotIn("lead", table)

    def test_a_pure_couple_has_an_infinite_pitch(self):
        screw = self.screw("--wrench", "0,0,0,0,7,0")
        self.assertEqual((screw["pitch"], screw["infinite_pitch"], screw["magnitude"]), (None, True, 7))
        table = self.table("--wrench", "0,0,0,0,7,0")
        self.assertIn("pitch infinite (pure couple)\n", table)
        self.assertIn("magnitude 7 N m\n", table)

    def test_a_half_turn_turns_about_the_middle(self):
        screw = self.screw("--pose", "2,0,3,0,0,1,0")
        self.assertEqual(screw["kind"], "displacement")
        self.assertNear(screw["point"], [1, 0, 0])
        self.assertNear([abs(screw["direction"][2]), screw["magnitude"]], [1, math.pi])
        self.assertNear([abs(screw["pitch"])], [3 / math.pi])
        self.assertLess(screw["residual"], 1e-14)
        table = self.table("--pose", "2,0,3,0,0,1,0")
        self.assertIn("magnitude 180 deg\n 3.14159 rad\n", table)

    def test_a_pose_without_rotation_is_a_translation(self):
        screw = self.screw("--pose", "0,2,0,0,0,0,1")
        self.assertEqual((screw["pitch"], screw["infinite_pitch"], screw["magnitude"]), (None, True, 2))
        self.assertIn("magnitude 2 m\n", self.table("--pose", "0,2,0,0,0,0,1"))

    def test_zero_has_no_motion_and_any_axis(self):
        for words in (["--twist", "0,0,0,0,0,0"], ["--wrench", "0,0,0,0,0,0"], ["--pose", "0,0,0,0,0,0,1"]):
            screw = self.screw(*words)
            self.assertEqual((screw["magnitude"], screw["pitch"], screw["infinite_pitch"]), (0, 0, False))
            self.assertIn("zero: any line is an axis", self.table(*words))

    def test_a_nearly_unit_quaternion_is_normalised(self):
        screw = self.screw("--pose", "0,0,0,0,0,0.70710678,0.70710678")
        self.assertNear([screw["magnitude"]], [math.pi / 2])


class Input(ScrewTest):
    def test_negative_numbers_spaces_and_plus_signs(self):
        expected = self.screw("--twist", "0,-1,0,0,0,2")
        for words in (["--twist", "0, -1, 0, 0, 0, 2"], ["--twist=0,-1,0,0,0,2"], ["--twist", " +0 ,-1.0,0,0,0,+2e0 "]):
            self.assertEqual(self.screw(*words), expected)
        expected = self.screw("--twist=-0.5,0,0,0,0,1")
        for words in (["--twist", "-0.5,0,0,0,0,1"], ["--twist", "-.5,0,0,0,0,1"]):
            self.assertEqual(self.screw(*words), expected)

    def test_json_gives_back_every_bit(self):
        value = 0.1 + 0.2
        screw = self.screw("--twist", f"0,0,0,0,0,{value!r}")
        self.assertEqual(screw["magnitude"], value)

    def test_several_are_printed_in_the_order_given(self):
        answer = self.screws("--pose", "0,0,0,0,0,0,1", "--wrench", "1,0,0,0,0,0", "--twist", "1,0,0,0,0,1",
                             "--wrench", "0,0,2,0,0,0")
        self.assertEqual([screw["kind"] for screw in answer["screws"]], ["displacement", "wrench", "twist", "wrench"])
        self.assertEqual(answer["powers"], [{"twist": 2, "wrench": 1, "power": 1, "reciprocal": False},
                                            {"twist": 2, "wrench": 3, "power": 0, "reciprocal": True}])

    def test_without_a_twist_and_a_wrench_there_is_no_power(self):
        self.assertEqual(self.screws("--twist", "1,0,0,0,0,1")["powers"], [])

    def test_reciprocal_screws_are_named_in_spite_of_rounding(self):
        words = ["--twist", "0.1,0.2,0,0,0,1", "--wrench", "3,0,0,0,0,-0.3"]
        self.assertRegex(self.table(*words), r"power of wrench 2 on twist 1: \S+ W, reciprocal\n")
        self.assertIn(": -0.2 W, not reciprocal\n", self.table("--twist", "0,0,1,0,0,0", "--wrench", "0,0,-0.2,0,0,0"))


class BadInput(unittest.TestCase):
    def assertRefused(self, words, message):
        done = pintle(*words)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done)
        self.assertIn(f"pintle: error: {message}", done.stderr)

    def test_a_wrong_value_is_named_with_its_place(self):
        for text, message in {
            "0,0,0,abc,0,0": "value 4 is 'abc', expected a number",
            "0,0,0,1x,0,0": "value 4 is '1x', expected a number",
            "0x10,0,0,0,0,0": "value 1 is '0x10', expected a number",
            "+-1,0,0,0,0,0": "value 1 is '+-1', expected a number",
            "0 0,0,0,0,0": "value 1 is '0 0', expected a number",
            "0,nan,0,0,0,0": "value 2 is 'nan', expected a finite number",
            "0,0,0,0,0,-inf": "value 6 is '-inf', expected a finite number",
            "0,0,1e999,0,0,0": "value 3 is '1e999', beyond the range of a double",
            "0,0,,0,0,0": "value 3 is empty, expected a number",
            "0,0,0,0,0,1,": "value 7 is empty, expected a number",
            "1,2,3": "found 3 values, expected 6",
            "1": "found 1 value, expected 6",
            "1,2,3,4,5,6,7": "found 7 values, expected 6",
            "[1,2,3,4,5,6]": "value 1 is '[1', expected a number",
            "--json": "value 1 is '--json', expected a number",
            "  ": "nothing is given",
        }.items():
            with self.subTest(text=text):
                self.assertRefused(["screw", "--twist", text], f"--twist: {message}{SIX_OF_A_TWIST}\n")

    def test_an_empty_value_is_none(self):
        self.assertRefused(["screw", "--twist", ""], "--twist: the value is empty")

    def test_every_option_says_what_it_expects(self):
        self.assertRefused(["screw", "--wrench", "1"], "--wrench: found 1 value, expected 6; "
                           "give six numbers fx,fy,fz,nx,ny,nz\n")
        self.assertRefused(["screw", "--pose", "1"], "--pose: found 1 value, expected 7; "
                           "give seven numbers x,y,z,qx,qy,qz,qw\n")

    def test_one_bad_list_among_good_ones_prints_nothing(self):
        self.assertRefused(["screw", "--twist", "0,0,0,0,0,1", "--wrench", "x"], "--wrench: value 1 is 'x'")

    def test_a_quaternion_that_is_not_a_rotation(self):
        self.assertRefused(["screw", "--pose", "0,0,0,0,0,0,2"], "--pose: the quaternion (values 4 to 7) has norm 2,")
        self.assertRefused(["screw", "--pose", "0,0,0,0,0,0,0"], "--pose: the quaternion (values 4 to 7) has norm 0,")

    def test_a_screw_beyond_the_range_of_numbers(self):
        for twist in ("1e308,0,0,0,0,1e-300", "0,0,1e308,0,0,1e-300", "1.7e308,1.7e308,0,0,0,0"):
            self.assertRefused(["screw", "--twist", twist], "the screw of this twist is beyond the range of a double")
        self.assertRefused(["screw", "--twist", "1e200,0,0,0,0,0", "--wrench", "1e200,0,0,0,0,0"], "the power of ")

    def test_nothing_given_says_what_to_give(self):
        self.assertRefused(["screw"], "screw: nothing is given; give --twist, --wrench or --pose, for example\n"
                           "  pintle screw --twist 0,0,0.1,0,0,2\n")
        self.assertRefused(["screw", "--json"], "screw: nothing is given")
        self.assertRefused(["screw", "--twist"], "--twist: 1 required vx,vy,vz,wx,wy,wz missing")

    def test_unknown_words(self):
        self.assertRefused(["screw", "--frobnicate"], "")


if __name__ == "__main__":
    unittest.main()
