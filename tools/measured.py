#!/usr/bin/env python3
"""Keeps what benchmarks print in docs/measured/, with commit and machine, so that stale tables show.

usage: measured.py keep NAME COMMAND < TABLE     writes docs/measured/NAME.md
       measured.py list                          each file, and how many commits since then changed src/ or bench/
"""
import datetime
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs/measured"
CODE = ("src", "apps", "bench", "cmake", ":!bench/*.txt")  # what is measured; the .txt files are results
HEAD = re.compile(r"commit ([0-9a-f]{7,})( with changes)?, (\d{4}-\d\d-\d\d)")


def output_of(*command) -> str:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def machine() -> str:
    """The processor as it calls itself, its cores, the widest instruction set, and the compiler."""
    facts = dict(line.split(":", 1) for line in Path("/proc/cpuinfo").read_text().splitlines() if ":" in line)
    facts = {key.strip(): value.strip() for key, value in facts.items()}
    flags = facts.get("flags", "").split()
    wide = "AVX-512" if "avx512f" in flags else "AVX2" if "avx2" in flags else "plain"
    compiler = output_of("g++", "-dumpfullversion")
    return f"{facts.get('model name', 'unknown processor')}, {os.cpu_count()} cores, {wide}, g++ {compiler}"


def keep(name: str, command: str):
    commit = output_of("git", "rev-parse", "--short=10", "HEAD")
    changed = output_of("git", "status", "--porcelain", "--", *CODE)
    table = sys.stdin.read().rstrip("\n")
    if not commit or not table:
        sys.exit("measured: there is nothing to keep, or no commit to name")
    body = table if "\n|" in table or table.startswith(("|", "#")) else f"```\n{table}\n```"
    head = f"commit {commit}{' with changes' if changed else ''}, {datetime.date.today().isoformat()}; {machine()}"
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.md").write_text(f"<!-- Written by `{command}`; do not edit. -->\n\n`{command}`: {head}\n\n{body}\n",
                                       encoding="utf-8")
    print(f"kept: docs/measured/{name}.md")


def list_all() -> int:
    for path in sorted(FOLDER.glob("*.md")):
        match = HEAD.search(path.read_text(encoding="utf-8"))
        if not match:
            print(f"{path.name}: names no commit")
            return 1
        since = output_of("git", "rev-list", "--count", f"{match.group(1)}..HEAD", "--", *CODE)
        age = "of this code" if since == "0" else f"{since} commit(s) of src, apps, bench and cmake since" if since else "of an unknown commit"
        print(f"{path.name:16} {match.group(1)} {match.group(3)}  {age}")
    return 0


def main() -> int:
    words = sys.argv[1:]
    if len(words) == 3 and words[0] == "keep":
        keep(words[1], words[2])
        return 0
    if words == ["list"]:
        return list_all()
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main())
