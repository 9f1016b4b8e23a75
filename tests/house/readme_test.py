"""The first C++ block of the README is the first example, which is compiled and run.

usage: readme_test.py README EXAMPLE
"""
import re
import sys
import unittest
from pathlib import Path

EXAMPLE = Path(sys.argv.pop())
README = Path(sys.argv.pop())


class Readme(unittest.TestCase):
    def test_the_first_block_is_the_example(self):
        block = re.search(r"^```cpp\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        self.assertIsNotNone(block, f"{README} has no ```cpp block")
        self.maxDiff = None
        self.assertEqual(block.group(1).strip(), EXAMPLE.read_text(encoding="utf-8").strip())


if __name__ == "__main__":
    unittest.main()
