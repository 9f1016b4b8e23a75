"""`pintle run`: what it prints and writes, and what becomes of it when something is wrong.
usage: run_command_test.py PROGRAM DOCS_FOLDER"""
import fcntl
import json
import os
import pty
import re
import resource
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
DOCS = Path(sys.argv.pop(2)).resolve()
PROGRAM = str(Path(sys.argv.pop(1)).resolve())

PENDULUM = """# A pendulum.
[[body]]
name = "bob"
mass = "1 kg"
center = [0, 0, -1]
inertia = [0.01, 0.01, 0.01]
joint = { type = "revolute", axis = [0, 1, 0] }
initial = { q = "60 deg" }

[[motor]]
joint = "bob"
effort = "0"

[run]
duration = "1 s"
step = "1 ms"
"""
# Bodies that repel each other ever more: numbers overflow.
DIVERGING = """
[[body]]
name = "bob"
mass = 1
inertia = [1, 1, 1]
joint = { type = "prismatic" }
initial = { q = 1 }
[[motor]]
joint = "bob"
effort = "q*q*q"
[run]
duration = 10
step = 0.01
certificate = false
"""
# A spring of 10^5 rad/s that nothing sets in motion.
STIFF = """
[[body]]
name = "block"
mass = 1
inertia = [1, 1, 1]
joint = { type = "prismatic", axis = [1, 0, 0], stiffness = "1e10 N/m" }
[run]
duration = "0.1 s"
"""


def pintle(*words, timeout=120, **more):
    environment = {**os.environ, **more.pop("env", {})}
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=timeout, env=environment,
                          **more)


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


