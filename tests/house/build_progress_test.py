"""tools/build.py: what it says of a build, with a stub in place of ninja.

usage: build_progress_test.py SCRATCH
"""
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

SCRATCH = Path(sys.argv.pop())
TOOL = Path(__file__).resolve().parents[2] / "tools/build.py"
OBJECTS = [f"src/pintle/CMakeFiles/room_io_scene.dir/{i}.o" for i in range(20)]


def build(steps: list, code: int = 0):
    """Runs the tool; `steps` are the lines that ninja prints. Returns its exit code and what it said."""
    shutil.rmtree(SCRATCH, ignore_errors=True)
    (SCRATCH / "bin").mkdir(parents=True)
    (SCRATCH / "out").mkdir()
    inputs = "\n".join(OBJECTS)
    output = "\n".join(steps)
    stub = SCRATCH / "bin/ninja"
    stub.write_text(f'#!/bin/sh\ncase " $* " in *" -t inputs "*) echo "{inputs}"; exit 0 ;; esac\necho "{output}"\nexit {code}\n',
                    encoding="utf-8")
    stub.chmod(0o755)
    (SCRATCH / "costs.txt").write_text("# costs\nsample 0.3\nio_scene 200\n", encoding="utf-8")
    done = subprocess.run([sys.executable, str(TOOL), "--log", str(SCRATCH / "log/build.log"), "--costs",
                           str(SCRATCH / "costs.txt"), "--jobs", "2", str(SCRATCH / "out")],
                          env={**os.environ, "PATH": f"{SCRATCH / 'bin'}:{os.environ['PATH']}"},
                          capture_output=True, text=True, cwd=SCRATCH)
    return done.returncode, done.stderr


class BuildProgress(unittest.TestCase):
    def test_the_first_line_tells_how_long_it_takes_and_a_line_follows_every_tenth(self):
        steps = [f"[{i + 1}/20] Building CXX object {name}" for i, name in enumerate(OBJECTS)]
        code, said = build(steps)
        self.assertEqual(code, 0)
        lines = said.splitlines()
        self.assertRegex(lines[0], r"^run: building out: 20 files, about [\d.]+ (s|min) here \(log: log/build\.log\)$")
        self.assertEqual([line.split(" %")[0].split()[-1] for line in lines[1:]], [str(10 * i) for i in range(1, 11)])
        self.assertRegex(lines[-1], r"100 %, 20 of 20 steps, 0 s left$")
        self.assertEqual((SCRATCH / "log/build.log").read_text(encoding="utf-8").count("Building"), 20)

    def test_a_build_that_fails_shows_the_end_of_its_log(self):
        code, said = build(["[1/20] Building CXX object x.o", "x.cpp:3: error: no such thing"], code=1)
        self.assertEqual(code, 1)
        self.assertIn("x.cpp:3: error: no such thing", said)
        self.assertIn("the build failed; the whole log: ", said)

    def test_nothing_to_do_is_not_worth_a_word(self):
        OBJECTS_BEFORE = list(OBJECTS)
        OBJECTS.clear()
        try:
            self.assertEqual(build(["ninja: no work to do."]), (0, ""))
        finally:
            OBJECTS.extend(OBJECTS_BEFORE)


if __name__ == "__main__":
    unittest.main()
