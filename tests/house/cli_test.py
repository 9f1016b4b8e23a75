"""The command line program: what it prints and with which exit code. usage: cli_test.py PROGRAM VERSION"""
import json
import os
import pty
import re
import subprocess
import sys
import unittest

VERSION = sys.argv.pop()
PROGRAM = sys.argv.pop()


def pintle(*words, **environment):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, env={**os.environ, **environment})


class CommandLine(unittest.TestCase):
    def test_version_names_version_compiler_instruction_set_and_bit_family(self):
        done = pintle("--version", PINTLE_ISA="baseline")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], f"pintle {VERSION}")
        self.assertRegex(lines[1], r"^compiler +(g|clang)\+\+ \d+\.\d+\.\d+$")
        self.assertRegex(lines[2], r"^instruction set +baseline$")
        self.assertRegex(lines[3], r"^bit family +(no-)?fma$")

    def test_version_as_json(self):
        done = pintle("--version", "--json", PINTLE_ISA="baseline")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        facts = json.loads(done.stdout)
        self.assertEqual(list(facts), ["version", "compiler", "isa", "bit_family"])
        self.assertEqual((facts["version"], facts["isa"]), (VERSION, "baseline"))
        lines = pintle("--version", PINTLE_ISA="baseline").stdout.splitlines()
        self.assertEqual([line.split()[-1] for line in lines[1:]],
                         [facts["compiler"].split()[-1], facts["isa"], facts["bit_family"]])
        done = pintle("--json")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--version", done.stderr)

    def test_the_list_of_scenes_wraps_on_a_terminal(self):
        ours, theirs = pty.openpty()
        with subprocess.Popen([PROGRAM, "scenes"], stdout=theirs, env={**os.environ, "COLUMNS": "80"}) as process:
            os.close(theirs)
            text = b""
            while True:
                try:
                    text += os.read(ours, 65536)
                except OSError:
                    break
            self.assertEqual(process.wait(), 0)
        lines = text.decode().replace("\r", "").splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertGreater(len(lines), 20)

    def test_scenes_as_json_are_those_of_the_list(self):
        listed = [line.split(None, 1) for line in pintle("scenes").stdout.split("\n\n")[0].splitlines()]
        scenes = json.loads(pintle("scenes", "--json").stdout)["scenes"]
        self.assertEqual([[scene["name"], scene["about"]] for scene in scenes], listed)
        one = json.loads(pintle("scenes", "screw", "--json").stdout)
        self.assertEqual(list(one), ["name", "about", "text"])
        self.assertEqual(one["text"], pintle("scenes", "screw").stdout)
        done = pintle("scenes", "scerw")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("did you mean 'screw'?", done.stderr)

    def test_help_has_pages_codes_and_commands(self):
        listed = pintle("help").stdout
        for topic in ("expressions", "scene", "joints", "problems"):
            self.assertRegex(listed, rf"(?m)^  {topic} ")
            page = pintle("help", topic).stdout
            self.assertRegex(page, r"\A# [A-Z]")
        self.assertEqual(pintle("help", "docs/formats/expressions.md").stdout, pintle("help", "expressions").stdout)
        self.assertIn("fix:", pintle("help", "axis-zero").stdout)
        self.assertEqual(pintle("help", "check").stdout, pintle("check", "--help").stdout)
        wrong = pintle("help", "expresions")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("did you mean 'expressions'?", wrong.stderr)

    def test_problems_name_pages_that_are_in_the_program(self):
        done = pintle("check", "console", "--set", "motor.0.effort=2 zzzzzz")
        self.assertIn("see pintle help expressions for the units", done.stdout + done.stderr)

    def test_an_instruction_set_that_does_not_exist_is_a_usage_error(self):
        done = pintle("--version", PINTLE_ISA="nonsense")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"^pintle: error: .*nonsense")

    def test_it_is_refused_by_every_command(self):
        done = pintle("screw", "--twist", "0,0,0,0,0,1", PINTLE_ISA="nonsense")
        self.assertEqual((done.returncode, done.stdout), (2, ""))

    def test_output_that_cannot_be_written_is_an_error(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "--help"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 4)
        self.assertRegex(done.stderr, r"^pintle: error: .*written")

    def test_help_fits_a_screen(self):
        done = pintle("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.splitlines()
        self.assertLessEqual(len(lines), 24)
        self.assertLessEqual(max(map(len, lines)), 80)

    def test_the_help_of_every_command_fits_80_columns(self):
        commands = re.findall(r"^  (\w+) ", pintle("--help").stdout.split("Subcommands:")[1], re.M)
        self.assertGreaterEqual(len(commands), 10)
        for command in commands:
            done = pintle(command, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            for line in done.stdout.splitlines():
                self.assertLessEqual(len(line), 80, f"{command}: {line}")

    def test_no_words_print_the_help(self):
        done = pintle()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, pintle("--help").stdout)

    def test_an_unknown_command_is_a_usage_error(self):
        done = pintle("frobnicate", "--fast")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertTrue(done.stderr.startswith("pintle: error: unknown command 'frobnicate'\n"), done.stderr)

    def test_an_unknown_option_is_a_usage_error(self):
        done = pintle("--frobnicate")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"^pintle: error: .*--frobnicate")

    def test_wrong_words_of_a_command_are_told_with_what_was_meant(self):
        for words, message in ((("run", "top", "--setp", "3"), "unknown option '--setp'; did you mean '--step'?"),
                               (("info", "top", "--frobnicate"), "unknown option '--frobnicate'"),
                               (("check", "top", "chain"), "unexpected argument 'chain'"),
                               (("run", "top", "--out", ""), "--out: the value is empty"),
                               (("run", "top", "--time", ""), "--time: the value is empty"),
                               (("diff", "a", "b", "--tolerance", ""), "--tolerance: the value is empty"),
                               (("diff", "a", "b", "--tolerance", "x"), "--tolerance: value 1 is 'x', expected a number; give one number (such as 1e-9)")):
            done = pintle(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertEqual(done.stderr.splitlines()[0], "pintle: error: " + message)
            if len(done.stderr.splitlines()) > 1:
                self.assertEqual(done.stderr.splitlines()[1], f"Try 'pintle {words[0]} --help'.")


if __name__ == "__main__":
    unittest.main()
