"""docs/lint.md and docs/bad-robots.md: every message is what `pintle check` says. usage: lint_guide_test.py PROGRAM DOCS

An example of lint.md is a robot, a change to it (diff) and the message; of bad-robots.md a file and what is printed.
"""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

DOCS = Path(sys.argv.pop()).resolve()
PROGRAM = os.path.abspath(sys.argv.pop())
BAD_ROBOTS = Path(__file__).resolve().parent / "bad_robots"


def pintle(*words, folder):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, cwd=folder)


def write_box(path):
    """finger.stl: a box of 40 x 40 x 100."""
    corners = [(x * 20, y * 20, z * 50) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]
    triangles = [(0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 6, 7), (2, 7, 3), (0, 4, 6),
                 (0, 6, 2), (1, 3, 7), (1, 7, 5)]
    data = bytes(80) + struct.pack("<I", len(triangles))
    for triangle in triangles:
        data += struct.pack("<12fH", 0, 0, 0, *(x for corner in triangle for x in corners[corner]), 0)
    path.write_bytes(data)


def changed(robot, diff):
    """The robot with lines replaced: each "-" line, which is there once, by the "+" lines behind it."""
    lines = diff.splitlines()
    at = 0
    for number, line in enumerate(lines):
        if line.startswith("-"):
            assert robot.count(line[1:] + "\n") == 1, line
            at = robot.index(line[1:] + "\n")
            robot = robot[:at] + robot[at + len(line):]
        else:
            assert line.startswith("+") and number > 0, line
            robot = robot[:at] + line[1:] + "\n" + robot[at:]
            at += len(line)
    return robot


class LintGuide(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = (DOCS / "lint.md").read_text(encoding="utf-8")
        cls.robot = re.search(r"```xml\n(.*?)```", cls.page, re.S).group(1)
        cls.examples = re.findall(r"### `([a-z-]+)`: (an error|a warning)\n(?:(?!###).)*?```diff\n(.*?)```\n\n```\n(.*?)```",
                                  cls.page, re.S)
        cls.root = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.root.name)
        write_box(cls.folder / "finger.stl")

    @classmethod
    def tearDownClass(cls):
        cls.root.cleanup()

    def check(self, text, *words):
        (self.folder / "robot.urdf").write_text(text, encoding="utf-8")
        return pintle("check", "robot.urdf", *words, folder=self.folder)

    def test_nothing_is_wrong_with_the_robot(self):
        done = self.check(self.robot)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("robot.urdf: no problems; ", done.stdout)

    def test_every_example_gives_its_message_and_no_other(self):
        self.assertGreater(len(self.examples), 25)
        for code, kind, diff, message in self.examples:
            with self.subTest(code):
                done = self.check(changed(self.robot, diff))
                self.assertIn(message, done.stdout)
                self.assertEqual(len(re.findall(r"(?:error|warning)\[", done.stdout)), 1, done.stdout)
                self.assertIn(f"{'error' if kind == 'an error' else 'warning'}[{code}]", message)
                self.assertEqual(done.returncode, 3 if kind == "an error" else 0)

    def test_every_code_of_the_linter_has_an_example(self):
        problems = (DOCS / "formats/problems.md").read_text(encoding="utf-8")
        section = problems.split("## Robots that cannot be")[1].split("\n## ")[0]
        codes = set(re.findall(r"^\| `([a-z-]+)` \|", section, re.M))
        self.assertEqual(codes - {code for code, *_ in self.examples}, set())

    def test_all_at_once(self):
        text = self.robot
        for code, _, diff, _ in self.examples:
            if code in ("urdf-link-unknown", "urdf-axis-length", "inertia-negative", "urdf-limit-zero", "urdf-mimic-unknown"):
                text = changed(text, diff)
        found = json.loads(self.check(text, "--json").stdout)
        self.assertEqual([problem["code"] for problem in found["problems"]],
                         ["inertia-negative", "urdf-link-unknown", "urdf-axis-length", "urdf-limit-zero",
                          "urdf-mimic-unknown"])
        log = json.loads(self.check(text, "--sarif").stdout)
        self.assertEqual([result["ruleId"] for result in log["runs"][0]["results"]],
                         [problem["code"] for problem in found["problems"]])

    def test_what_is_lost_of_a_robot_is_in_sarif_too(self):
        text = self.robot.replace('<link name="base"/>', '<link name="base"/>\n  <gazebo/>')
        for words, level, code in (([], "note", 0), (["--strict"], "error", 3)):
            done = self.check(text, "--sarif", *words)
            results = json.loads(done.stdout)["runs"][0]["results"]
            self.assertEqual([(result["ruleId"], result["level"]) for result in results], [("urdf-loss", level)])
            self.assertEqual(results[0]["locations"][0]["physicalLocation"]["region"], {"startLine": 5, "startColumn": 3})
            self.assertEqual(done.returncode, code)

    def test_commands_that_use_a_robot_only_count_many_warnings(self):
        text = self.robot
        for code, _, diff, _ in self.examples:
            if code in ("urdf-axis-length", "urdf-limit-zero", "urdf-material-unknown", "urdf-shape-place"):
                text = changed(text, diff)
        (self.folder / "robot.urdf").write_text(text, encoding="utf-8")
        done = pintle("info", "robot.urdf", folder=self.folder)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, "robot.urdf: 4 warnings; 'pintle check robot.urdf' lists them\n")


