"""`pintle check`: every mistake is found, with its code and its place. usage: check_command_test.py PROGRAM"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.path.abspath(sys.argv.pop())

ARM = """[[body]]
name = "arm"
mass = 1
inertia = [1, 1, 1]
joint = { type = "revolute", axis = [0, 1, 0] }
"""
LIMITED = ARM.replace("0] }", "0], lower = 0, upper = 1 }")
MOTOR = ARM + '[[motor]]\njoint = "arm"\n'
SOLID = '[[body]]\nname = "b"\ndensity = 1000\n'

# Files that the scenes below name.
OTHERS = {
    "circle2.toml": 'include = ["bad_circle.toml"]\n',
    "broken.toml": "a = [1, 2\n",
    "part.toml": "[[frame]]\nnmae = \"f\"\n",
    "word.stl": "solid x\nfacet normal 0 0 1\n outer loop\n  vertex 0 0 zero\n",
    "open.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    "word.csv": "time [s], lift [rad]\n0, 0\n1, one\n",
    "short.csv": "time [s], lift [rad]\n0, 0\n1, 1\n",
    "unit.csv": "time [s], lift [kg]\n0, 0\n1, 1\n",
}

# name: (text of the scene, what is found as (code, line, column, a part of the message), file if it is another one)
BAD = {
    "dimension": ('[run]\nduration = "2 kg"\n' + ARM, [("quantity-dimension", 2, 15, "'2 kg'")]),
    "unit": ('[run]\nduration = "2 sec"\n' + ARM, [("unit-unknown", 2, 15, "'sec'")]),
    "key": ("[run]\nduraton = 2\n" + ARM, [("scene-key", 2, 1, "'duraton'")]),
    "joint name": (ARM + '[[motor]]\njoint = "amr"\neffort = 1\n', [("scene-name", 7, 9, "no joint 'amr'")]),
    "material": (SOLID.replace("density = 1000", 'material = "stele"') + "shape = { sphere = { radius = 1 } }\n",
                 [("scene-material", 3, 12, "no material 'stele'")]),
    "parent": ('[[body]]\nname = "b"\nmass = 1\njoint = { type = "prismatic", parent = "wrld" }\n',
               [("scene-name", 4, 40, "no body 'wrld'")]),
    "missing": (SOLID + "shape = { cylinder = { radius = 1 } }\n", [("scene-missing", 4, 22, "no 'length'")]),
    "no table": (SOLID + "shape = 5\n", [("scene-type", 4, 9, "'shape' is an integer")]),
    "twice": (ARM + ARM, [("scene-name-twice", 7, 8, "'arm'")]),
    "two masses": (SOLID + "mass = 1\nshape = { sphere = { radius = 1 } }\n",
                   [("scene-conflict", 3, 11, "'mass' and 'density'")]),
    "start": (LIMITED + 'initial = { q = "90 deg" }\n', [("initial-limits", 6, 17, "outside its limits")]),
    "quaternion": ('[[body]]\nname = "b"\nmass = 1\ninertia = [1, 1, 1]\ninitial = { q = [0, 0, 0, 1, 1, 0, 0] }\n',
                   [("initial-quaternion", 5, 17, "length 1.41421356")]),
    "start without a value": (MOTOR + 'effort = "log(q - 1)"\n', [("start-no-acceleration", 8, 10, "'arm_motor'")]),
    "start that is not finite": (MOTOR + 'effort = "1/q"\n', [("start-", 8, 10, "'arm_motor'")]),
    "without a value later": (MOTOR + 'effort = "log(0.5 - t)"\n', [("drive-not-finite", 8, 11, "at t = 0.5")]),
    "syntax": ("nmae = 1\n[run]\nduration = 2 s\n", [("toml-syntax", 3, 14, "unit is not in quotes")]),
    "not closed": ('[run]\nduration = "2 s\n', [("toml-syntax", 2, 16, "not closed")]),
    "syntax of another": ('include = ["broken.toml"]\n', [("toml-syntax", 1, 10, "not closed")], "broken.toml"),
    "circle": ('include = ["circle2.toml"]\n' + ARM, [("scene-include", 1, 13, "includes itself")], "circle2.toml"),
    "key of another": ('include = ["part.toml"]\n' + ARM,
                       [("scene-missing", 1, 1, "'body'"), ("scene-key", 2, 1, "'nmae'")], "part.toml"),
    "above": ('include = ["../secret.toml"]\n', [("file-place", 1, 13, "not in the folder")]),
    "absolute": ('include = ["/etc/hostname"]\n', [("file-place", 1, 13, "not in the folder")]),
    "link": ('include = ["link.toml"]\n', [("file-place", 1, 13, "a link leads")]),
    "folder": ('include = ["folder"]\n', [("file-open", 1, 13, "not a regular file")]),
    "no mesh": (SOLID + 'shape = { mesh = { file = "none.stl" } }\n', [("file-open", 4, 28, "'none.stl'")]),
    "bad mesh": (SOLID + 'shape = { mesh = { file = "word.stl" } }\n', [("stl-syntax", 4, 0, "'zero'")], "word.stl"),
    "open mesh": (SOLID + 'shape = { mesh = { file = "open.obj" } }\n', 3 * [("mesh-open-edge", 4, 28, "edge")]),
    "bad table": (MOTOR + 'position = { file = "word.csv" }\n', [("csv-number", 3, 4, "'one'")], "word.csv"),
    "unit of a table": (MOTOR + 'position = { file = "unit.csv" }\n', [("quantity-dimension", 1, 17, "'lift'")],
                        "unit.csv"),
    "short table": (MOTOR + 'position = { file = "short.csv" }\n[run]\nduration = 2\n',
                    [("drive-outside-table", 2, 0, "from t = 0 s to 1 s")], "short.csv"),
    "inertia": ('[[body]]\nname = "b"\nmass = 1\ninertia = [1, 1, 3]\n', [("inertia-triangle", 4, 11, "1 + 1 < 3")]),
    "no inertia": ('[[body]]\nname = "b"\nmass = 0\njoint = { type = "prismatic" }\n',
                   [("joint-without-inertia", 4, 9, "'b'")]),
    "formula": (MOTOR + 'effort = "2 + * sin(t"\n', [("expression-operand", 8, 15, "before '*'"),
                                                     ("expression-unclosed", 8, 20, "never closed")]),
    "name in a formula": (MOTOR + 'effort = "2 * speed"\n', [("expression-unknown-name", 8, 15, "'speed'")]),
    "jump": (MOTOR + 'position = "1 + step(t - 0.5)"\n', [("drive-jump", 8, 17, "jumps at t = 0.5 s")]),
    "corner": (MOTOR + 'position = "abs(t - 0.5)"\n', [("drive-kink", 8, 13, "jumps at t = 0.5 s from -1 to 1")]),
    "circle of bodies": ('[[body]]\nname = "a"\nmass = 1\njoint = { type = "prismatic", parent = "a" }\n',
                         [("cycle", 2, 8, "form a cycle")]),
    "integrator": (ARM + '[run]\nintegrator = "rk5"\n', [("scene-word", 7, 14, "'rk5'")]),
    "too many": ('[[body]]\nrepeat = 5000\nname = "l{i}"\nmass = 1\n', [("scene-limit", 2, 10, "more than 4096")]),
    "several": ('[run]\nstep = "1 kg"\nrows = "x"\n' + ARM, [("quantity-dimension", 2, 11, "step"),
                                                             ("scene-type", 3, 8, "rows")]),
    "all at once": ('[[event]]\nname = "e"\nzero_of = "q.amr"\n' + LIMITED.replace("mass = 1", 'mass = "1 m"') +
                    'initial = { q = 2 }\n[[motor]]\njoint = "hand"\neffort = 1\n[run]\nrelative_tolerance = 3\n',
                    [("expression-unknown-name", 3, 12, "'q.amr'"), ("quantity-dimension", 6, 11, "'mass'"),
                     ("initial-limits", 9, 17, "outside its limits"), ("scene-name", 11, 9, "no joint 'hand'"),
                     ("run-tolerance", 13, 1, "tolerance")]),
}


def pintle(*words, folder="."):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, cwd=folder)


class Check(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.root.name, "scene")
        (cls.folder / "folder").mkdir(parents=True)
        Path(cls.root.name, "secret.toml").write_text("", encoding="utf-8")
        (cls.folder / "link.toml").symlink_to("../secret.toml")
        for name, text in OTHERS.items():
            (cls.folder / name).write_text(text, encoding="utf-8")

    @classmethod
    def tearDownClass(cls):
        cls.root.cleanup()

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def test_every_mistake_is_found_where_it_is(self):
        for name, (text, expected, *other) in BAD.items():
            with self.subTest(name):
                file = "bad_" + name.replace(" ", "_") + ".toml"
                self.write(file, text)
                done = pintle("check", "--json", file, folder=self.folder)
                self.assertEqual((done.returncode, done.stderr), (3, ""))
                found = json.loads(done.stdout)
                problems = found["problems"]
                self.assertEqual(len(problems), len(expected), done.stdout)
                self.assertEqual(found["errors"], len(expected))
                for problem, (code, line, column, part) in zip(problems, expected):
                    self.assertTrue(problem["code"].startswith(code), problem)
                    self.assertEqual((problem["line"], problem["column"]), (line, column), problem)
                    self.assertEqual(problem["file"], other[0] if other else file)
                    self.assertIn(part, problem["message"])
                    self.assertEqual(problem["severity"], "error")
                    self.assertTrue(problem["fix"], problem)

    def test_on_a_terminal_each_has_its_line_a_caret_and_a_fix_and_the_end_counts(self):
        for name, (text, expected, *_) in BAD.items():
            with self.subTest(name):
                file = "bad_" + name.replace(" ", "_") + ".toml"
                self.write(file, text)
                done = pintle("check", file, folder=self.folder)
                self.assertEqual((done.returncode, done.stderr), (3, ""))
                lines = done.stdout.splitlines()
                count = len(expected)
                self.assertEqual(lines[-2:], ["", f"{count} error{'' if count == 1 else 's'}"])
                self.assertEqual(sum("error[" in line for line in lines), count)
                self.assertEqual(sum(line.startswith("  fix: ") for line in lines), count)
                for _, line, column, _ in expected:
                    self.assertTrue(any(shown.startswith(f"  {line} | ") for shown in lines), done.stdout)
                    carets = [shown for shown in lines if shown.strip(" |") == "^"]
                    if column > 0:
                        self.assertIn(len(f"  {line} | ") + column, [len(shown) for shown in carets], done.stdout)

    def test_a_scene_without_a_body_is_refused(self):
        for text in ("", 'name = "nothing"\n[run]\nduration = 1\n'):
            self.write("empty.toml", text)
            for command in ("check", "run", "info", "dynamics"):
                done = pintle(command, "empty.toml", folder=self.folder)
                self.assertEqual(done.returncode, 3)
                self.assertIn("empty.toml: error[scene-bodies]: the scene has no body", done.stdout + done.stderr)
                self.assertIn("add a [[body]]", done.stdout + done.stderr)

    def test_fine_says_in_one_line_what_is_there(self):
        self.write("fine.toml", LIMITED + '[[motor]]\njoint = "arm"\neffort = 1\n[run]\nduration = 2\n')
        done = pintle("check", "fine.toml", folder=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "fine.toml: no problems; 1 body, 1 dof, 1 motor; 2 s by rk4\n")

    def test_warnings_alone_are_no_failure(self):
        self.write("seen.toml", ARM + 'shape = { mesh = { file = "open.obj" } }\n')
        done = pintle("check", "seen.toml", folder=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.splitlines()[-1],
                         "seen.toml: 3 warnings, no errors; 1 body, 1 dof; 1 s by rk4")
        found = json.loads(pintle("check", "--json", "seen.toml", folder=self.folder).stdout)
        self.assertEqual((found["errors"], found["warnings"]), (0, 3))
        self.assertEqual({problem["severity"] for problem in found["problems"]}, {"warning"})

    def test_the_keys_of_json_are_these(self):
        self.write("fine.toml", ARM)
        found = json.loads(pintle("check", "--json", "fine.toml", folder=self.folder).stdout)
        self.assertEqual(found, {"scene": "fine.toml", "errors": 0, "warnings": 0, "problems": [], "losses": None})
        self.write("bad.toml", "[run]\nduraton = 2\n")
        problem = json.loads(pintle("check", "--json", "bad.toml", folder=self.folder).stdout)["problems"][0]
        self.assertEqual(list(problem), ["code", "severity", "file", "line", "column", "message", "why", "fix"])

    def test_sarif_has_the_problems_of_json_with_a_rule_each(self):
        for name, (text, expected, *other) in BAD.items():
            with self.subTest(name):
                file = "bad_" + name.replace(" ", "_") + ".toml"
                self.write(file, text)
                done = pintle("check", "--sarif", file, folder=self.folder)
                self.assertEqual((done.returncode, done.stderr), (3, ""))
                log = json.loads(done.stdout)
                self.assertEqual((log["version"], len(log["runs"])), ("2.1.0", 1))
                run = log["runs"][0]
                rules = run["tool"]["driver"]["rules"]
                problems = json.loads(pintle("check", "--json", file, folder=self.folder).stdout)["problems"]
                self.assertEqual(len(run["results"]), len(problems))
                for result, problem in zip(run["results"], problems):
                    rule = rules[result["ruleIndex"]]
                    self.assertEqual((result["ruleId"], rule["id"]), (problem["code"], problem["code"]))
                    self.assertTrue(rule["shortDescription"]["text"] and rule["help"]["text"], rule)
                    self.assertEqual(result["level"], problem["severity"])
                    self.assertTrue(result["message"]["text"].startswith(problem["message"] + "\n"))
                    place = result["locations"][0]["physicalLocation"]
                    self.assertEqual(place["artifactLocation"], {"uri": problem["file"], "uriBaseId": "%SRCROOT%"})
                    region = {"startLine": max(problem["line"], 1), "startColumn": problem["column"]}
                    self.assertEqual(place["region"], {key: value for key, value in region.items() if value})
                self.assertEqual(len(rules), len({problem["code"] for problem in problems}))
                again = pintle("check", "--sarif", file, folder=self.folder)
                self.assertEqual(again.stdout, done.stdout)

    def test_sarif_names_files_from_where_the_program_was_called(self):
        self.write("key.toml", "[run]\nduraton = 2\n" + ARM)
        for words, folder, uri in ((["scene/key.toml"], self.root.name, "scene/key.toml"),
                                   ([str(self.folder / "key.toml")], self.root.name, "scene/key.toml"),
                                   (["../key.toml"], self.folder / "folder", "file://" + str(self.folder / "key.toml"))):
            log = json.loads(pintle("check", "--sarif", *words, folder=folder).stdout)
            result = log["runs"][0]["results"][0]
            self.assertEqual(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], uri)
        self.write("fine.toml", ARM)
        done = pintle("check", "--sarif", "fine.toml", folder=self.folder)
        self.assertEqual((done.returncode, json.loads(done.stdout)["runs"][0]["results"]), (0, []))
        log = json.loads(pintle("check", "--sarif", "fine.toml", "--set", "run.stp=1", folder=self.folder).stdout)
        self.assertEqual(log["runs"][0]["results"][0]["locations"], [{"logicalLocations": [{"name": "--set"}]}])
        done = pintle("check", "--sarif", "--json", "fine.toml", folder=self.folder)
        self.assertEqual((done.returncode, done.stdout), (2, ""))

    def test_bytes_that_are_no_text_still_make_json_and_command_no_terminal(self):
        (self.folder / "bytes.toml").write_bytes(b'"k\\u001b[2J" = 1\n[run]\nstep = "\xc3\xa4"\n')
        found = json.loads(pintle("check", "--json", "bytes.toml", folder=self.folder).stdout)
        self.assertEqual(found["errors"], 3)  # there is no body either
        self.assertNotIn("\x1b", pintle("check", "bytes.toml", folder=self.folder).stdout)
        (self.folder / "bytes.csv").write_bytes(b"t, x\n0, \xff\n")
        self.write("bytes.toml", MOTOR + 'position = { file = "bytes.csv" }\n')
        done = subprocess.run([PROGRAM, "check", "--json", "bytes.toml"], capture_output=True, cwd=self.folder)
        self.assertEqual(json.loads(done.stdout.decode("utf-8"))["problems"][0]["code"], "csv-number")

    def test_a_file_that_is_not_there_is_no_wrong_scene(self):
        done = pintle("check", "none.toml", folder=self.folder)
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertIn("none.toml", done.stderr)
        for folder in ("folder/", "folder", "."):
            done = pintle("check", folder, folder=self.folder)
            self.assertEqual((done.returncode, done.stdout), (4, ""))
            self.assertIn("Is a directory", done.stderr)

    @unittest.skipIf(os.geteuid() == 0 and not shutil.which("setpriv"), "root may read everything")
    def test_a_file_that_may_not_be_read_is_not_said_to_be_missing(self):
        (self.folder / "mine").mkdir()
        self.write("mine/scene.toml", ARM)
        os.chmod(self.root.name, 0o755)
        os.chmod(self.folder / "mine", 0)
        words = [PROGRAM, "check", "mine/scene.toml"]
        if os.geteuid() == 0:
            words = ["setpriv", "--reuid=65534", "--clear-groups", *words]
        done = subprocess.run(words, capture_output=True, text=True, cwd=self.folder)
        os.chmod(self.folder / "mine", 0o755)
        if "setpriv" in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertIn("Permission denied", done.stderr)

    def test_every_embedded_scene_is_fine(self):
        for line in pintle("scenes").stdout.splitlines():
            if not line.strip():
                break
            with self.subTest(line):
                done = pintle("check", line.split()[0])
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertIn(": no problems; ", done.stdout)


if __name__ == "__main__":
    unittest.main()
