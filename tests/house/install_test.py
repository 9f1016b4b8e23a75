"""An installed Pintle serves a user's project through find_package and through pkg-config.

usage: install_test.py SOURCE BUILD SCRATCH COMPILER VERSION [shared]

BUILD is a built tree. With the word `shared` a build with the shared library is made of its objects first.
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

SOURCE, BUILD, SCRATCH, COMPILER, VERSION = sys.argv[1:6]
SHARED = sys.argv[6:] == ["shared"]
del sys.argv[1:]
UMBRELLAS = ("pintle.h", "simulation.h", "io.h", "batch.h", "generic.h", "eigen.h")
CONSUMER = Path(SOURCE, "tests/house/consumer")
PREFIX = Path(SCRATCH, "prefix")


def run(*command, **environment) -> str:
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**os.environ, **environment})
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def build_shared() -> Path:
    """Objects are compiled so that they fit either library: those of BUILD are taken, and as good as none compiled."""
    build = Path(SCRATCH, "shared build")
    reuse = ";".join([sys.executable, str(Path(SOURCE, "tools/reuse_objects.py")), str(Path(BUILD).resolve())])
    run("cmake", "-G", "Ninja", "-S", SOURCE, "-B", build, "-DBUILD_SHARED_LIBS=ON", "-DCMAKE_BUILD_TYPE=Release",
        f"-DCMAKE_CXX_COMPILER={COMPILER}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={reuse}", "-DPINTLE_BUILD_TESTS=OFF",
        "-DPINTLE_BUILD_EXAMPLES=OFF", "-DPINTLE_WERROR=ON")
    run("cmake", "--build", build, "--parallel", "2")
    return build


def configure(build: Path, wanted: str):
    run("cmake", "-G", "Ninja", "-S", CONSUMER, "-B", build, f"-DCMAKE_PREFIX_PATH={PREFIX}",
        f"-DCMAKE_CXX_COMPILER={COMPILER}", f"-DPINTLE_WANTED={wanted}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Installs, then moves the tree: nothing in it may know where it was made."""
        shutil.rmtree(SCRATCH, ignore_errors=True)
        first = Path(SCRATCH, "made here")
        run("cmake", "--install", build_shared() if SHARED else BUILD, "--prefix", first)
        first.rename(PREFIX)

    def test_the_library_is_of_the_kind_asked_for(self):
        kind = "libpintle.so" if SHARED else "libpintle.a"
        self.assertEqual(len(list(PREFIX.rglob(kind))), 1)

    def test_what_is_installed_can_be_reached_from_the_umbrella_headers_and_nothing_else(self):
        expected, unread = set(), list(UMBRELLAS)
        while unread:
            header = unread.pop()
            if header in expected:
                continue
            expected.add(header)
            text = Path(SOURCE, "src/pintle", header).read_text(encoding="utf-8")
            unread += re.findall(r'^#include "pintle/([^"]+)"', text, re.MULTILINE)
        include = PREFIX / "include/pintle"
        found = {path.relative_to(include).as_posix() for path in include.rglob("*") if path.is_file()}
        self.assertEqual(found, expected)
        self.assertIn("run/scene_run.h", found)
        self.assertNotIn("simulation/hybrid/mode_change.h", found)

    def test_the_installed_program_runs(self):
        self.assertIn(f"pintle {VERSION}", run(PREFIX / "bin/pintle", "--version"))

    def test_the_manual_and_completion_for_shells_are_where_they_are_looked_for(self):
        self.assertTrue((PREFIX / "share/man/man1/pintle.1").read_text(encoding="utf-8").startswith(".TH PINTLE 1"))
        for name in ("bash-completion/completions/pintle", "zsh/site-functions/_pintle",
                     "fish/vendor_completions.d/pintle.fish"):
            self.assertIn("dzhanibekov", (PREFIX / "share" / name).read_text(encoding="utf-8"), name)

    def test_find_package(self):
        build = Path(SCRATCH, "cmake consumer")
        configure(build, VERSION)
        run("cmake", "--build", build)
        self.assertTrue(run(build / "consumer").startswith(VERSION))
        commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
        self.assertEqual(sum("-ffp-contract=off" in command["command"] for command in commands), 1)

    def test_another_minor_version_is_refused(self):
        major, minor, _ = VERSION.split(".")
        with self.assertRaisesRegex(AssertionError, "version"):
            configure(Path(SCRATCH, "refused"), f"{major}.{int(minor) + 1}")

    def test_pkg_config(self):
        path = next(PREFIX.rglob("pintle.pc")).parent
        self.assertEqual(run("pkg-config", "--modversion", "pintle", PKG_CONFIG_PATH=str(path)).strip(), VERSION)
        for package, source in (("pintle", "main.cpp"), ("pintle-batch", "batch.cpp")):
            for how in ([], ["--static"]):
                flags = shlex.split(run("pkg-config", *how, "--cflags", "--libs", package, PKG_CONFIG_PATH=str(path)))
                program = Path(SCRATCH, "pkg_config_consumer")
                run(COMPILER, "-std=c++20", CONSUMER / source, "-o", program, *flags)
                self.assertTrue(run(program, LD_LIBRARY_PATH=str(path.parent)).startswith(VERSION))


if __name__ == "__main__":
    unittest.main()
