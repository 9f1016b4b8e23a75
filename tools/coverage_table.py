#!/usr/bin/env python3
"""Prints line coverage by layer from gcovr's JSON summary.

usage: coverage_table.py [--minimum PERCENT] SUMMARY LAYER...

Exits with 1 when a layer has no lines or fewer covered than the minimum.
"""
import argparse
import json
import sys
from pathlib import Path


def layer_lines(files: list, layer: str):
    """Covered lines, all lines, and the files of a layer, worst first."""
    mine = [file for file in files if file["filename"].startswith(f"src/pintle/{layer}/")]
    mine.sort(key=lambda file: file["line_covered"] - file["line_total"])
    return sum(file["line_covered"] for file in mine), sum(file["line_total"] for file in mine), mine


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minimum", type=float, default=95.0)
    parser.add_argument("summary", type=Path)
    parser.add_argument("layers", nargs="+", metavar="LAYER")
    arguments = parser.parse_args()

    files = json.loads(arguments.summary.read_text(encoding="utf-8"))["files"]
    print(f"{'layer':<12} {'lines':>7} {'covered':>8} {'percent':>8}")
    failed = False
    for layer in arguments.layers:
        covered, total, mine = layer_lines(files, layer)
        percent = 100.0 * covered / total if total else 0.0
        print(f"{layer:<12} {total:>7} {covered:>8} {percent:>7.1f}%")
        if percent < arguments.minimum:
            failed = True
            print(f"  below {arguments.minimum:g} %; most uncovered lines:")
            for file in mine[:5]:
                print(f"    {file['filename']}: {file['line_total'] - file['line_covered']} of {file['line_total']}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
