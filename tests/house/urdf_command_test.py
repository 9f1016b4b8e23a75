"""The commands take a URDF file as a scene. usage: urdf_command_test.py PROGRAM"""
import contextlib
import json
import math
import os
import pty
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.path.abspath(sys.argv.pop())

ARM = """<?xml version="1.0"?>
<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
      <inertia ixx="0.04" ixy="0" ixz="0" iyy="0.04" iyz="0" izz="0.002"/></inertial>
    <visual><geometry><mesh filename="package://arm_parts/upper.stl"/></geometry></visual>
    <collision><geometry><box size="0.1 0.1 1"/></geometry></collision>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="30" velocity="40"/>
  </joint>
  <gazebo reference="upper"><selfCollide>true</selfCollide></gazebo>
</robot>
"""
STL = """solid t
facet normal 0 0 0 outer loop vertex 0 0 0 vertex 0 1 0 vertex 1 0 0 endloop endfacet
facet normal 0 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 0 1 endloop endfacet
facet normal 0 0 0 outer loop vertex 0 0 0 vertex 0 0 1 vertex 0 1 0 endloop endfacet
facet normal 0 0 0 outer loop vertex 1 0 0 vertex 0 1 0 vertex 0 0 1 endloop endfacet
endsolid t
"""


class Urdf(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = Path(self.scratch.name)
        self.write("arm.urdf", ARM)

    def tearDown(self):
        self.scratch.cleanup()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def write_heavy(self):
        """heavy.urdf: the arm on a base that has a mass."""
        inertial = ARM[ARM.index("    <inertial>"):ARM.index("    <visual>")]
        self.write("heavy.urdf", ARM.replace('<link name="base"/>', f'<link name="base">\n{inertial}</link>'))

    def run_pintle(self, *words, code=0, **environment):
        plain = {key: value for key, value in os.environ.items() if not key.endswith(("_PATH",))}
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True,
                              env={**plain, **environment})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def json(self, *words, **options):
        return json.loads(self.run_pintle(*words, "--json", **options)[0])

    def test_check_tells_what_became_of_every_part(self):
        out, _ = self.run_pintle("check", "arm.urdf", "--no-meshes")
        self.assertIn("arm.urdf: 44 elements and attributes: ", out)
        self.assertIn("ignored       line 14: <gazebo>: settings of another simulator", out)
        self.assertIn("no problems; 2 bodies, 1 dof", out)
        losses = self.json("check", "arm.urdf", "--no-meshes")["losses"]
        entries = losses["entries"]
        self.assertEqual(len(entries), 44)
        self.assertEqual(losses["read"] + losses["idle"] + losses["approximated"] + losses["ignored"], len(entries))
        self.assertEqual(sorted(entries, key=lambda e: (e["line"], e["column"])), entries)
        self.assertEqual(set(entries[0]), {"element", "attribute", "in", "line", "column", "status", "how"})
        gazebo = [e for e in entries if e["element"] == "gazebo"]
        self.assertEqual([(e["attribute"], e["line"], e["status"]) for e in gazebo],
                         [(None, 14, "ignored"), ("reference", 14, "ignored")])

    def test_strict_makes_a_loss_an_error(self):
        for command in ("check", "info", "run", "dynamics"):
            out, err = self.run_pintle(command, "arm.urdf", "--strict", "--no-meshes", code=3)
            self.assertIn("<gazebo>", out + err)
            self.assertIn("--strict", out + err)
        whole = ARM.replace(ARM[ARM.index("  <gazebo"):ARM.index("</robot>")], "")
        self.write("whole.urdf", whole[:whole.index("    <visual>")] + whole[whole.index("    <collision>"):])
        for command in ("check", "info", "dynamics"):
            self.run_pintle(command, "whole.urdf", "--strict")

    def test_a_file_that_is_called_urdf_is_told_as_one(self):
        self.write("empty.urdf", "")
        self.assertIn("empty.urdf:1:1: error[xml-syntax]: the file has no element",
                      self.run_pintle("check", "empty.urdf", code=3)[0])
        self.write("words.urdf", "a robot\n")
        self.assertIn("words.urdf:1:1: error[xml-syntax]", self.run_pintle("check", "words.urdf", code=3)[0])

    def test_problems_are_in_colours_on_terminals(self):
        self.write("wrong.urdf", ARM.replace('child link="upper"', 'child link="uper"'))
        plain = self.run_pintle("check", "wrong.urdf", "--no-meshes", code=3)[0]
        self.assertNotIn("\x1b", plain)
        shown = self.on_terminal("check", "wrong.urdf", "--no-meshes", TERM="xterm", NO_COLOR="")
        self.assertIn("\x1b[1mwrong.urdf:11:39: \x1b[0m\x1b[31merror[urdf-link-unknown]\x1b[0m: joint", shown)
        self.assertIn("\x1b[31m^\x1b[0m\n", shown)
        self.assertIn("  \x1b[32mfix:\x1b[0m did you mean 'upper'?\n", shown)
        self.assertEqual(re.sub("\x1b\\[[0-9]+m", "", shown), plain)
        self.assertEqual(self.on_terminal("check", "wrong.urdf", "--no-meshes", TERM="xterm", NO_COLOR="1"), plain)

    def on_terminal(self, *words, **environment):
        """What is printed where the output is a terminal."""
        mine, its = pty.openpty()
        with subprocess.Popen([PROGRAM, *words], cwd=self.folder, stdout=its, env={**os.environ, **environment}):
            os.close(its)
            shown = b""
            with contextlib.suppress(OSError):  # the end of a terminal is an error to Linux
                while part := os.read(mine, 4096):
                    shown += part
        os.close(mine)
        return shown.decode().replace("\r\n", "\n")

    def test_meshes_are_found_or_told_of(self):
        out, _ = self.run_pintle("check", "arm.urdf")
        self.assertIn("warning[urdf-mesh]", out)
        self.assertIn(f"  why: looked for:\n       {self.folder.resolve()}/arm_parts/upper.stl\n", out)
        self.assertIn("--package arm_parts=FOLDER", out)
        self.write("elsewhere/upper.stl", STL)
        self.assertNotIn("urdf-mesh", self.run_pintle("check", "arm.urdf", "--package", "arm_parts=elsewhere")[0])
        self.write("packages/arm_parts/upper.stl", STL)
        self.assertNotIn("urdf-mesh", self.run_pintle("check", "arm.urdf", PINTLE_PACKAGE_PATH="packages")[0])
        self.run_pintle("check", "arm.urdf", "--package", "arm_parts", code=2)

    def test_scenes_read_files_elsewhere_where_the_user_permits_it(self):
        self.write("robots/part.stl", STL)
        body = '[[body]]\nname = "b"\ndensity = 1000\nshape = {{ mesh = {{ file = "{}" }} }}\n'
        self.write("scenes/s.toml", body.format("../robots/part.stl"))
        self.write("scenes/p.toml", body.format("package://parts/part.stl"))
        robots = self.folder.resolve() / "robots"
        out, _ = self.run_pintle("check", "scenes/s.toml", code=3)
        self.assertIn("scenes/s.toml:4:28: error[file-place]", out)
        self.assertRegex(out, "permit its folder: --allow \\S+/robots ")
        for words in (("--allow", "robots"), ("--allow", "scenes", "--allow", "."), ("--package", "x=robots")):
            self.run_pintle("check", "scenes/s.toml", *words)
        self.assertIn("--package parts=FOLDER", self.run_pintle("info", "scenes/p.toml", code=3)[1])
        for command in (("info",), ("check",), ("dynamics",), ("run", "--time", "10 ms"), ("report", "--time", "1 ms")):
            self.run_pintle(command[0], "scenes/p.toml", *command[1:], "--package", "parts=robots")
        self.run_pintle("convert", "scenes/p.toml", "converted.toml", "--package", "parts=robots")
        self.run_pintle("check", "scenes/s.toml", "--set", "body.b.shape.mesh.file=" + str(robots / "part.stl"))
        self.assertIn("there is no such folder", self.run_pintle("check", "scenes/s.toml", "--allow", "none", code=2)[1])
        # The folder is among the settings of a run, from which it is repeated and resumed.
        self.run_pintle("run", "scenes/s.toml", "--allow", "robots", "--time", "10 ms", "--out", "run", "--quiet")
        run = json.loads((self.folder / "run/run.json").read_text())
        self.assertIn(f"--allow={robots}", run["scene"]["overrides"])
        self.assertIn(f"pintle run scenes/s.toml --set 'run.duration=10 ms' --allow={robots}",
                      (self.folder / "run/report.html").read_text())

    def test_info_dynamics_and_run_take_a_robot(self):
        info = self.json("info", "arm.urdf")
        self.assertEqual([joint["name"] for joint in info["joints"]], ["root_joint", "shoulder"])
        self.assertEqual(info["losses"]["file"], "arm.urdf")
        self.write_heavy()
        self.assertEqual(self.json("info", "heavy.urdf", "--base", "free")["nv"], 7)
        self.run_pintle("info", "arm.urdf", "--base", "loose", code=2)
        found = self.json("dynamics", "arm.urdf", "--q", str(math.pi / 2))
        # A pendulum held level: m g l / (I + m l^2).
        self.assertAlmostEqual(found["vdot"][0], -2 * 9.81 * 0.5 / (0.04 + 2 * 0.25), places=9)
        _, err = self.run_pintle("run", "arm.urdf", "--time", "0.5 s", "--out", "out", "--quiet", "--base", "fixed",
                                 "--set", 'model.initial=[{joint = "shoulder", q = 1}]')
        self.assertIn("urdf-mesh", err)
        run = json.loads((self.folder / "out/run.json").read_text())
        self.assertEqual(run["scene"]["sources"][0]["name"], "arm.urdf")
        self.assertTrue((self.folder / "out/report.html").stat().st_size > 1000)

    def test_a_root_without_mass_cannot_float_on_one_joint(self):
        self.run_pintle("check", "arm.urdf", "--no-meshes")
        for command in ("check", "info", "run"):
            out, err = self.run_pintle(command, "arm.urdf", "--base", "free", "--no-meshes", code=3)
            self.assertIn("arm.urdf:3:15: error[joint-without-inertia]: joint 'root_joint' leaves the massless "
                          "body 'base' free, and joint 'shoulder' lets it move while everything with mass is at rest", out + err)
            self.assertIn("fix: give 'base' mass and inertia, or fix it to the world", out + err)

    def test_a_welded_link_that_could_not_be_alone_is_told_once(self):
        sensor = ('<link name="sensor"><inertial><mass value="0.001"/><inertia ixx="1e-6" ixy="1e-6" ixz="1e-6" iyy="1e-6" '
                  'iyz="1e-6" izz="1e-6"/></inertial></link>')
        weld = '<joint name="weld" type="fixed"><parent link="upper"/><child link="sensor"/></joint>'
        self.write("arm.urdf", ARM.replace("</robot>", f"  {sensor}\n  {weld}\n</robot>"))
        found = self.json("check", "arm.urdf", "--no-meshes")
        self.assertEqual([(p["code"], p["severity"], p["line"]) for p in found["problems"]],
                         [("inertia-alone", "warning", 15)])
        self.write("arm.urdf", ARM.replace("</robot>", f"  {sensor}\n  {weld}\n</robot>".replace("fixed", "continuous")))
        found = self.json("check", "arm.urdf", "--no-meshes", code=3)
        self.assertEqual([p["code"] for p in found["problems"]], ["inertia-triangle"])

    def test_a_run_with_a_robot_goes_on_from_a_checkpoint(self):
        self.write_heavy()
        words = ("--time", "0.4 s", "--step", "1 ms", "--quiet", "--base", "free", "--no-meshes")
        self.run_pintle("run", "heavy.urdf", *words, "--out", "whole")
        self.run_pintle("run", "heavy.urdf", *words, "--out", "parts", "--checkpoint-every", "0.1 s")
        self.run_pintle("diff", "whole", "parts")

    def test_a_scene_file_may_hold_a_robot(self):
        self.write("cell.toml", 'model = "arm.urdf"\n[[motor]]\njoint = "shoulder"\neffort = 1\n')
        self.assertEqual(self.json("info", "cell.toml")["nv"], 1)
        self.write_heavy()
        self.write("cell.toml", 'model = "heavy.urdf"\n')
        self.assertEqual(self.json("info", "cell.toml", "--base", "free")["nv"], 7)
        self.write("wrong.toml", 'model = "arm.urdf"\n[[motor]]\njoint = "sholder"\neffort = 1\n')
        problems = self.json("check", "wrong.toml", "--no-meshes", code=3)["problems"]
        self.assertEqual([(p["code"], p["line"], p["fix"]) for p in problems],
                         [("scene-name", 3, "did you mean 'shoulder'?")])
        self.write("none.toml", '[[body]]\nname = "b"\nmass = 1\ninertia = [1, 1, 1]\n')
        _, err = self.run_pintle("info", "none.toml", "--base", "free", code=2)
        self.assertIn("no robot file is given", err)

    def test_what_is_wrong_is_shown_with_its_line(self):
        self.write("bad.urdf", ARM.replace('mass value="2"', 'mass value="2 kg"').replace("</joint>", "</jont>"))
        out, _ = self.run_pintle("check", "bad.urdf", code=3)
        self.assertIn("bad.urdf:13:3: error[xml-syntax]: </jont> closes nothing", out)
        self.assertIn("why: <joint> of line 10 is still open", out)
        self.write("bad.urdf", ARM.replace('mass value="2"', 'mass value="2 kg"').replace("revolute", "hinge"))
        out, _ = self.run_pintle("check", "bad.urdf", code=3)
        self.assertIn("bad.urdf:5:54: error[urdf-number]", out)
        self.assertIn("bad.urdf:10:32: error[urdf-word]: joint 'shoulder': there is no joint type 'hinge'", out)
        self.write("a.urdf.xacro", '<robot name="r"><link name="${name}"/></robot>')
        out, _ = self.run_pintle("check", "a.urdf.xacro", code=3)
        self.assertIn("fix: run: xacro a.urdf.xacro > a.urdf", out)
        _, err = self.run_pintle("info", "no.urdf", code=4)
        self.assertIn("there is no file 'no.urdf'", err)


if __name__ == "__main__":
    unittest.main()
