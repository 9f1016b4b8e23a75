"""pintle convert: scenes and robots as each other. usage: convert_command_test.py PROGRAM SCENES"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCENES = Path(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())

ARM = """<?xml version="1.0"?>
<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
      <inertia ixx="0.04" ixy="0" ixz="0" iyy="0.04" iyz="0" izz="0.002"/></inertial>
    <visual><origin rpy="1.5708 0 0"/><geometry><mesh filename="package://arm_parts/upper.stl" scale="0.1 0.1 0.2"/></geometry></visual>
    <collision><geometry><mesh filename="package://arm_parts/upper.stl"/></geometry></collision>
    <collision><geometry><box size="0.1 0.1 1"/></geometry></collision>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="30" velocity="40"/>
  </joint>
</robot>
"""
GAZEBO = '<gazebo reference="upper"><selfCollide>true</selfCollide></gazebo>\n</robot>'
STL = """solid t
facet normal 0 0 0 outer loop vertex 0 0 0 vertex 0 1 0 vertex 1 0 0 endloop endfacet
facet normal 0 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 0 1 endloop endfacet
facet normal 0 0 0 outer loop vertex 0 0 0 vertex 0 0 1 vertex 0 1 0 endloop endfacet
facet normal 0 0 0 outer loop vertex 1 0 0 vertex 0 1 0 vertex 0 0 1 endloop endfacet
endsolid t
"""


class Convert(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = Path(self.scratch.name)
        self.write("robots/arm.urdf", ARM)
        self.write("arm_parts/upper.stl", STL)

    def tearDown(self):
        self.scratch.cleanup()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_pintle(self, *words, code=0):
        plain = {key: value for key, value in os.environ.items() if not key.endswith("_PATH")}
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True, env=plain)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def json(self, *words):
        return json.loads(self.run_pintle(*words, "--json"))

    def files(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file())

    def assert_alike(self, first, second, where):
        """Equal; what a body of several materials weighs may differ in the last places."""
        if isinstance(first, dict):
            self.assertEqual(first.keys(), second.keys(), where)
            for key in first:
                self.assert_alike(first[key], second[key], f"{where}.{key}")
        elif isinstance(first, list):
            self.assertEqual(len(first), len(second), where)
            for i, pair in enumerate(zip(first, second)):
                self.assert_alike(*pair, f"{where}.{i}")
        elif isinstance(first, float) and any(key in where for key in ("inertia", "mass")):
            self.assertAlmostEqual(first, second, delta=2e-15 * max(1, abs(first)), msg=where)
        else:
            self.assertEqual(first, second, where)

    def test_every_scene_is_sound_after_it_was_written(self):
        for path in sorted(SCENES.glob("*.toml")):
            self.assertIn("written", self.run_pintle("convert", path.stem, "copy.toml", "--strict", "--force"))
            self.assertIn("no problems", self.run_pintle("check", "copy.toml"))
            info, copy = self.json("info", path.stem), self.json("info", "copy.toml")
            info.pop("scene"), copy.pop("scene")
            self.assert_alike(info, copy, path.stem)

    def test_a_robot_becomes_a_scene_that_runs_alike(self):
        out = self.run_pintle("convert", "robots/arm.urdf", "./arm.toml")
        self.assertEqual(out.splitlines()[0], "./arm.toml written, with 1 file in ./arm-files/")
        text = (self.folder / "arm.toml").read_text()
        self.assertIn('mesh = { file = "arm_parts/upper.stl" }', text)
        self.assertIn('mesh = { file = "arm-files/upper.obj" }', text)
        self.assertIn('group = "robot"', text)
        self.assertNotIn("urdf", self.run_pintle("check", "arm.toml"))
        start = ("--set", 'body.upper.initial.q=1')
        self.run_pintle("run", "arm.toml", "--time", "0.2 s", "--out", "scene", "--quiet", *start)
        start = ("--set", 'model.initial=[{joint = "shoulder", q = 1}]')
        self.run_pintle("run", "robots/arm.urdf", "--time", "0.2 s", "--out", "urdf", "--quiet", *start)
        csv = [(self.folder / name / "run.csv").read_bytes() for name in ("scene", "urdf")]
        self.assertEqual(csv[0], csv[1])

    def test_a_robot_comes_back_from_a_scene_and_from_itself(self):
        self.run_pintle("convert", "robots/arm.urdf", "arm.toml")
        self.run_pintle("convert", "arm.toml", "back.urdf")
        self.run_pintle("convert", "robots/arm.urdf", "again.urdf", "--strict")
        text = (self.folder / "again.urdf").read_text()
        self.assertIn('<mesh filename="arm_parts/upper.stl" scale="0.1 0.1 0.2"/>', text)
        self.assertIn('<origin xyz="0 0 0" rpy="1.5708 0 0"/>', text)
        infos = [self.json("info", name) for name in ("robots/arm.urdf", "arm.toml", "back.urdf", "again.urdf")]
        for info in infos:
            for key in ("scene", "losses", "contact"):
                info.pop(key)
            self.assertEqual(info, infos[0])
        self.run_pintle("convert", "again.urdf", "third.urdf")
        self.assertEqual((self.folder / "third.urdf").read_text(), text)

    def test_losses_are_told_and_strict_refuses_them(self):
        self.write("gazebo.urdf", ARM.replace("</robot>", GAZEBO))
        out = self.run_pintle("convert", "gazebo.urdf", "g.toml", "--no-meshes")
        self.assertIn("not used of gazebo.urdf:\n", out)
        self.assertIn("<gazebo>: settings of another simulator", out)
        out = self.run_pintle("convert", "walker", "w.urdf")
        self.assertIn("not expressible in w.urdf:\n", out)
        self.assertIn("ignored       a plane of the ground: URDF has no ground", out)
        there = self.files()
        for words in (("gazebo.urdf", "h.toml", "--no-meshes"), ("walker", "h.urdf")):
            self.assertIn("(--strict)", self.run_pintle("convert", *words, "--strict", code=3))
        self.assertEqual(self.files(), there)
        told = self.json("convert", "walker", "w2.urdf")
        self.assertEqual((told["scene"], told["out"], told["format"], told["losses"]), ("walker", "w2.urdf", "urdf", None))
        self.assertIn({"what": "a plane of the ground", "status": "ignored", "how": "URDF has no ground"}, told["not_expressible"])
        (self.folder / "x").mkdir()
        told = self.json("convert", "robots/arm.urdf", "x/y.toml")
        self.assertEqual(told["files"], ["x/y-files/upper.obj", "x/y-files/upper_hull.obj"])
        self.run_pintle("check", "x/y.toml")

    def test_nothing_is_written_over(self):
        self.write("arm.toml", "mine")
        self.assertIn("--force", self.run_pintle("convert", "robots/arm.urdf", "arm.toml", code=4))
        self.assertEqual((self.folder / "arm.toml").read_text(), "mine")
        self.run_pintle("convert", "robots/arm.urdf", "arm.toml", "--force")
        text = (self.folder / "robots/arm.urdf").read_text()
        self.assertIn("is the input", self.run_pintle("convert", "robots/arm.urdf", "robots/../robots/arm.urdf",
                                                      "--force", code=2))
        self.assertEqual((self.folder / "robots/arm.urdf").read_text(), text)

    def test_wrong_words_and_wrong_files(self):
        self.assertIn(".toml or .urdf", self.run_pintle("convert", "walker", "walker.json", code=2))
        self.run_pintle("convert", "walker", code=2)
        self.assertIn("no file", self.run_pintle("convert", "none.urdf", "a.toml", code=4))
        self.run_pintle("convert", "walker", "no/such/folder/a.toml", code=4)
        self.write("bad.urdf", ARM.replace('value="2"', 'value="two"'))
        there = self.files()
        out = self.run_pintle("convert", "bad.urdf", "bad.toml", code=3)
        self.assertIn("bad.urdf:5:", out)
        self.assertEqual(self.files(), there)

    def test_the_base_is_as_asked_for(self):
        self.write("heavy.urdf", ARM.replace('<link name="base"/>', '<link name="base"><inertial><mass value="1"/>'
                   '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>'))
        self.run_pintle("convert", "heavy.urdf", "free.toml", "--base", "free", "--no-meshes")
        self.assertEqual(self.json("info", "free.toml")["nv"], 7)
        self.run_pintle("convert", "free.toml", "free.urdf")
        self.assertEqual(self.json("info", "free.urdf")["nv"], 7)


if __name__ == "__main__":
    unittest.main()
