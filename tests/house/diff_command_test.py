"""`pintle diff`: what it says of two runs, its JSON, its exit codes. usage: diff_command_test.py PROGRAM"""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop()
# A driven pendulum that meets a stop, and a stone in free flight.
SCENE = """
name = "swing"
[[body]]
name = "arm, left"
mass = 1
center = [0, 0, -0.5]
inertia = [0.01, 0.01, 0.01]
joint = { type = "revolute", axis = [0, 1, 0], lower = "-20 deg", restitution = 0.5 }
initial = { q = "60 deg" }
[[body]]
name = "stone"
mass = 1
inertia = [0.1, 0.2, 0.3]
initial = { v = [0, 0, 1, 1, 2, 3] }
[[motor]]
joint = "arm, left"
effort = "PUSH * sin(t)"
[run]
duration = "1 s"
step = "1 ms"
rows = 100
"""


def pintle(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True)


def diff(*words):
    return pintle("diff", *words)


class Diff(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.a, cls.b, cls.pushed, cls.rows = map(cls.run_into, ("a", "b", "pushed", "rows"),
                                                 ("1", "1", "1.0000000001", "1"), ((), (), (), ("--set", "run.rows=50")))

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def place(cls, name):
        return os.path.join(cls.scratch.name, name)

    @classmethod
    def run_into(cls, name, push, words):
        scene = cls.place(name + ".toml")
        with open(scene, "w") as file:
            file.write(SCENE.replace("PUSH", push))
        done = pintle("run", scene, "--quiet", "--out", cls.place(name), *words)
        assert done.returncode == 0, done.stderr
        return cls.place(name)

    def changed(self, name, change):
        """A copy of run a with its table changed line by line."""
        folder = self.place(name)
        shutil.copytree(self.a, folder)
        path = os.path.join(folder, "run.csv")
        with open(path) as file:
            lines = file.read().split("\n")
        with open(path, "w") as file:
            file.write("\n".join(change(lines)))
        return folder

    def test_a_repeated_run_is_identical(self):
        done = diff(self.a, self.b)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("identical, bit for bit", done.stdout)
        got = json.loads(diff(self.a, self.b, "--json").stdout)
        self.assertEqual((got["verdict"], got["first_difference"], got["columns"]["differing"]), ("identical", None, []))
        self.assertGreater(got["rows"]["compared"], 100)
        self.assertGreater(got["events"]["first"], 0)
        # made from scenes of two names, which does not count
        self.assertEqual([value["key"] for value in got["values"]], ["scene.name"])

    def test_impacts_are_compared_as_events_are(self):
        one, other = self.place("bounce"), self.place("changed bounce")
        self.assertEqual(pintle("run", "bounce", "--time", "0.5 s", "--quiet", "--out", one).returncode, 0)
        shutil.copytree(one, other)
        path = os.path.join(other, "run.json")
        with open(path) as file:
            run = json.load(file)
        run["impacts"][1]["normal_impulse"] += 1
        with open(path, "w") as file:
            json.dump(run, file)
        self.assertEqual(diff(one, one).returncode, 0)
        done = diff(one, other)
        self.assertEqual(done.returncode, 3)
        self.assertIn("number 2, t = 0.45", done.stdout)
        self.assertIn("impact of 'world / middling'", done.stdout)

    def test_the_first_difference_names_joint_and_time(self):
        done = diff(self.a, self.pushed)
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        self.assertIn("First difference at t = 0.01 s", done.stdout)
        self.assertIn("of joint 'arm, left'", done.stdout)
        self.assertIn("state_hash", done.stdout)
        self.assertIn("First event that differs", done.stdout)
        paths = {self.a, self.pushed}
        for line in done.stdout.splitlines():
            self.assertTrue(len(line) <= 80 or any(path in line for path in paths), line)
        got = json.loads(diff(self.a, self.pushed, "--json").stdout)
        first = got["first_difference"]
        self.assertEqual((got["verdict"], first["joint"], first["time"]), ("different", "arm, left", 0.01))
        self.assertEqual(first["difference"], abs(first["first"] - first["second"]))
        pattern = [struct.unpack("<q", struct.pack("<d", first[k]))[0] for k in ("first", "second")]
        self.assertEqual(first["ulps"], abs(pattern[0] - pattern[1]))
        # the stone does not know of the motor, until steps end at other times: at the first event
        event = got["events"]["differing"]["first"]
        self.assertEqual((event["kind"], event["name"], event["number"]), ("limit-impact", "arm, left", 0))
        for column in got["columns"]["differing"]:
            self.assertTrue(".stone" not in column["column"] or column["since"] > event["time"], column)
        largest = [c["relative"] for c in got["columns"]["differing"] if "residual" not in c["column"]
                   and c["column"] != "certificate"]
        self.assertEqual(largest, sorted(largest, reverse=True))

    def test_how_the_runs_were_made_is_told_before_all_that_follows_from_it(self):
        lines = [line.split() for line in diff(self.pushed, self.rows).stdout.splitlines()]
        keys = [line[0] for line in lines[[line[:1] for line in lines].index(["run.json"]) + 1:] if line]
        self.assertIn("scene.overrides[0]", keys)
        self.assertLess(keys.index("scene.overrides[0]"), keys.index("state_hash"))

    def test_a_tolerance_is_of_the_largest_number_of_the_column(self):
        done = diff(self.a, self.pushed, "--tolerance", "1e-6", "--absolute", "1e-9")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertIn("equal within 1e-06 and 1e-09 absolute", done.stdout)
        done = diff(self.a, self.pushed, "--tolerance", "1e-14")
        self.assertEqual(done.returncode, 3)
        self.assertIn("different by more than 1e-14", done.stdout)
        self.assertEqual(json.loads(diff(self.a, self.pushed, "--tolerance", "1e-6", "--absolute", "1e-9", "--json")
                                    .stdout)["verdict"], "equal")

    def test_other_rows_are_compared_where_times_are_equal(self):
        done = diff(self.a, self.rows)
        self.assertEqual(done.returncode, 3)
        self.assertIn("where times are equal", done.stdout)
        self.assertIn("the rows that both have are the same, bit for bit", done.stdout)
        got = json.loads(diff(self.a, self.rows, "--tolerance", "0", "--json").stdout)
        self.assertEqual((got["verdict"], got["rows"]["only_second"]), ("equal", 0))
        self.assertGreater(got["rows"]["only_first"], 40)

    def test_files_can_be_compared_alone(self):
        table, facts = (os.path.join(self.pushed, name) for name in ("run.csv", "run.json"))
        got = json.loads(diff(self.a, table, "--json").stdout)
        self.assertEqual((got["verdict"], got["values"], got["events"]), ("different", None, None))
        got = json.loads(diff(facts, self.a, "--json").stdout)
        self.assertEqual((got["verdict"], got["rows"]), ("different", None))
        self.assertIn("state_hash", [value["key"] for value in got["values"] if value["counts"]])
        done = diff(table, facts)
        self.assertEqual(done.returncode, 2)

    def test_what_is_torn_or_foreign_is_refused_with_its_place(self):
        def message(path):
            done = diff(self.a, path)
            self.assertEqual((done.returncode, done.stdout), (4, ""), path)
            return done.stderr
        self.assertIn("error[run-path]", message(self.place("nowhere")))
        self.assertIn("error[run-missing]", message(self.scratch.name))
        self.assertIn("error[run-path]", message(os.path.join(self.a, "run.npz")))
        cut = message(self.changed("cut", lambda lines: lines[:50] + [lines[50][:20]]))
        self.assertIn(os.path.join("cut", "run.csv:51: error[run-cut]"), cut)
        self.assertIn("error[run-cut]", message(self.changed("short", lambda lines: lines[:50] + [""])))
        other = lambda lines: lines[:-2] + [lines[-2].replace(lines[-2].split(",")[1], "0.125"), ""]
        self.assertIn("error[run-mixed]", message(self.changed("mixed", other)))
        word = message(self.changed("word", lambda lines: lines[:9] + ["x" + lines[9][1:]] + lines[10:]))
        self.assertIn(os.path.join("word", "run.csv:10:1: error[csv-number]"), word)
        folder = self.changed("json", lambda lines: lines)
        with open(os.path.join(folder, "run.json"), "r+") as file:
            file.truncate(700)
        self.assertRegex(message(folder), r"run\.json:\d+:\d+: error\[run-json\]")

    def test_one_number_changed_by_one_unit_in_the_last_place_is_found(self):
        def change(lines):
            cells = lines[40].split(",")
            number = struct.unpack("<q", struct.pack("<d", float(cells[3])))[0] + 1
            cells[3] = repr(struct.unpack("<d", struct.pack("<q", number))[0])
            return lines[:40] + [",".join(cells)] + lines[41:]
        got = json.loads(diff(self.a, self.changed("bit", change), "--json").stdout)
        first = got["first_difference"]
        with open(os.path.join(self.a, "run.csv")) as file:
            lines = file.read().split("\n")
        self.assertEqual((first["ulps"], first["time"]), (1, float(lines[40].split(",")[0])))
        self.assertEqual((len(got["columns"]["differing"]), first["other_columns"]), (1, 0))

    def test_wrong_words_are_usage_errors(self):
        for words, message in (((self.a,), "B"), ((self.a, self.b, "--tolerance", "x"), "--tolerance: value 1 is 'x'"),
                               ((self.a, self.b, "--tolerance=-1"), "negative")):
            done = diff(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
