#!/usr/bin/env python3
"""Every `[eq. key]` in the sources is a row of docs/equations.md that names that file, and every row is used.

usage: check_equations.py ROOT
"""
import pathlib
import re
import sys


def main():
    root = pathlib.Path(sys.argv[1])
    table = root / "docs/equations.md"
    rows = {}
    for number, line in enumerate(table.read_text().splitlines(), 1):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 4 and cells[0] not in ("key", "---"):
            rows[cells[0]] = (number, [file.strip() for file in cells[3].split(",")])
    problems = []
    used = {key: set() for key in rows}
    for path in sorted((root / "src/pintle").rglob("*")):
        if path.suffix not in (".h", ".cpp"):
            continue
        name = str(path.relative_to(root / "src/pintle"))
        text = path.read_text()
        for match in re.finditer(r"\[eq\.(?:\s|///)+([^\]]+)\]", text):  # the formatter may break it over two lines
            number, key = text.count("\n", 0, match.start()) + 1, match.group(1)
            if key not in rows:
                problems.append(f"{path}:{number}: equation '{key}' is not in docs/equations.md; add a row")
            else:
                used[key].add(name)
    for key, (number, files) in rows.items():
        for file in files:
            if file not in used[key]:
                problems.append(f"{table}:{number}: equation '{key}' is not cited in {file}; cite it or mend the row")
        for file in sorted(used[key] - set(files)):
            problems.append(f"{table}:{number}: equation '{key}' is cited in {file}; name that file in the row")
    print("\n".join(problems) if problems else f"{len(rows)} equations, each cited where the table says")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
