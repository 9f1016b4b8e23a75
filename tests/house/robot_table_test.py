"""docs/lint.md tells of every real robot that is refused. usage: robot_table_test.py LINT_PAGE ROBOT_TABLE

The table is tests/peers/robots.txt, which `./run test peers` compares with what Pintle does.
"""
import re
import sys
import unittest
from pathlib import Path

TABLE = Path(sys.argv.pop()).read_text(encoding="utf-8")
PAGE = Path(sys.argv.pop()).read_text(encoding="utf-8")


class RobotTable(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.robots = [line.split() for line in TABLE.splitlines() if line and not line.startswith("#")]
        cls.section = PAGE.split("### Files that are refused")[1]

    def test_the_table_has_four_words_in_a_line(self):
        self.assertGreater(len(self.robots), 12)
        for robot in self.robots:
            self.assertEqual(len(robot), 4, robot)

    def test_the_page_tells_every_file_that_is_refused_with_its_codes(self):
        told = {name: sorted(re.findall(r"`([a-z-]+)`", codes))
                for name, codes in re.findall(r"^\| (\S+\.urdf) \| ([^|]+) \|", self.section, re.M)}
        refused = {Path(file).name: sorted(fixed.split(",")) for file, fixed, _, _ in self.robots if fixed != "loaded"}
        self.assertEqual(told, refused)

    def test_the_page_tells_every_file_that_cannot_float(self):
        told = re.search(r"^\| files \|\n\|---\|\n\| (.*) \|$", self.section, re.M).group(1).split(", ")
        refused = [(Path(file).name, free) for file, fixed, free, _ in self.robots if fixed == "loaded" != free]
        self.assertEqual({code for _, code in refused}, {"urdf-base"})
        self.assertEqual(sorted(told), sorted(name for name, _ in refused))

    def test_the_counts_are_those_of_the_table(self):
        files, silent, warned, refused, peer = (int(number) for number in re.search(
            r"The (\d+) URDF files .*: (\d+) pass without a word, (\d+) with warnings, (\d+) are refused\.\n"
            r"Pinocchio builds a model of (\d+) of them", PAGE).groups())
        loaded = sum(fixed == "loaded" for _, fixed, _, _ in self.robots)
        self.assertEqual((files, silent + warned, refused), (len(self.robots), loaded, len(self.robots) - loaded))
        self.assertEqual(peer, sum(pinocchio == "loaded" for *_, pinocchio in self.robots))


if __name__ == "__main__":
    unittest.main()
