"""tools/mutation_check.py on a tree of two lines: what it must catch and report.

usage: mutation_check_test.py SCRATCH
"""
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

SCRATCH = Path(sys.argv.pop())
TOOL = Path(__file__).resolve().parents[2] / "tools/mutation_check.py"

CMAKE = """cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES CXX)
add_executable(small_test tests/small_test.cpp)
"""
SOURCE = "inline int three() { return 1 + 2; }\ninline int unused() { return 4 + 5; }\n"
TEST = '#include "../src/three.h"\nint main() {\n  return three() == 3 ? 0 : 1;\n}\n'


def entry(original: str, mutated: str) -> str:
    return f"file: src/three.h\nfrom: {original}\nto:   {mutated}\ntest: small_test\n\n"


def check(text: str):
    """Runs the tool on the list; returns its exit code and output."""
    (SCRATCH / "tests/mutations.txt").write_text("# a comment\n" + text, encoding="utf-8")
    done = subprocess.run([sys.executable, str(SCRATCH / "tools/mutation_check.py"), "--jobs", "1"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


class MutationCheck(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(SCRATCH, ignore_errors=True)
        for name, text in {"CMakeLists.txt": CMAKE, "cmake/empty": "", "docs/empty": "", "src/three.h": SOURCE, "LICENSE": "",
                           "tests/small_test.cpp": TEST}.items():
            path = SCRATCH / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        (SCRATCH / "tools").mkdir()
        shutil.copy(TOOL, SCRATCH / "tools")

    def test_caught_survived_and_not_compiled_are_told_apart(self):
        code, output = check(entry("1 + 2", "1 - 2") + entry("4 + 5", "4 - 5") + entry("1 + 2", "nonsense"))
        self.assertEqual(code, 1)
        outcomes = [line[:18].strip() for line in output.splitlines()[2:-1]]
        self.assertEqual(outcomes, ["caught", "SURVIVES", "does not compile"])
        self.assertIn("3 tried, 1 caught, 2 not", output)

    def test_all_caught_is_success_and_the_tree_is_unbroken_between_mutations(self):
        code, output = check(entry("1 + 2", "1 - 2") + entry("1 + 2", "2 + 2"))
        self.assertEqual(code, 0, output)
        self.assertEqual((SCRATCH / "src/three.h").read_text(encoding="utf-8"), SOURCE)
        self.assertEqual((SCRATCH / "build/mutations/source/src/three.h").read_text(encoding="utf-8"), SOURCE)

    def test_a_fragment_must_be_there_exactly_once(self):
        for original, count in (("return", 2), ("7 + 8", 0)):
            code, output = check(entry(original, "x"))
            self.assertEqual(code, 1)
            self.assertIn(f"mutations.txt:2: '{original}' is {count} times in src/three.h", output)

    def test_an_incomplete_entry_is_named(self):
        code, output = check("file: src/three.h\nto: x\n")
        self.assertEqual(code, 1)
        self.assertIn("mutations.txt:3: expected 'from: ...'", output)

    def test_an_empty_list_is_a_failure(self):
        self.assertEqual(check("")[0], 1)


if __name__ == "__main__":
    unittest.main()
