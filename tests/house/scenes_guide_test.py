"""Every file of docs/scenes.md is run, and what the page says of the wrong one is what is said.

usage: scenes_guide_test.py PROGRAM DOCS
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

DOCS = Path(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
BLOCK = re.compile(r"^```(toml wrong|toml|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page, kind):
    return [text for found, text in BLOCK.findall((DOCS / page).read_text(encoding="utf-8")) if found == kind]


class Guide(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def pintle(self, text, *words):
        (Path(self.folder) / "nut.toml").write_text(text, encoding="utf-8")
        return subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True, check=False)

    def run_of(self, text):
        done = self.pintle(text, "run", "nut.toml", "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""), text)
        return json.loads(done.stdout)

    def test_every_file_runs_and_its_ledger_balances(self):
        files = blocks("scenes.md", "toml")
        self.assertEqual(len(files), 8)
        for text in files:
            run = self.run_of(text)
            self.assertEqual(run["outcome"], "reached", text)
            self.assertLess(abs(run["energy_balance"]["residual_relative"]), 1e-8, text)  # worst seen: 1.4e-9

    def test_what_the_steps_say(self):
        fall, screw, loss, driven = [self.run_of(text) for text in blocks("scenes.md", "toml")[:4]]
        self.assertAlmostEqual(fall["final"]["q"]["nut.z"], -4.905, 9)
        self.assertEqual(list(screw["final"]["q"]), ["nut"])
        self.assertLess(abs(screw["final"]["q"]["nut"]), 10)
        self.assertLess(abs(loss["final"]["v"]["nut"]), 10)
        self.assertLess(abs(loss["energy_balance"]["residual_relative"]), 1e-10)
        self.assertEqual(driven["settings"]["step"], 1e-3)

    def test_the_last_step_is_the_first_example_of_the_format(self):
        self.assertEqual(blocks("scenes.md", "toml")[3], blocks("formats/scene.md", "toml")[0])

    def test_the_commands_of_the_page_work(self):
        text = blocks("scenes.md", "toml")[3]
        for words in (["--time", "10 s", "--step", "0.5 ms"],
                      ["--integrator", "dormand-prince", "--set", "world.gravity=[0, 0, -1.62]"], ["--out", "results"]):
            done = self.pintle(text, "run", "nut.toml", *words)
            self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        self.assertLessEqual({"run.csv", "run.npz", "run.json"}, set(os.listdir(Path(self.folder) / "results")))

    def test_the_wrong_file_is_refused_in_the_words_of_the_page(self):
        wrong, = blocks("scenes.md", "toml wrong")
        said, = blocks("scenes.md", "text")
        done = self.pintle(wrong, "check", "nut.toml")
        self.assertEqual(done.returncode, 3)
        self.maxDiff = None
        self.assertEqual(done.stdout + done.stderr, said)


if __name__ == "__main__":
    unittest.main()
