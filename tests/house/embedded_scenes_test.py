"""The scenes that come with the program: what they promise. usage: embedded_scenes_test.py PROGRAM SCENES"""
import json
import subprocess
import sys
import tomllib
import unittest
from pathlib import Path

SCENES = sorted(Path(sys.argv.pop()).glob("*.toml"))
PROGRAM = sys.argv.pop()
NAMES = ["arm", "chain", "console", "dzhanibekov", "governor", "pendulum-double", "screw", "showcase", "top"]


def pintle(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)


class EmbeddedScenes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runs = {}
        for name in NAMES:
            done = pintle("run", name, "--json")
            assert done.returncode == 0 and done.stderr == "", f"{name}: {done.stderr}"
            cls.runs[name] = json.loads(done.stdout)

    def test_the_names(self):
        self.assertLessEqual(set(NAMES), {path.stem for path in SCENES})
        listed = [line.split()[0] for line in pintle("scenes").stdout.splitlines() if line and line[0].isalpha()]
        self.assertLessEqual(set(NAMES), set(listed))

    def test_each_is_in_the_program_as_it_is_in_its_file(self):
        for path in SCENES:
            self.assertEqual(pintle("scenes", path.stem).stdout, path.read_text(encoding="utf-8"))

    def test_each_begins_with_what_one_sees_and_has_its_name(self):
        for path in SCENES:
            text = path.read_text(encoding="utf-8")
            self.assertRegex(text, r"\A# [A-Z]", path.name)
            self.assertEqual(tomllib.loads(text)["name"], path.stem)

    def test_every_body_can_be_seen_in_its_colour(self):
        for path in SCENES:
            scene = tomllib.loads(path.read_text(encoding="utf-8"))
            for body in scene["body"]:
                shapes = body.get("shapes", [body["shape"]] if "shape" in body else [])
                self.assertTrue(shapes, f"{path.name}: {body['name']}")
                material = scene.get("material", {}).get(body.get("material"), {})
                for shape in shapes:
                    self.assertTrue("color" in {**material, **body, **shape}, f"{path.name}: {body['name']}")

    def test_the_ledgers_balance_and_the_certificates_are_good(self):
        for name, run in self.runs.items():
            # Worst seen: 1.7e-10 (chain, RK4), 1.9e-15 (pendulum-double).
            self.assertLess(abs(run["ledger"]["unexplained_relative"]), 1e-9, name)
            self.assertLess(run["certificate"]["worst"], 1e-13, name)
            self.assertEqual(run["outcome"], "reached", name)

    def test_something_happens_in_each(self):
        for name, run in self.runs.items():
            self.assertGreater(max(abs(v) for v in run["final"]["v"].values()), 1e-3, name)

    def test_the_handle_turns_over_and_the_nut_rebounds(self):
        turns = [event["time"] for event in self.runs["dzhanibekov"]["events"] if event["name"] == "turns over"]
        self.assertEqual(len(turns), 6)
        gaps = [b - a for a, b in zip(turns, turns[1:])]
        self.assertLess(max(gaps) - min(gaps), 1e-4)  # the motion is periodic
        impacts = [event for event in self.runs["screw"]["events"] if event["kind"] == "stop-impact"]
        self.assertEqual(len(impacts), 7)

    def test_the_arm_follows_its_targets(self):
        final = self.runs["arm"]["final"]["q"]  # all targets are zero again
        for name, angle in final.items():
            self.assertLess(abs(angle), 0.02, name)


if __name__ == "__main__":
    unittest.main()
