"""What a run writes, read by others: Python's own readers of CSV, ZIP, JSON and XML."""
import ast
import csv
import json
import math
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from xml.etree import ElementTree

sys.dont_write_bytecode = True
PROGRAM = sys.argv.pop(1)
SVG = "{http://www.w3.org/2000/svg}"


def npy(data: bytes):
    """The shape and the columns of numbers, or the texts, of a .npy file; as numpy.lib.format reads it."""
    assert data[:8] == b"\x93NUMPY\x01\x00"
    length = struct.unpack("<H", data[8:10])[0]
    assert (10 + length) % 64 == 0
    header = ast.literal_eval(data[10:10 + length].decode("latin1"))
    assert set(header) == {"descr", "fortran_order", "shape"}
    shape, body = header["shape"], data[10 + length:]
    count = math.prod(shape)
    if header["descr"].startswith("<U"):
        size = 4 * int(header["descr"][2:])
        assert len(body) == size * count
        return shape, [body[i * size:(i + 1) * size].decode("utf-32-le").rstrip("\0") for i in range(count)]
    assert header["descr"] == "<f8" and len(body) == 8 * count
    numbers = struct.unpack(f"<{count}d", body)
    if len(shape) == 1:
        return shape, numbers
    assert header["fortran_order"]
    return shape, [numbers[c * shape[0]:(c + 1) * shape[0]] for c in range(shape[1])]


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.scratch.name)
        cls.said = subprocess.run([PROGRAM, cls.folder], check=True, capture_output=True, text=True).stdout
        with open(cls.folder / "run.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        cls.names, cls.rows = rows[0], [[float(x) for x in row] for row in rows[1:]]
        cls.json = json.loads((cls.folder / "run.json").read_text(encoding="utf-8"))

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def column(self, name):
        place = self.names.index(name)
        return [row[place] for row in self.rows]

    def test_the_folder_holds_what_run_json_names_and_nothing_else(self):
        there = sorted(path.name for path in self.folder.iterdir())
        self.assertEqual(there, sorted(self.json["files"] + ["run.json", "zip64.zip"]))

    def test_every_column_has_a_unit(self):
        self.assertEqual(self.names[0], "t [s]")
        for name in self.names:
            self.assertRegex(name, r"^\S.* \[.+\]$")

    def test_the_arrays_are_the_columns_to_the_bit(self):
        with zipfile.ZipFile(self.folder / "run.npz") as archive:
            self.assertIsNone(archive.testzip())
            arrays = {name.removesuffix(".npy"): npy(archive.read(name)) for name in archive.namelist()}
        self.assertEqual(arrays["columns"][1], self.names)
        seen = 0
        for name, (shape, numbers) in arrays.items():
            if name.endswith("columns"):
                continue
            self.assertEqual(shape[0], len(self.rows))
            matrix = len(shape) == 2
            labels = arrays[name + ".columns"][1] if matrix else [x for x in self.names if x.startswith(name + " [")]
            for label, column in zip(labels, numbers if matrix else [numbers], strict=True):
                self.assertEqual(list(column), self.column(label))
                seen += 1
        self.assertEqual(seen, len(self.names))

    def test_zip64_is_read(self):
        with zipfile.ZipFile(self.folder / "zip64.zip") as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual(archive.namelist(), ["a", "größe"])
            self.assertEqual(archive.read("größe"), b"g" * 1000)

    def test_run_json_ends_where_the_table_ends(self):
        last = dict(zip(self.names, self.rows[-1], strict=True))
        self.assertEqual(self.json["time"], last["t [s]"])
        for group in ("q", "v"):
            for name, number in self.json["final"][group].items():
                label = next(x for x in self.names if x.startswith(f"{group}.{name} ["))
                self.assertEqual(number, last[label])
        self.assertEqual(self.json["energy_balance"]["residual"], last["energy.residual [J]"])
        self.assertEqual(self.json["certificate"]["worst"], max(self.column("certificate [1]")))

    def test_plots_are_well_formed_small_and_within_their_paper(self):
        plots = [name for name in self.json["files"] if name.endswith(".svg")]
        self.assertGreaterEqual(len(plots), 5)
        for name in plots:
            text = (self.folder / name).read_text(encoding="utf-8")
            self.assertLess(len(text), 120_000, name)
            self.assertNotIn("nan", text)
            root = ElementTree.fromstring(text)
            self.assertEqual(root.tag, SVG + "svg")
            width, height = float(root.get("width")), float(root.get("height"))
            for path in root.iter(SVG + "path"):
                places = path.get("d").translate(str.maketrans("ML", "  ")).replace("h0", "").split()
                for x, y in (place.split(",") for place in places):
                    self.assertTrue(0 <= float(x) <= width and 0 <= float(y) <= height, (name, x, y))
            for words in root.iter(SVG + "text"):
                self.assertTrue(0 <= float(words.get("x")) <= width and 0 <= float(words.get("y")) <= height)

    def test_terminal_pictures_fit(self):
        self.assertLessEqual(max(map(len, self.said.splitlines())), 140)


if __name__ == "__main__":
    unittest.main()
