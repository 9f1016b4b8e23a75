"""The Debian package holds library, headers and program. usage: deb_test.py BUILD SCRATCH"""
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

BUILD, SCRATCH = sys.argv[1:]
del sys.argv[1:]


def run(*command) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=BUILD)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}\n{done.stdout}")
    return done.stdout


class DebianPackage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(SCRATCH, ignore_errors=True)
        run("cpack", "-G", "DEB", "-B", SCRATCH)
        packages = list(map(str, Path(SCRATCH).glob("*.deb")))
        assert len(packages) == 1, packages
        cls.package = packages[0]

    def test_contents(self):
        contents = run("dpkg-deb", "--contents", self.package)
        for pattern in (r"\./usr/bin/pintle\n", r"\./usr/lib/\S*libpintle\.(a|so)", r"\./usr/lib/\S*pintle\.pc\n",
                        r"\./usr/lib/\S*pintleConfig\.cmake\n", r"\./usr/include/pintle/base/version\.h\n", r"LICENSE\n",
                        r"\./usr/share/man/man1/pintle\.1(\.gz)?\n",
                        r"\./usr/share/bash-completion/completions/pintle\n", r"\./usr/share/zsh/\S*/_pintle\n",
                        r"\./usr/share/fish/vendor_completions\.d/pintle\.fish\n"):
            self.assertRegex(contents, pattern)
        self.assertNotRegex(contents, r"test|\.cpp\n")

    def test_control_fields(self):
        fields = run("dpkg-deb", "--field", self.package)
        self.assertRegex(fields, r"(?m)^Package: pintle$")
        self.assertRegex(fields, r"(?m)^Section: science$")
        self.assertRegex(fields, r"(?m)^Maintainer: Pintle contributors <pintle@example\.org>$")
        self.assertRegex(fields, r"(?m)^Depends: .*libc6 .*libstdc\+\+6")
        self.assertNotIn("toml", fields)  # toml++ is compiled in


if __name__ == "__main__":
    unittest.main()
