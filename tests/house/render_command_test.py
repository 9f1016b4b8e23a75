"""`pintle render`: pictures and animations of runs, and what it says when there is no browser.
usage: render_command_test.py [--browser] PROGRAM     (--browser: with the Chromium on the path)"""
import glob
import os
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop())
BROWSER = "--browser" in sys.argv
if BROWSER:
    sys.argv.remove("--browser")


def pintle(*words, folder, **environment):
    clean = {name: value for name, value in os.environ.items() if name != "PINTLE_CHROMIUM"}
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, cwd=folder,
                          env={**clean, "TMPDIR": folder, **environment})


class Render(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = cls.scratch.name
        # Letters that mean something in an address.
        done = pintle("run", "top", "--set", "run.duration=0.5", "--out", "a top #1 50%", "--quiet", folder=cls.folder)
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def render(self, *words, **environment):
        return pintle("render", *words, folder=self.folder, **environment)

    def refused(self, code, text, *words, **environment):
        done = self.render(*words, **environment)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(text, done.stderr)
        self.assertEqual(glob.glob(self.folder + "/out.*"), [])
        self.assertEqual(glob.glob(self.folder + "/pintle-render-*"), [])

    def test_no_browser(self):
        self.refused(4, "apt-get install\nchromium", "a top #1 50%", "out.png", PATH="/nowhere")
        self.refused(4, "there is no program 'no-such'", "a top #1 50%", "out.png", PINTLE_CHROMIUM="no-such")
        self.refused(4, "it has ended", "a top #1 50%", "out.png", PINTLE_CHROMIUM="false")

    def test_a_browser_that_says_why(self):
        fake = os.path.join(self.folder, "fake")
        with open(fake, "w") as file:
            file.write("#!/bin/sh\necho 'no usable sandbox' >&2\nexit 1\n")
        os.chmod(fake, 0o755)
        self.refused(4, "no usable sandbox", "a top #1 50%", "out.gif", PINTLE_CHROMIUM=fake)

    def test_words(self):
        self.refused(4, "'nothing'", "nothing", "out.png")
        self.refused(2, "neither in .png nor in .gif", "a top #1 50%", "out.jpg")
        for size in ("12", "0x100", "100x9000", "1e2x100", "100x100x100"):
            self.refused(2, "is not a size", "a top #1 50%", "out.png", "--size", size)
        self.refused(2, "for animations", "a top #1 50%", "out.png", "--fps", "10")
        self.refused(2, "for pictures", "a top #1 50%", "out.gif", "--time", "1")
        self.refused(2, "1 to 50 are possible", "a top #1 50%", "out.gif", "--fps", "100")
        self.refused(2, "--theme", "a top #1 50%", "out.png", "--theme", "blue")

    @unittest.skipUnless(BROWSER, "without a browser")
    def test_picture(self):
        pictures = []
        for words in (["--time", "0"], ["--time", "0.3"], ["--time", "0.3", "--theme", "dark"]):
            done = self.render("a top #1 50%/report.html", "one.png", "--size", "320x200", *words)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            with open(self.folder + "/one.png", "rb") as file:
                pictures.append(file.read())
        for picture in pictures:
            self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual(struct.unpack(">II", picture[16:24]), (320, 200))
        self.assertEqual(len(set(pictures)), 3, "another time or theme is another picture")
        self.assertEqual(glob.glob(self.folder + "/pintle-render-*"), [])

    @unittest.skipUnless(BROWSER, "without a browser")
    def test_animation(self):
        done = self.render("a top #1 50%", "one.gif", "--size", "160x100", "--fps", "20")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        with open(self.folder + "/one.gif", "rb") as file:
            gif = file.read()
        self.assertEqual(gif[:6], b"GIF89a")
        self.assertEqual(struct.unpack("<HH", gif[6:10]), (160, 100))
        self.assertEqual(gif.count(b"\x21\xf9\x04\x05\x05\x00\xff\x00"), 10, "ten pictures of 1/20 s")
        self.assertEqual(gif[-1:], b"\x3b")

    @unittest.skipUnless(BROWSER, "without a browser")
    def test_what_is_no_report(self):
        with open(self.folder + "/other.html", "w") as file:
            file.write("<p>hello")
        self.refused(4, "it is not a report of Pintle", "other.html", "out.png")
        self.refused(2, "the interval is outside it", "a top #1 50%", "out.gif", "--from", "3", "--to", "4")
        self.refused(4, "no/out.png", "a top #1 50%", "no/out.png")


if __name__ == "__main__":
    unittest.main()
