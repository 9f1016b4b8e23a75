#!/usr/bin/env python3
"""Writes what docs/formats says of the keys of scene files, as the program knows them.

usage: write_scene_docs.py ROOT PROGRAM
"""
import pathlib
import re
import subprocess
import sys

BEGIN, END = "<!-- made by scene_reference() -->\n", "<!-- end -->\n"


def main():
    root, program = pathlib.Path(sys.argv[1]), sys.argv[2]
    printed = lambda *words: subprocess.run([program, "schema", *words], check=True, capture_output=True, text=True).stdout
    formats = root / "docs" / "formats"
    (formats / "scene.schema.json").write_text(printed())
    page = (formats / "scene.md").read_text()
    pattern = re.escape(BEGIN) + ".*" + re.escape(END)
    (formats / "scene.md").write_text(re.sub(pattern, lambda _: BEGIN + printed("--reference") + END, page, flags=re.S))


if __name__ == "__main__":
    main()
