"""Runs that are killed and gone on with: every result is that of one run, byte for byte.
usage: resume_test.py PROGRAM [KILLS [SEED]]"""
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
SEED = int(sys.argv.pop(3)) if len(sys.argv) > 3 else 2026
KILLS = int(sys.argv.pop(2)) if len(sys.argv) > 2 else 200
PROGRAM = str(Path(sys.argv.pop(1)).resolve())

# Motion with all that a checkpoint must hold: stops with rebounds, friction that sticks, a sampled controller with a
# memory, an effort limit, events, sensors.
SCENE = """
name = "rattle"
[[body]]
name = "slider"
mass = "1 kg"
inertia = [0.01, 0.01, 0.01]
joint = { type = "prismatic", axis = [0, 0, 1], lower = "-0.1 m", upper = "0.1 m", restitution = 0.8 }
initial = { q = "0.05 m", v = "1 m/s" }
[[body]]
repeat = 4
name = "link{i}"
shape = { capsule = { radius = "1 cm", length = "20 cm" }, at = [0, 0, "-10 cm"] }
material = "steel"
joint = { type = "revolute", parent = "link{i-1}", first_parent = "slider", axis = [0, 1, 0], at = [0, 0, "-20 cm"], friction = "0.02 N m" }
[[motor]]
joint = "link2"
effort = "3 * sin(2*pi*3*t)"
effort_limit = "2 N m"
[[controller]]
joint = "link1"
target = "0.5 * sin(5*t)"
kp = 20
ki = 5
kd = 1
sample_time = "3 ms"
delay = "2 ms"
effort_limit = "8 N m"
[[event]]
name = "upright"
zero_of = "q.link1"
[[sensor]]
name = "tip"
type = "frame-pose"
place = "link4"
[run]
duration = "1.5 s"
step = "0.5 ms"
"""


def pintle(*words, **more):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=120, **more)


def results(folder):
    """All files of a folder; of run.json what may differ is left out."""
    files = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
    run = json.loads(files["run.json"])
    for key in ("wall_time", "resumed_at"):
        del run[key]
    files["run.json"] = run
    files["report.html"] = re.sub(rb'"(wall_time|resumed_at)":[^,]*', b"", files["report.html"])
    return files