def on_terminal(*words, columns=80, stop=None, env=None):
    """What a program writes to a terminal, and its exit code; `stop` may send signals."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", **(env or {})}
    process = subprocess.Popen([PROGRAM, *map(str, words)], stdout=slave, stderr=slave, stdin=slave, env=environment)
    os.close(slave)
    written = b""
    while True:
        ready, _, _ = select.select([master], [], [], 60)
        try:
            piece = os.read(master, 65536) if ready else b""
        except OSError:
            piece = b""
        if not piece:
            break
        written += piece
        if stop is not None and stop(written, process):
            stop = None
    os.close(master)
    return written.decode(), process.wait()


class RunTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = Path(self.scratch.name)
        self.scene = self.write("pendulum.toml", PENDULUM)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def answer(self, *words):
        done = pintle("run", *words, "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)


class Good(RunTest):
    def test_a_run_in_a_pipe_is_a_text_without_progress_and_colours_that_fits_80_columns(self):
        for scene in ("chain", "console", "screw", "top", "dzhanibekov", "pendulum-double", "arm", "bounce", self.scene):
            done = pintle("run", scene)
            self.assertEqual((done.returncode, done.stderr), (0, ""), scene)
            self.assertNotIn("\033", done.stdout)
            self.assertNotIn("\r", done.stdout)
            lines = done.stdout.splitlines()
            self.assertLessEqual(max(map(len, lines)), 80)
            rule = next(i for i, line in enumerate(lines) if "───" in line)
            rows = lines[rule + 1:]
            rows = rows[:next(i for i, line in enumerate(rows) if not re.match(r" +-?\d", line) or " more " in line)]
            self.assertTrue(12 <= len(rows) <= 36, f"{scene}: {len(rows)} rows")
            for word in ("▁", "energy.total", "energy balance", "certificate", "next  pintle run "):
                self.assertIn(word, done.stdout)

    def test_impacts_are_listed_and_counted(self):
        text = pintle("run", "bounce").stdout
        self.assertRegex(text, r"\n\d+ impacts, the first 6:\n  t = 0.451523641 s  world / dull      4.429 m/s  e 0.5  lost 33.9 J")
        self.assertRegex(text, r"\n  \d+ more until t = 5.6\d+ s; all dissipated 115.7 J\n")
        self.assertNotIn("impacts", pintle("run", "screw").stdout)

    def test_commands_to_try_next_can_be_given_to_a_shell(self):
        scene = self.write("it's a scene.toml", PENDULUM)
        done = pintle("run", scene.name, cwd=self.folder)
        self.assertIn("next  pintle run 'it'\\''s a scene.toml' --out DIR", done.stdout)

    def test_nothing_is_written_unasked(self):
        empty = self.folder / "empty"
        empty.mkdir()
        for words in (("chain",), (self.scene, "--json"), ("top", "--quiet")):
            self.assertEqual(pintle("run", *words, cwd=empty).returncode, 0)
        self.assertEqual(list(empty.iterdir()), [])

    def test_quiet_is_quiet(self):
        done = pintle("run", "chain", "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_failed_checks_are_loud_and_with_strict_an_error(self):
        coarse = ("pendulum-double", "--integrator", "semi-implicit-euler", "--step", "50 ms")
        done = pintle("run", *coarse)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        failed = r"  CHECK FAILED    68 % of the energy is unaccounted for \(limit 1 %\): 108 J of\n"
        self.assertRegex(done.stdout, failed)
        self.assertNotIn("checks          ok", done.stdout)
        for words in (("--quiet",), ("--json",)):
            done = pintle("run", *coarse, *words)
            self.assertEqual(done.returncode, 0)
            self.assertRegex(done.stderr, failed)
        checks = json.loads(done.stdout)["checks"]
        self.assertEqual(checks["verdict"], "failed")
        energy = checks["list"][0]
        self.assertEqual((energy["name"], energy["verdict"], energy["warning_limit"], energy["limit"]),
                         ("energy", "failed", 1e-4, 1e-2))
        self.assertAlmostEqual(energy["value"], 0.68, delta=0.01)
        done = pintle("run", *coarse, "--strict", "--out", self.folder / "out")
        self.assertEqual(done.returncode, 6)
        self.assertEqual(done.stderr, "pintle: error: checks failed (--strict): energy, momentum\n")
        self.assertTrue((self.folder / "out" / "report.html").exists())
        self.assertEqual(pintle("report", *coarse[:1], self.folder / "a.html", *coarse[1:], "--strict").returncode, 6)

    def test_checks_that_are_ok_say_so_and_strict_is_content(self):
        done = pintle("run", "bounce", "--strict")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("\n  checks          ok: energy, momentum, certificate, contact, impacts\n", done.stdout)

    def test_an_impact_that_gains_energy_fails_its_check(self):
        done = pintle("run", "cylinder")
        self.assertEqual(done.returncode, 0)
        self.assertIn("  CHECK FAILED    an impact gains 0.107 J, 7.4 % of the energy (limit 1 %)\n", done.stdout)
        self.assertIn("GAINS 0.107 J", done.stdout)
        self.assertEqual(pintle("run", "cylinder", "--strict").returncode, 6)

    def test_what_a_stiff_scene_costs_is_said_before_it_runs(self):
        stiff = self.write("stiff.toml", STIFF)
        done = pintle("run", stiff, "--json")
        self.assertEqual(done.returncode, 0)
        self.assertIn("note[run-integrator]: the scene names no integrator; dormand-prince is used", done.stderr)
        self.assertEqual(json.loads(done.stdout)["settings"]["method"], "dormand-prince")
        done = pintle("run", stiff, "--step", "1 ms", "--json")
        self.assertIn("warning[run-unstable]: the step of 0.001 s is too long for rk4", done.stderr)
        done = pintle("check", stiff, "--set", "run.integrator='rk4'")
        self.assertRegex(done.stdout, r"warning\[run-stiff\]: the run takes about \d+ steps of rk4; dormand-prince needs about \d+")

    def test_two_runs_give_the_same_bytes(self):
        for name in ("a", "b"):
            self.assertEqual(pintle("run", "arm", "--time", "0.5 s", "--out", self.folder / name).returncode, 0)
        a, b = contents(self.folder / "a"), contents(self.folder / "b")
        for files in (a, b):
            for name in ("run.json", "report.html"):
                files[name] = re.sub(rb'"wall_time": ?[\d.e-]+', b"", files[name])
        self.assertEqual([name for name in a if a[name] != b.get(name)], [])
        self.assertEqual(sorted(a), sorted(json.loads((self.folder / "a" / "run.json").read_text())["files"] +
                                           ["run.json"]))

    def test_options_have_units_and_are_settings(self):
        got = self.answer(self.scene, "--time", "500 ms", "--step", "2 ms", "--integrator", "dormand-prince",
                          "--set", "run.rows=10")
        self.assertEqual(got["settings"]["duration"], 0.5)
        self.assertEqual(got["settings"]["step"], 0.002)
        self.assertEqual(got["settings"]["method"], "dormand-prince")
        self.assertEqual(got["scene"]["overrides"], ["run.rows=10", "run.duration=500 ms", "run.step=2 ms",
                                                     "run.integrator=dormand-prince"])

    def test_tables_and_the_summary_are_in_the_units_asked_for(self):
        for name, words in (("si", ()), ("mm", ("--units", "mm, deg"))):
            done = pintle("run", self.scene, "--out", self.folder / name, *words)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        si, mm = (self.folder / name for name in ("si", "mm"))
        heads = [(folder / "run.csv").read_text().split("\n")[0].split(",") for folder in (si, mm)]
        self.assertIn("q.bob [rad]", heads[0])
        for column in ("t [s]", "q.bob [deg]", "v.bob [deg/s]", "tau.bob [N mm]", "energy.total [N mm]"):
            self.assertIn(column, heads[1])
        rows = [[float(x) for x in (folder / "run.csv").read_text().split("\n")[1].split(",")] for folder in (si, mm)]
        q, energy = heads[0].index("q.bob [rad]"), heads[0].index("energy.total [J]")
        self.assertAlmostEqual(rows[1][q], 60.0, 12)
        self.assertAlmostEqual(rows[1][energy] / rows[0][energy], 1000.0, 9)
        self.assertIn("[deg]", done.stdout)
        self.assertRegex(done.stdout, r"energy [\d.e+-]+ → [\d.e+-]+ N mm")
        self.assertNotIn(" J", done.stdout)
        runs = [json.loads((folder / "run.json").read_text()) for folder in (si, mm)]
        self.assertEqual([run["units"] for run in runs],
                         [{"json": "si", "tables": "si"}, {"json": "si", "tables": "mm, deg"}])
        self.assertEqual(runs[0]["final"], runs[1]["final"])
        self.assertEqual(runs[1]["scene"]["overrides"], ["--units=mm, deg"])
        self.assertIn("[deg]", "".join(path.read_text() for path in mm.glob("*.svg")))
        self.assertIn("'--units=mm, deg'", (mm / "report.html").read_text())
        for units, what in (("mm, cm", "second unit"), ("parsec", "unknown unit"), ("ms", "seconds")):
            done = pintle("run", self.scene, "--units", units)
            self.assertEqual(done.returncode, 2)
            self.assertIn(what, done.stderr)

    def test_settings_reach_everything(self):
        plain = self.answer("console", "--time", "0.1 s")
        for setting in ("body.link3.mass=2 kg", "body.link{i}.joint.damping=0.5 N m s/rad", "body.0.mass=2",
                        "body.link2.initial.q=10 deg", "motor.0.effort=0", "motor.joint1.effort_limit=1 N m",
                        "motor.joint1_motor.effort='t'", "spring.joint6.rest=0", 'world.gravity=[0, 0, "-1 m/s^2"]',
                        "body.link6.inertia.2=0.0074"):
            got = self.answer("console", "--time", "0.1 s", "--set", setting)
            self.assertNotEqual(got["state_hash"], plain["state_hash"], setting)
        one = self.answer("console", "--time", "0.1 s", "--set", "body.link3.mass=2 kg")
        kinds = [event["kind"] for event in one["events"]]
        self.assertEqual(kinds, [event["kind"] for event in plain["events"]])
        self.assertEqual(self.answer("console", "--time", "0.1 s", "--set", "body.link3.mass=1 kg")["state_hash"],
                         plain["state_hash"])

    def test_run_json_is_enough_to_repeat_the_run(self):
        parts = self.folder / "parts"
        parts.mkdir()
        (parts / "lift.csv").write_text("time [s], lift [mm]\n0, 0\n0.5, 12\n1, 0\n")
        self.write("parts/cam.toml", '[[body]]\nname = "cam"\nmass = 1\njoint = { type = "prismatic" }\n'
                   '[[motor]]\njoint = "cam"\nposition = { file = "lift.csv", time = "time", value = "lift" }\n')
        self.write("pendulum.toml", 'include = ["parts/cam.toml"]\n' + PENDULUM)
        done = pintle("run", self.scene, "--out", self.folder / "first", "--step", "2 ms", "--set",
                      "motor.bob.effort=0.1*sin(t)", "--quiet")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        first = json.loads((self.folder / "first" / "run.json").read_text())
        again = self.folder / "again"
        for source in first["scene"]["sources"]:
            path = again / source["name"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(source["text"])
            self.assertEqual(source["bytes"], path.stat().st_size)
        self.assertEqual([source["name"] for source in first["scene"]["sources"]],
                         ["pendulum.toml", "parts/cam.toml", "parts/lift.csv"])
        settings = [word for text in first["scene"]["overrides"] for word in ("--set", text)]
        done = pintle("run", again / first["scene"]["sources"][0]["name"], *settings, "--out", self.folder / "second")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        second = json.loads((self.folder / "second" / "run.json").read_text())
        self.assertEqual(second["state_hash"], first["state_hash"])
        self.assertEqual(second["scene"]["hash"], first["scene"]["hash"])
        for name in ("run.csv", "run.npz"):
            self.assertTrue((self.folder / "second" / name).read_bytes() == (self.folder / "first" / name).read_bytes(), name)


class Json(RunTest):
    def documented(self):
        """The keys of docs/formats/run.md, with dots; lists end in []."""
        text = (DOCS / "formats" / "run.md").read_text()
        table = text.split("## run.json")[1].split("\n## ")[0]
        keys = set()
        for line in table.splitlines():
            if not line.startswith("| `"):
                continue
            names = re.findall(r"`([^`]+)`", line.split("|")[1])
            first = names[0]
            for name in names:
                keys.add(first.rpartition(".")[0] + name if name.startswith(".") else name)
        return keys

    def keys_of(self, value, path=""):
        if isinstance(value, dict):
            for key, part in value.items():
                yield from self.keys_of(part, f"{path}.{key}" if path else key)
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield path + "[]"
        else:
            yield path

    def test_the_documented_keys_are_there_and_no_others(self):
        documented = self.documented()
        got = self.answer("screw", "--set", "run.certificate_limit=1e-6")
        self.assertGreater(len(got["events"]), 0)
        touching = self.answer("bounce")
        self.assertGreater(len(touching["impacts"]), 0)
        self.assertNotIn("contact", got["certificate"])
        there = set()
        for key in (*self.keys_of(got), *self.keys_of(touching)):
            there.add(key)
            parts = key.split(".")
            there.update(".".join(parts[:i]) for i in range(1, len(parts)))
        flat = {key.removesuffix("[]") for key in documented}
        missing = {key for key in flat if key not in there and key + "[]" not in there}
        self.assertEqual(missing - {"joint", "body"}, set())

        def is_documented(key):
            key = key.removesuffix("[]")
            parts = key.split(".")
            return any(".".join(parts[:i]) in flat and (i == len(parts) or self.is_open(".".join(parts[:i])))
                       for i in range(len(parts), 0, -1))
        self.assertEqual({key for key in self.keys_of(got) if not is_documented(key)}, set())
        self.assertEqual({key for key in self.keys_of(touching) if not is_documented(key)}, set())

    @staticmethod
    def is_open(key):
        """Whether the page lists what is within a key in words."""
        return key in ("final.q", "final.v", "energy_balance.energy.start", "energy_balance.energy.end", "energy_balance.momentum.linear",
                       "energy_balance.momentum.angular")

    def test_it_is_what_out_writes(self):
        done = pintle("run", self.scene, "--json", "--out", self.folder / "out")
        self.assertTrue(done.stdout == (self.folder / "out" / "run.json").read_text())


class Wrong(RunTest):
    def test_a_bad_file_tells_all_problems_with_carets(self):
        bad = self.write("bad.toml", PENDULUM.replace('"1 kg"', '"1 m"').replace('"0"', '"sin(q"').replace("[run]", "[rnu]"))
        done = pintle("run", bad)
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertEqual(done.stderr.count("error["), 3, done.stderr)
        self.assertEqual(len(re.findall(r"^ +\| +\^$", done.stderr, re.M)), 3, done.stderr)
        self.assertEqual(done.stderr.count("bad.toml:"), 3)

    def test_a_missing_file_an_unknown_scene_and_wrong_words(self):
        for words, code, message in ((("missing.toml",), 4, "there is no file 'missing.toml'"),
                                     (("chian",), 2, "did you mean 'chain'?"), ((".",), 4, "Is a directory"),
                                     (("chain", "--frob"), 2, "--frob"), ((), 2, "which scene?")):
            done = pintle("run", *words, cwd=self.folder)
            self.assertEqual((done.returncode, done.stdout), (code, ""), words)
            self.assertTrue(done.stderr.startswith("pintle: error: "), done.stderr)
            self.assertIn(message, done.stderr)

    def test_settings_that_are_wrong_are_pointed_at(self):
        for words, place, quoted, caret, message in (
            (("--time", "2 kg"), "--time:1:3", "2 kg", 3, "it must be in s"),
            (("--step", "-1 ms"), "--step:1:1", "-1 ms", 1, "negative"),
            (("--integrator", "rk5"), "--integrator:1:1", "rk5", 1, "did you mean 'rk4'?"),
            (("--set", "body.bob.mass=1 s"), "--set:1:17", "body.bob.mass=1 s", 17, "it must be in kg"),
            (("--set", "name=x", "--set", "body.bub.mass=1"), "--set:2:6", "body.bub.mass=1", 6, "did you mean 'bob'?"),
            (("--set", "body.bob.maas=1"), "--set:1:10", "body.bob.maas=1", 10, "did you mean 'mass'?"),
            (("--set", "step=1"), "--set:1:1", "step=1", 1, "did you mean 'run.step'?"),
            (("--set", "motor.1.effort=1"), "--set:1:7", "motor.1.effort=1", 7, "there are 1, counted from 0"),
            (("--set", "motor.bob.effort=sin("), "--set:1:18", "motor.bob.effort=sin(", 22, "expression"),
            (("--set", "nonsense"), "--set:1:9", "nonsense", 9, "is not a setting"),
            (("--set", "world.gravity=[0, 0"), "--set:1:20", "world.gravity=[0, 0", 20, "not closed"),
            (("--set", "body=1"), "--set:1:1", "body=1", 1, "body.NAME.KEY"),
        ):
            done = pintle("run", self.scene, *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(message, done.stderr)
            self.assertIn(place.rsplit(":", 1)[0] + ":", done.stderr)
            number = place.split(":")[1]
            self.assertIn(f"  {number} | {quoted}\n    | {' ' * (caret - 1)}^\n", done.stderr)

    def test_a_run_that_diverges_exits_5_and_keeps_what_was_before(self):
        scene = self.write("diverging.toml", DIVERGING)
        out = self.folder / "out"
        done = pintle("run", scene, "--out", out)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertRegex(done.stderr, r"^pintle: error: t = .*bob")
        run = json.loads((out / "run.json").read_text())
        self.assertFalse(run["ok"])
        self.assertIn(run["outcome"], ("not-finite", "no-acceleration"))
        rows = (out / "run.csv").read_text().splitlines()
        self.assertGreater(len(rows), 20)
        self.assertLessEqual(float(rows[-1].split(",")[0]), run["time"])
        self.assertIn(run["outcome"], done.stdout)
        self.assertEqual(sorted(contents(out)), sorted(run["files"] + ["run.json"]))


class CannotWrite(RunTest):
    def assert_refused(self, done, *words, code=4):
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertTrue(done.stderr.startswith("pintle: error: "), done.stderr)
        self.assertNotIn("terminate", done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_out_names_a_file(self):
        taken = self.write("taken", "precious")
        self.assert_refused(pintle("run", self.scene, "--out", taken), "taken", "[write-path]")
        self.assert_refused(pintle("run", self.scene, "--out", taken / "below"), "taken")
        self.assertEqual(taken.read_text(), "precious")

    def test_a_result_that_is_a_folder_keeps_all_others(self):
        out = self.folder / "out"
        self.assertEqual(pintle("run", self.scene, "--out", out, "--quiet").returncode, 0)
        (out / "run.json").unlink()
        (out / "run.json").mkdir()
        before = contents_of_files(out)
        self.assert_refused(pintle("run", self.scene, "--out", out, "--step", "2 ms"), "run.json", "[write-folder]")
        self.assertTrue(contents_of_files(out) == before)

    @unittest.skipIf(os.geteuid() == 0 and not shutil.which("setpriv"), "root may write everywhere")
    def test_a_read_only_folder(self):
        out = self.folder / "locked"
        self.assertEqual(pintle("run", self.scene, "--out", out, "--quiet").returncode, 0)
        before = contents(out)
        os.chmod(self.folder, 0o755)
        os.chmod(out, 0o555)
        words = [PROGRAM, "run", "chain", "--out", str(out)]
        if os.geteuid() == 0:
            words = ["setpriv", "--reuid=65534", "--clear-groups", *words]
        done = subprocess.run(words, capture_output=True, text=True)
        os.chmod(out, 0o755)
        if "setpriv" in done.stderr or "denied" in done.stderr and "write-denied" not in done.stderr:
            self.skipTest(done.stderr)
        self.assert_refused(done, "run.csv", "[write-denied]")
        self.assertTrue(contents(out) == before)

    def test_a_full_disk_keeps_earlier_results(self):
        # A limit on the size of files stands for a disk that is full: at every place at which room may run out.
        out = self.folder / "out"
        self.assertEqual(pintle("run", self.scene, "--out", out, "--quiet").returncode, 0)
        before = contents(out)
        largest = len(before["run.npz"])  # of any run with as many rows
        sizes = sorted({len(bytes_) for bytes_ in before.values() if len(bytes_) <= largest})
        limits = [0, 1000, *(size - 1 for size in sizes), largest // 2]
        for limit in limits:
            for more in ((), ("--checkpoint-every", "0.1 s")):
                done = pintle("run", self.scene, "--out", out, "--quiet", "--set", "body.bob.mass=2", *more,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
                self.assert_refused(done, "[write-full]")
                left = contents(out)
                for name in ("checkpoint.pintle", "run.part"):
                    left.pop(name, None)
                self.assertTrue(left == before, f"limit {limit}: {sorted(left)}")

    def test_a_small_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "none", str(disk)], capture_output=True)
        if mount.returncode != 0:
            self.skipTest("only root can make a small disk")
        try:
            done = pintle("run", self.scene, "--out", disk / "out", "--set", "run.rows=10", "--quiet")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            before = contents(disk / "out")
            self.assert_refused(pintle("run", "arm", "--set", "run.rows=8000", "--out", disk / "out"), "[write-full]", "No space left")
            self.assertTrue(contents(disk / "out") == before)
        finally:
            subprocess.run(["umount", str(disk)], check=True)

    def test_output_that_nobody_takes(self):
        with open("/dev/full", "w") as full:
            for words in (("chain",), ("chain", "--json")):
                done = subprocess.run([PROGRAM, "run", *words], stdout=full, stderr=subprocess.PIPE, text=True)
                self.assert_refused(done, "could not be written", "No space left")
        read, write = os.pipe()
        os.close(read)
        out = self.folder / "out"
        done = subprocess.run([PROGRAM, "run", "chain", "--out", str(out)], stdout=write, stderr=subprocess.PIPE, text=True)
        os.close(write)
        self.assert_refused(done, "could not be written", "Broken pipe")
        self.assertEqual(sorted(contents(out)),
                         sorted(json.loads((out / "run.json").read_text())["files"] + ["run.json"]))
        for _ in range(5):
            done = subprocess.run(f"'{PROGRAM}' run chain | head -1; exit ${{PIPESTATUS[0]}}", shell=True,
                                  executable="/bin/bash", capture_output=True, text=True)
            self.assertTrue(done.stdout.startswith("chain  6 bodies"))
            self.assertIn(done.returncode, (0, 4))

    def test_closed_streams_change_no_result_and_no_exit_code(self):
        def closed(streams, *words):
            return subprocess.run(["/bin/bash", "-c", f'exec "$0" "$@" {streams}', PROGRAM, *map(str, words)],
                                  stderr=subprocess.DEVNULL).returncode

        plain, out = self.folder / "plain", self.folder / "out"
        self.assertEqual(pintle("run", "chain", "--out", plain, "--quiet").returncode, 0)
        for streams in (">&-", "2>/dev/full >&-", "<&- >&- 2>&-"):
            for more in ((), ("--checkpoint-every", "0.1 s")):
                shutil.rmtree(out, ignore_errors=True)
                self.assertEqual(closed(streams, "run", "chain", "--out", out, *more), 4, streams)
                self.assertEqual(contents(out)["run.csv"], contents(plain)["run.csv"])
                self.assertEqual(sorted(contents(out)), sorted(contents(plain)))
        bad = self.folder / "bad.toml"
        bad.write_text("[[body]]\nname = 3\n")
        for streams in ("2>&-", "2>/dev/full"):
            self.assertEqual(closed(streams, "run", bad), 3)
            self.assertEqual(closed(streams, "run"), 2)
            self.assertEqual(closed(streams, "run", "nothing.toml"), 4)


def contents_of_files(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


class Interrupted(RunTest):
    def stopped(self, signal_, *more):
        out = self.folder / "out"
        process = subprocess.Popen([PROGRAM, "run", "arm", "--time", "1000 s", "--out", str(out), *more],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not list(out.glob("run.csv.*.tmp")) if out.exists() else True:
            time.sleep(0.005)
        time.sleep(0.3)
        process.send_signal(signal_)
        said, complained = process.communicate(timeout=60)
        return out, process.returncode, said, complained

    def test_a_signal_stops_it_cleanly_with_everything_written(self):
        for signal_, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            out, got, said, complained = self.stopped(signal_)
            self.assertEqual(got, code)
            self.assertRegex(complained, r"^pintle: error: t = [\d.]+ s: interrupted\n$")
            run = json.loads((out / "run.json").read_text())
            self.assertEqual((run["outcome"], run["ok"]), ("interrupted", True))
            self.assertIn("interrupted", run["text"])
            self.assertTrue(0 < run["time"] < 1000)
            self.assertEqual(sorted(contents(out)), sorted(run["files"] + ["run.json"]))
            self.assertGreater(len([name for name in run["files"] if name.endswith(".svg")]), 3)
            self.assertIn("written to", said)
            last = (out / "run.csv").read_text().splitlines()[-1]
            self.assertLessEqual(float(last.split(",")[0]), run["time"])
            shutil.rmtree(out)

    def test_a_second_signal_ends_it_at_once(self):
        # The program hangs in a pipe that is full, with all files written.
        read, write = os.pipe()
        os.set_blocking(write, False)
        try:
            while os.write(write, b"x" * 65536):
                pass
        except BlockingIOError:
            pass
        os.set_blocking(write, True)
        out = self.folder / "out"
        process = subprocess.Popen([PROGRAM, "run", "arm", "--time", "1000 s", "--out", str(out)], stdout=write,
                                   stderr=subprocess.PIPE)
        while not list(out.glob("run.csv.*.tmp")) if out.exists() else True:
            time.sleep(0.005)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        while not (out / "run.json").exists():
            time.sleep(0.005)
        time.sleep(0.1)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=10), -signal.SIGINT)
        process.stderr.close()
        os.close(read)
        os.close(write)


class OnATerminal(RunTest):
    ESCAPE = re.compile(r"\033\[[0-9;]*[mK]")

    def test_colours_are_used_unless_unwanted(self):
        said, code = on_terminal("run", "chain")
        self.assertEqual(code, 0)
        self.assertRegex(said, "\033\\[36m[▁▂▃▄▅▆▇█]+\033\\[0m")
        self.assertIn("\033[1mchain\033[0m", said)
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            said, code = on_terminal("run", "chain", env=environment)
            self.assertEqual(code, 0)
            self.assertNotRegex(said.replace("\r\033[K", ""), "\033")

    def test_failed_checks_are_red_and_others_green(self):
        red, green, yellow = "\033[1;31m  CHECK FAILED", "\033[32m  checks          ok", "\033[33m  check warning"
        self.assertIn(red, on_terminal("run", "cylinder")[0])
        self.assertIn(green, on_terminal("run", "screw")[0])
        self.assertIn(yellow, on_terminal("run", "screw", "--set", "run.certificate=false")[0])
        self.assertNotIn("\033", on_terminal("run", "cylinder", env={"NO_COLOR": "1"})[0].split("impacts")[1])

    def test_nothing_wraps(self):
        for columns in (60, 80, 140):
            for scene in ("chain", "arm", "dzhanibekov", "pendulum-double", "bounce"):
                said, code = on_terminal("run", scene, "--out", self.folder / "out", columns=columns)
                self.assertEqual(code, 0)
                for line in self.ESCAPE.sub("", said).split("\n"):
                    self.assertLessEqual(len(line.rstrip("\r").rpartition("\r")[2]), columns, line)

    def test_a_long_run_shows_how_far_it_is_and_ctrl_c_stops_it(self):
        def stop(written, process):
            if written.count(b"x real time") < 3:
                return False
            process.send_signal(signal.SIGINT)
            return True
        said, code = on_terminal("run", "arm", "--time", "1000 s", stop=stop)
        self.assertEqual(code, 130)
        bars = [line for line in said.split("\r\033[K") if "left" in line]
        self.assertRegex(bars[0], r"^[█░]+ +\d+ %  t = \S+ s  \S+ x real time  .+ left")
        self.assertLessEqual(len(bars[0].rstrip()), 79)
        self.assertIn("interrupted", said)
        self.assertIn("energy balance", said)

    def test_quiet_shows_no_bar(self):
        said, code = on_terminal("run", "arm", "--quiet")
        self.assertEqual((said, code), ("", 0))


if __name__ == "__main__":
    unittest.main()
