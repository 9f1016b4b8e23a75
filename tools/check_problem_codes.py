"""docs/formats/problems.md lists the codes of problems that the source has for scenes: no more, no less.

usage: check_problem_codes.py ROOT

A code is a text such as "scene-key" in a .cpp file of a layer that a scene goes through. Files that are about other
inputs, and a few texts that look alike, are named below.
"""
import re
import sys
from pathlib import Path

PAGE = "docs/formats/problems.md"
LAYERS = ("base", "spatial", "text", "files", "expression", "geometry", "model", "simulation", "io", "run")
NOT_OF_SCENES = {
    "base/nearest_name.cpp",  # synonyms of names
    "geometry/mass/material.cpp",  # materials by name, for callers of the library
    "model/edit/attach.cpp", "model/edit/lock_joints.cpp", "model/edit/map_state.cpp", "model/edit/payload.cpp", "model/edit/reorder.cpp",
    "model/edit/reroot.cpp",
    "simulation/run/checkpoint.cpp", "simulation/run/run_snapshot.cpp", "simulation/trajectory/trajectory.cpp",
    "simulation/trajectory/trajectory_efforts.cpp",
    "files/file_writing.cpp", "files/growing_file.cpp", "io/recording/row_log.cpp", "io/recording/run_checkpoint.cpp",
    "io/recording/sink_error.cpp", "io/recording/stored_run.cpp",
}
NO_CODES = {"floating-point", "half-space", "joint-limit", "local-world-aligned", "no-fma", "pintle-report", "pintle-run",
            "subtract-mass", "utf-8"}


def source_codes(root: Path) -> dict:
    """Each code, and a file that has it."""
    codes = {}
    for layer in LAYERS:
        for path in sorted((root / "src/pintle" / layer).rglob("*.cpp")):
            name = path.relative_to(root / "src/pintle").as_posix()
            if name in NOT_OF_SCENES:
                continue
            text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
            for code in re.findall(r'"([a-z][a-z0-9]*(?:-[a-z0-9]+)+|cycle)"', text):
                if code not in NO_CODES:
                    codes.setdefault(code, name)
    report = (root / "src/pintle/simulation/run/run_report.h").read_text(encoding="utf-8")
    for outcome, failed in re.findall(r'"([a-z-]+)", (true|false)}', report):
        # A start makes no step and writes to nobody's sink.
        if failed == "true" and outcome not in ("recording-ended", "step-too-small"):
            codes["start-" + outcome] = "simulation/run/check_start.cpp"
    places = (root / "src/pintle/model/spec/spec_place.cpp").read_text(encoding="utf-8")
    if '+ "-unknown"' in places:  # unknown_name(kind, ...)
        for kind in ("body", "joint", "place"):
            codes[kind + "-unknown"] = "model/spec/spec_place.cpp"
    return codes


def page_codes(root: Path) -> list:
    rows = [line for line in (root / PAGE).read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    return [code for row in rows for code in re.findall(r"`([a-z0-9-]+)`", row.split("|")[1])]


def main(root: Path) -> int:
    source, page = source_codes(root), page_codes(root)
    wrong = [f"{PAGE}: '{code}' of src/pintle/{source[code]} is missing: add a row" for code in sorted(source)
             if code not in page]
    wrong += [f"{PAGE}: no source has '{code}': remove it" for code in page if code not in source]
    wrong += [f"{PAGE}: '{code}' is there twice" for code in sorted(set(page)) if page.count(code) > 1]
    print("\n".join(wrong) if wrong else f"{len(page)} codes, all of them in {PAGE}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