class Resume(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # In memory, where there is such a place: a kill does not care, and the disk is slow.
        cls.scratch = tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        cls.folder = Path(cls.scratch.name)
        cls.scene = cls.folder / "rattle.toml"
        cls.scene.write_text(SCENE)
        done = pintle("run", cls.scene, "--out", cls.folder / "whole", "--quiet")
        assert done.returncode == 0, done.stderr
        cls.whole = results(cls.folder / "whole")
        kinds = {event["kind"] for event in cls.whole["run.json"]["events"]}
        assert {"limit-impact", "stick", "slip", "user"} <= kinds, kinds

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def assert_whole(self, folder, message=""):
        got = results(folder)
        self.assertEqual(sorted(got), sorted(self.whole), message)
        for name, bytes_ in self.whole.items():
            self.assertTrue(got[name] == bytes_, f"{message}: {name} differs")

    def out(self, name):
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        return folder

    def words(self, folder, *more):
        return ["run", str(self.scene), "--out", str(folder), "--checkpoint-every", "10 ms", "--quiet", *more]

    def interrupted(self, name, signal_=signal.SIGINT, *more):
        """A folder with a run that was stopped somewhere in its middle."""
        for wait in (0.04, 0.02, 0.08, 0.01, 0.15, 0.3):
            folder = self.out(name)
            process = subprocess.Popen([PROGRAM, *self.words(folder, *more)], stderr=subprocess.PIPE, text=True)
            while not (folder / "checkpoint.pintle").exists() and process.poll() is None:
                time.sleep(0.001)
            time.sleep(wait)
            process.send_signal(signal_)
            self.said = process.communicate(timeout=60)[1]
            if process.returncode != 0:
                return folder, process.returncode
        self.fail("the run is too short to be stopped")

    def test_a_checkpointed_run_gives_the_same_results_and_leaves_nothing_else(self):
        folder = self.out("checkpointed")
        self.assertEqual(pintle(*self.words(folder)).returncode, 0)
        self.assert_whole(folder)

    def test_kills_at_random_moments_leave_no_trace_in_the_results(self):
        chance = random.Random(SEED)
        folder = self.out("killed")
        started = time.monotonic()
        self.assertEqual(pintle(*self.words(self.out("timed"))).returncode, 0)
        span = time.monotonic() - started
        kills = completed = lives = resumed = 0
        moments = []
        while kills < KILLS:
            lives += 1
            process = subprocess.Popen([PROGRAM, *self.words(folder, "--resume")], stderr=subprocess.PIPE, text=True)
            wait = chance.uniform(0.0, 1.05 * span)
            try:
                said = process.communicate(timeout=wait)[1]
            except subprocess.TimeoutExpired:
                process.kill()
                said = process.communicate()[1]
            if process.returncode == -signal.SIGKILL:
                kills += 1
                moments.append(round(1000 * wait))
                continue
            self.assertEqual(process.returncode, 0, f"seed {SEED}, kill {kills}: {said}")
            resumed += json.loads((folder / "run.json").read_text())["resumed_at"] is not None
            self.assert_whole(folder, f"seed {SEED}, after kill {kills}")
            completed += 1
            shutil.rmtree(folder)
        self.assertEqual(pintle(*self.words(folder, "--resume")).returncode, 0)
        self.assert_whole(folder, f"seed {SEED}, at the end")
        print(f"seed {SEED}: {kills} kills in {lives} lives, {completed + 1} runs to the end ({resumed} gone on with), "
              f"one run {1000 * span:.0f} ms; ms of the kills: {moments}", file=sys.stderr)
        self.assertGreater(completed, 0)

    def test_the_folder_alone_says_what_to_go_on_with(self):
        folder, code = self.interrupted("alone", signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL)
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir(exist_ok=True)
        done = pintle("run", "--resume", folder, "--quiet", cwd=elsewhere)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assert_whole(folder)
        self.assertEqual(list(elsewhere.iterdir()), [])

    def test_ctrl_c_keeps_what_there_is_and_the_run_can_be_gone_on_with(self):
        folder, code = self.interrupted("interrupted")
        self.assertEqual(code, 130)
        self.assertRegex(self.said, r"^pintle: error: t = [\d.e-]+ s: interrupted\nTo resume: pintle run --resume ")
        partial = results(folder)
        self.assertLess(partial["run.json"]["time"], 1.5)
        self.assertTrue(self.whole["run.csv"].startswith(partial["run.csv"][:-1].rsplit(b"\n", 1)[0]))
        self.assertEqual(pintle("run", "--resume", folder, "--quiet").returncode, 0)
        self.assert_whole(folder)

    def test_settings_come_along(self):
        for settings in (("--step", "0.4 ms", "--set", "motor.0.effort=2 N m", "--set", "run.rows=300"),
                         ("--integrator", "dormand-prince", "--step", "1 us", "--time", "3 s"),
                         ("--integrator", "symplectic-midpoint", "--set", "run.row_every=7"),
                         ("--units", "mm, deg")):
            other = self.out("other")
            self.assertEqual(pintle("run", self.scene, "--out", other, "--quiet", *settings).returncode, 0)
            folder, _ = self.interrupted("settings", signal.SIGKILL, *settings)
            self.assertEqual(pintle("run", "--resume", folder, "--quiet").returncode, 0)
            self.assertTrue(results(folder) == results(other), settings)

    def test_contacts_and_impacts_come_along(self):
        for scene in ("bounce", "rolling", "slope", "cradle", "walker"):
            self.scene = scene
            whole = self.out("whole contacts")
            self.assertEqual(pintle("run", scene, "--out", whole, "--quiet").returncode, 0)
            folder, _ = self.interrupted("contacts", signal.SIGKILL)
            self.assertEqual(pintle("run", "--resume", folder, "--quiet").returncode, 0)
            got, wanted = results(folder), results(whole)
            for name in wanted:
                self.assertTrue(got[name] == wanted[name], f"{scene}: {name} differs")

    def refused(self, folder, code, exit_code, *words):
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        done = pintle("run", *words, "--resume", folder, "--quiet")
        self.assertEqual((done.returncode, done.stdout), (exit_code, ""), done.stderr)
        self.assertIn(f"[{code}]", done.stderr)
        self.assertTrue({path.name: path.read_bytes() for path in folder.iterdir()} == before, "something was touched")

    def test_what_cannot_be_gone_on_with_is_refused_and_left_alone(self):
        folder, _ = self.interrupted("refused", signal.SIGKILL)
        checkpoint, log = folder / "checkpoint.pintle", folder / "run.part"
        good, rows = checkpoint.read_bytes(), log.read_bytes()
        for scene, settings, code in (("chain", (), "checkpoint-scene"),
                                      (self.scene, ("--step", "0.4 ms"), "checkpoint-scene"),
                                      (self.scene, ("--set", "motor.0.effort=1"), "checkpoint-scene"),
                                      (self.scene, ("--time", "1 s"), "checkpoint-recording"),
                                      (self.scene, ("--set", "run.rows=100"), "checkpoint-recording"),
                                      (self.scene, ("--set", "sensor.tip.place=link3"), "checkpoint-recording")):
            self.refused(folder, code, 3, scene, *settings)
        family = json.loads((self.folder / "whole" / "run.json").read_text())["pintle"]["bit_family"]
        if family == "fma":
            os.environ["PINTLE_ISA"] = "baseline"
            self.refused(folder, "checkpoint-bits", 3)
            del os.environ["PINTLE_ISA"]
        for bytes_, code in ((b"", "checkpoint-cut"), (b"nonsense" * 10, "checkpoint-foreign"),
                             (good[:-1], "checkpoint-cut"), (good[:len(good) // 2], "checkpoint-cut"),
                             (good[:200] + bytes([good[200] ^ 1]) + good[201:], "checkpoint-damaged")):
            checkpoint.write_bytes(bytes_)
            self.refused(folder, code, 3)
        checkpoint.write_bytes(good)
        for bytes_ in (b"", rows[:40], rows[:100] + bytes([rows[100] ^ 1]) + rows[101:]):
            log.write_bytes(bytes_)
            self.refused(folder, "log-damaged", 3)
        log.unlink()
        self.refused(folder, "write-path", 4)
        log.write_bytes(rows + b"what came after the checkpoint")
        self.assertEqual(pintle("run", "--resume", folder, "--quiet").returncode, 0)
        self.assert_whole(folder)

    def test_a_folder_without_a_checkpoint_says_so(self):
        done = pintle("run", "--resume", self.folder / "whole")
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertRegex(done.stderr, r"^pintle: error: there is no checkpoint.pintle in '.*whole'\n  why: .*\n  fix: ")

    def test_wrong_words_are_usage_errors(self):
        for words, message in (((), "which scene"), (("chain", "--resume"), "--resume needs the folder"),
                               (("--resume", "a", "--out", "b"), "two folders"),
                               (("chain", "--checkpoint-every", "1 s"), "needs --out"),
                               (("chain", "--out", "a", "--checkpoint-every", "1 kg"), "it must be in s"),
                               (("chain", "--out", "a", "--checkpoint-every", "0"), "not above zero")):
            done = pintle("run", *words, cwd=self.folder)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(message, done.stderr)

    def test_two_runs_cannot_share_a_folder(self):
        folder = self.out("shared")
        first = subprocess.Popen([PROGRAM, *self.words(folder, "--time", "1000 s")])
        while not (folder / "checkpoint.pintle").exists():
            time.sleep(0.001)
        for words in (self.words(folder), self.words(folder, "--resume", "--time", "1000 s")):
            done = pintle(*words)
            self.assertEqual(done.returncode, 4)
            self.assertIn("[write-busy]", done.stderr)
        first.kill()
        first.wait()


if __name__ == "__main__":
    unittest.main()
