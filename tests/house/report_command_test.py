"""`pintle report`: a scene or a robot run, and the page that shows it. usage: report_command_test.py PROGRAM"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.path.abspath(sys.argv.pop())

ROBOT = """<robot name="swing">
  <link name="base"/>
  <link name="bob"><inertial><origin xyz="0.5 0 0"/><mass value="2"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="bob"/><axis xyz="0 1 0"/></joint>
  <transmission name="motor"/>
</robot>
"""
# It falls for ever faster: nothing else stops a run before its end.
RUNAWAY = """[[body]]
name = "ball"
mass = "1 kg"
inertia = [1, 1, 1]
joint = { type = "prismatic", axis = [0, 0, 1] }
[[motor]]
joint = "ball"
effort = "1e300 * exp(1e6 * t) + q"
[run]
duration = "1 s"
integrator = "rk4"
step = "1 ms"
"""


class Report(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = Path(self.scratch.name)
        (self.folder / "swing.urdf").write_text(ROBOT)

    def tearDown(self):
        self.scratch.cleanup()

    def pintle(self, *words, code=0):
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def data(self, name):
        page = (self.folder / name).read_text(encoding="utf-8")
        return json.loads(re.search(r'<script id="pintle-data" type="application/json">(.*?)</script>', page)[1])

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_a_robot_is_one_page(self):
        out, err = self.pintle("report", "swing.urdf", "--time", "0.5 s")
        self.assertRegex(out, r"^report\.html written: swing, 2 bodies, 0\.5 s by rk4 in \d+ steps\n"
                              r"  checks          ok: energy, momentum, certificate\n$")
        self.assertEqual((err, self.files()), ("", ["report.html", "swing.urdf"]))
        data = self.data("report.html")
        self.assertEqual([body["name"] for body in data["scene"]["bodies"]], ["base", "bob"])
        self.assertEqual(data["run"]["files"], [])
        self.assertEqual(data["command"], "pintle run swing.urdf --set 'run.duration=0.5 s'")

    def test_it_is_the_page_of_run(self):
        self.pintle("report", "bounce", "page.html", "--quiet")
        self.pintle("run", "bounce", "--out", "kept", "--quiet")
        alone, kept = self.data("page.html"), self.data("kept/report.html")
        self.assertGreater(len(alone["contacts"]), 0)
        for data in (alone, kept):  # what is beside the page, and how long it took
            data["run"].pop("files")
            data["run"].pop("wall_time")
        self.assertEqual(alone, kept)

    def test_options_of_runs_and_robots(self):
        self.assertEqual(self.pintle("report", "swing.urdf", "a.html", "--integrator", "dormand-prince",
                                     "--set", "world.gravity=[0, 0, 0]", "--quiet"), ("", ""))
        self.assertEqual(self.data("a.html")["scene"]["gravity"], [0, 0, 0])
        _, err = self.pintle("report", "swing.urdf", "b.html", "--strict", code=3)
        self.assertIn("<transmission> 'motor'", err)
        _, err = self.pintle("report", "swing.urdf", "b.html", "--base", "free", code=3)
        self.assertIn("joint-without-inertia", err)
        self.assertNotIn("b.html", self.files())

    def test_a_run_that_fails_has_a_page_too(self):
        (self.folder / "runaway.toml").write_text(RUNAWAY)
        out, err = self.pintle("report", "runaway.toml", code=5)
        self.assertIn("report.html written", out)
        self.assertIn("pintle: error: t = ", err)
        self.assertNotEqual(self.data("report.html")["run"]["outcome"], "reached")

    def test_what_is_refused(self):
        before = self.files()
        _, err = self.pintle("report", "bounce", "swing.urdf", code=2)
        self.assertIn("'swing.urdf' does not end in .html", err)
        _, err = self.pintle("report", ".", code=2)
        self.assertIn("'.' is a folder", err)
        _, err = self.pintle("report", "bounce", "nowhere/a.html", code=4)
        self.assertIn("write-path", err)
        _, err = self.pintle("report", "bounec", code=2)
        self.assertIn("did you mean 'bounce'?", err)
        self.assertEqual(self.files(), before)
        self.assertEqual((self.folder / "swing.urdf").read_text(), ROBOT)


if __name__ == "__main__":
    unittest.main()
