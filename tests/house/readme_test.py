"""What the README shows is so: its C++ is the first example, its scene runs, and its files are those of `./run`.

usage: readme_test.py README EXAMPLE PROGRAM
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.path.abspath(sys.argv.pop())
BAD_ROBOTS = Path(__file__).resolve().parent / "bad_robots"
EXAMPLE = Path(sys.argv.pop())
README = Path(sys.argv.pop()).read_text(encoding="utf-8")


def first_block(language):
    block = re.search(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert block is not None, f"the README has no ```{language} block"
    return block.group(1)


def pintle(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)


class Readme(unittest.TestCase):
    def test_the_first_block_of_cpp_is_the_example(self):
        self.maxDiff = None
        self.assertEqual(first_block("cpp").strip(), EXAMPLE.read_text(encoding="utf-8").strip())

    def test_the_first_scene_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            scene = Path(folder) / "nut.toml"
            scene.write_text(first_block("toml"), encoding="utf-8")
            done = pintle("run", str(scene))
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_what_is_said_of_bad_robots_is_so(self):
        rows = re.findall(r"\| ((\w+\.urdf):\d+:\d+: error\[[^|]*) \|", README)
        self.assertEqual(len(rows), 3)
        for said, name in rows:
            shown = pintle("check", str(BAD_ROBOTS / name)).stdout.replace(str(BAD_ROBOTS) + "/", "")
            for part in re.split(r"; (?=fix: )|\[\.\.\.\] ", said):
                self.assertIn(part.strip(), shown)

    def test_the_files_of_the_showcase_are_those_listed(self):
        table = README[:README.index("**Pintle is")]
        listed = re.findall(r"`([a-z_]+\.(?:csv|html|npz|json|svg))`", table)
        with tempfile.TemporaryDirectory() as folder:
            done = pintle("run", "showcase", "--out", folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(sorted(os.listdir(folder)), sorted(listed))


if __name__ == "__main__":
    unittest.main()
