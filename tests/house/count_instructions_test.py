"""tools/count_instructions.py: what it counts, keeps and refuses, with stubs in place of valgrind and the program."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools/count_instructions.py"

# A start of 7 instructions, then so many for a call.
VALGRIND = """#!/bin/sh
for word; do case=$last; last=$word; done
[ "$PINTLE_ISA" = avx2 ] || exit 1
case $case in
  bare) each=100 ;;
  run) each=${RUN_EACH:-120} ;;
esac
echo "==1== Collected : $((7 + last * each))" >&2
"""
PROGRAM = "#!/bin/sh\nprintf 'bare 10\\nrun 10 bare 24\\n'\n"
HEAD = "# A head.\n# compiler: GNU 1.2\n"


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name, text in (("valgrind", VALGRIND), ("program", PROGRAM)):
            (folder / name).write_text(text, encoding="utf-8")
            (folder / name).chmod(0o755)
        kept = folder / "kept.txt"

        def tool(*words, **environment):
            path = "%s:%s" % (folder, os.environ["PATH"])
            done = subprocess.run([sys.executable, str(TOOL), *words, str(folder / "program"), str(kept)],
                                  env={**os.environ, "PATH": path, **environment}, capture_output=True, text=True)
            return done.returncode, done.stdout

        kept.write_text(HEAD, encoding="utf-8")
        code, out = tool("--check")
        assert code == 1 and "run is not kept" in out, out
        code, out = tool("--keep")
        assert code == 0 and "20.0 %" in out, out
        assert kept.read_text(encoding="utf-8") == HEAD + "bare 10\nrun 12\n", kept.read_text(encoding="utf-8")
        assert tool("--check")[0] == 0
        assert tool("--check", "--compiler", "GNU 1.2")[0] == 0
        assert tool("--check", "--compiler", "GNU 1.3")[0] == 77
        assert tool("--check", RUN_EACH="124")[0] == 0
        code, out = tool("--check", RUN_EACH="125")
        assert code == 1 and "run exceeds bare by 25.0 %, more than 24 %" in out and "grew" not in out, out
        code, out = tool("--check", RUN_EACH="127")
        assert code == 1 and "run grew by 5.8 %" in out, out
        assert tool(RUN_EACH="127")[0] == 0
        kept.write_text(HEAD + "bare 10\nrun 12\nold 3\n", encoding="utf-8")
        code, out = tool("--check")
        assert code == 1 and "old is gone" in out, out


if __name__ == "__main__":
    main()
