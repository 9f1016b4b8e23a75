"""Words are completed in shells, and the manual page can be shown. usage: completion_test.py PROGRAM

bash does it for real; zsh, fish and man where they are installed.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.path.abspath(sys.argv.pop())


def output(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def pintle(*words):
    return output(PROGRAM, *words)


class Bash(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.root.name)
        (cls.folder / "my scene.toml").touch()
        (cls.folder / "notes.txt").touch()
        (cls.folder / "results").mkdir()
        (cls.folder / "script").write_text(pintle("completion", "bash"), encoding="utf-8")

    @classmethod
    def tearDownClass(cls):
        cls.root.cleanup()

    def complete(self, *words):
        """What bash offers for the last of the words."""
        script = ('source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pintle; '
                  '[ ${#COMPREPLY[@]} -eq 0 ] || printf "%s\\n" "${COMPREPLY[@]}"')
        return output("bash", "--norc", "-c", script, "bash", "pintle", *words, cwd=self.folder).splitlines()

    def test_commands(self):
        self.assertEqual(self.complete("ru"), ["run"])
        self.assertEqual(self.complete("sc"), ["scenes", "schema", "screw"])
        commands = re.findall(r"(?m)^  ([a-z]+) ", pintle("--help").split("Subcommands:")[1])
        self.assertLessEqual(set(commands), set(self.complete("")))
        self.assertNotIn("man", self.complete(""))  # it is not in the help either
        self.assertEqual(self.complete("--ver"), ["--version"])

    def test_scenes_and_scene_files(self):
        self.assertEqual(self.complete("run", "dzh"), ["dzhanibekov"])
        self.assertEqual(self.complete("check", "my"), ["my scene.toml"])
        self.assertEqual(self.complete("info", "res"), ["results"])
        self.assertEqual(self.complete("run", "notes"), [])
        names = [line.split()[0] for line in pintle("scenes").split("\n\n")[0].splitlines()]
        self.assertEqual(self.complete("scenes", ""), names)
        self.assertEqual(self.complete("run", "--quiet", "dzh"), ["dzhanibekov"])

    def test_options(self):
        for command in ("run", "check", "info", "convert", "diff", "scenes", "schema", "dynamics", "screw", "help"):
            named = set(re.findall(r"(?m)^  (?:-h,)?(--[a-z-]+)", pintle(command, "--help")))
            self.assertLessEqual(named, set(self.complete(command, "-")), command)
            self.assertEqual(self.complete(command, "--he"), ["--help"])

    def test_values(self):
        methods = self.complete("run", "--integrator", "")
        self.assertLessEqual({"rk4", "dormand-prince", "symplectic-midpoint", "sdirk"}, set(methods))
        for method in methods:  # each of them is one
            pintle("check", "top", "--set", f"run.integrator={method}")
        self.assertEqual(self.complete("run", "top", "--integrator", "dor"), ["dormand-prince"])
        self.assertEqual(self.complete("run", "--out", ""), ["results"])
        self.assertEqual(self.complete("diff", "re"), ["results"])
        self.assertEqual(self.complete("run", "--time", ""), [])
        self.assertEqual(self.complete("completion", ""), ["bash", "zsh", "fish"])

    def test_it_is_bound_to_the_program(self):
        self.assertIn("-F _pintle pintle", output("bash", "--norc", "-c", "source ./script; complete -p", cwd=self.folder))

    def test_another_shell_is_a_usage_error(self):
        done = subprocess.run([PROGRAM, "completion", "tcsh"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("bash, zsh and fish", done.stderr)


class OtherShells(unittest.TestCase):
    @unittest.skipUnless(shutil.which("fish"), "there is no fish")
    def test_fish(self):
        with tempfile.TemporaryDirectory() as home:
            script = Path(home, "pintle.fish")
            script.write_text(pintle("completion", "fish"), encoding="utf-8")

            def complete(words):
                text = output("fish", "--no-config", "-c", f"source {script}; complete -C '{words}'", cwd=home,
                              env={**os.environ, "HOME": home})
                return [line.split("\t")[0] for line in text.splitlines()]

            self.assertEqual(complete("pintle ru"), ["run"])
            self.assertEqual(complete("pintle run dzh"), ["dzhanibekov"])
            self.assertIn("sdirk", complete("pintle run --integrator "))
            self.assertIn("--checkpoint-every", complete("pintle run --ch"))

    @unittest.skipUnless(shutil.which("zsh"), "there is no zsh")
    def test_zsh(self):
        with tempfile.TemporaryDirectory() as home:
            Path(home, "_pintle").write_text(pintle("completion", "zsh"), encoding="utf-8")
            output("zsh", "-f", "-n", str(Path(home, "_pintle")))
            Path(home, ".zshrc").write_text(
                f"PS1=; fpath=({home} $fpath); autoload -Uz compinit; compinit -u -d {home}/dump; pintle() {{ true }}\n",
                encoding="utf-8")
            # A shell on a terminal of its own, in which tabs are typed; one word after the other, so that each shows.
            typed = ('zmodload zsh/zpty; zpty shell zsh -i; sleep 2; '
                     'for words in "ru" "run dzh" "run --integrator dor"; do '
                     'zpty -w -n shell "pintle $words\t"; sleep 1; zpty -w -n shell $\'\\n\'; sleep 0.3; done; '
                     'zpty -w shell exit; while zpty -r shell line; do print -r -- "$line"; done')
            shown = output("zsh", "-f", "-c", typed, cwd=home,
                           env={**os.environ, "HOME": home, "ZDOTDIR": home, "TERM": "dumb"})
            for words in ("pintle run ", "pintle run dzhanibekov ", "pintle run --integrator dormand-prince "):
                self.assertIn(words, shown)


class Manual(unittest.TestCase):
    def test_every_command_and_option_is_in_it(self):
        page = pintle("man")
        for command in re.findall(r"(?m)^  ([a-z]+) ", pintle("--help").split("Subcommands:")[1]):
            self.assertIn(f"\n.SS {command}\n", page)
            for option in re.findall(r"(?m)^  (--[a-z-]+)", pintle(command, "--help")):
                self.assertIn("\\fB" + option.replace("-", "\\-") + "\\fR", page)

    def test_only_known_macros_begin_a_line(self):
        for line in pintle("man").splitlines():
            self.assertRegex(line, r"^(\.(TH|SH|SS|TP|PP)( |$)|[^.'])")
            self.assertNotRegex(line, r"\\(?!fB|fI|fR|-|&|e|\(aq)")

    @unittest.skipUnless(shutil.which("man"), "there is no man")
    def test_man_shows_it_without_a_warning(self):
        done = subprocess.run(["man", "--warnings=w", "-l", "-"], input=pintle("man"), capture_output=True, text=True,
                              check=False, env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("pintle run arm --time \"5 s\"", " ".join(done.stdout.split()))
        self.assertIn("dzhanibekov", done.stdout)


if __name__ == "__main__":
    unittest.main()