class FixInertia(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.TemporaryDirectory()
        self.folder = Path(self.root.name)
        self.text = (BAD_ROBOTS / "impossible_inertia.urdf").read_text(encoding="utf-8")
        (self.folder / "bad.urdf").write_text(self.text, encoding="utf-8")

    def tearDown(self):
        self.root.cleanup()

    def mend(self, *words):
        return pintle("check", *words, folder=self.folder)

    def test_only_the_numbers_change_and_what_is_written_is_fine(self):
        done = self.mend("bad.urdf", "--fix-inertia", "mended.urdf")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("mended.urdf: 1 of 1 inertia changed:\n  line 8: link 'link1': principal moments ", done.stdout)
        self.assertIn("izz 1.67636 -> 1.11", done.stdout)
        self.assertIn("this is a large change", done.stdout)
        self.assertIn("\nmended.urdf: no problems; ", done.stdout)
        mended = (self.folder / "mended.urdf").read_text(encoding="utf-8")
        blank = re.compile(r'(i[xyz]{2})="[^"]*"')
        self.assertEqual(blank.sub(r'\1=""', mended), blank.sub(r'\1=""', self.text))
        self.assertEqual((self.folder / "bad.urdf").read_text(encoding="utf-8"), self.text)
        again = self.mend("mended.urdf", "--fix-inertia", "mended.urdf")
        self.assertIn("mended.urdf: 0 of 1 inertia changed\n", again.stdout)
        self.assertEqual((self.folder / "mended.urdf").read_text(encoding="utf-8"), mended)

    def test_for_programs(self):
        found = json.loads(self.mend("bad.urdf", "--fix-inertia", "mended.urdf", "--json").stdout)
        self.assertEqual((found["scene"], found["errors"]), ("mended.urdf", 0))
        change, = found["inertia_changes"]
        self.assertEqual((change["link"], change["line"], change["before"][5]), ("link1", 8, 1.676359))
        self.assertIn(f'izz="{change["after"][5]}"', (self.folder / "mended.urdf").read_text(encoding="utf-8"))
        done = self.mend("bad.urdf", "--fix-inertia", "mended.urdf", "--sarif")
        self.assertEqual(json.loads(done.stdout)["runs"][0]["results"], [])
        self.assertIn("1 of 1 inertia changed", done.stderr)

    def test_what_cannot_be_mended_stays_and_is_told(self):
        text = self.text.replace('mass value="1.559"', 'mass value="-1.559"')
        (self.folder / "bad.urdf").write_text(text, encoding="utf-8")
        done = self.mend("bad.urdf", "--fix-inertia", "mended.urdf")
        self.assertEqual(done.returncode, 3)
        self.assertIn("line 7: link 'link1': the mass is -1.559 kg; it was not changed: ", done.stdout)
        self.assertEqual((self.folder / "mended.urdf").read_text(encoding="utf-8"), text)

    def test_nothing_is_written_where_there_is_no_robot_or_no_room(self):
        (self.folder / "scene.toml").write_text("[run]\n", encoding="utf-8")
        (self.folder / "torn.urdf").write_text(self.text[:300], encoding="utf-8")
        (self.folder / "folder").mkdir()
        for words, code in ((["scene.toml", "out.urdf"], 3), (["torn.urdf", "out.urdf"], 3), (["none.urdf", "out.urdf"], 4),
                            (["bad.urdf", "folder"], 4), (["bad.urdf", "no/such/out.urdf"], 4)):
            done = self.mend(words[0], "--fix-inertia", words[1])
            self.assertEqual((done.returncode, done.stdout), (code, ""), words)
            self.assertTrue(done.stderr.startswith("pintle: error: "), done.stderr)
            self.assertFalse((self.folder / "out.urdf").exists())


class BadRobots(unittest.TestCase):
    def test_the_page_has_the_files_and_what_is_said_of_them(self):
        page = (DOCS / "bad-robots.md").read_text(encoding="utf-8")
        examples = re.findall(r"\$ pintle check (\S+)\n(.*?)```", page, re.S)
        self.assertEqual({name for name, _ in examples}, {path.name for path in BAD_ROBOTS.glob("*.urdf")})
        for name, message in examples:
            with self.subTest(name):
                done = pintle("check", name, folder=BAD_ROBOTS)
                self.assertEqual(done.returncode, 3)
                self.assertTrue(done.stdout.startswith(message), done.stdout)


if __name__ == "__main__":
    unittest.main()
