"""Runs scenes whose reports are out of the ordinary, for the tests in a browser.
usage: special_reports.py PROGRAM FOLDER [NAME...]     FOLDER/NAME/report.html is written: of fifty, million, names, diverged, interrupted"""
import os
import signal
import subprocess
import sys
import time

PENDULUM = """
name = "pendulum"
[[body]]
name = "bob"
mass = 1
center = [0, 0, -1]
inertia = [0.01, 0.01, 0.01]
shapes = [{ sphere = { radius = "60 mm" }, at = [0, 0, -1] }]
joint = { type = "revolute", axis = [0, 1, 0] }
initial = { q = 1 }
[run]
integrator = "rk4"
step = "1 ms"
"""
# A spring that is too stiff for its step: the bob flies off to 1e150 m, and its energy to infinity.
DIVERGED = """
name = "diverged"
[[body]]
name = "bob"
mass = 1
shapes = [{ sphere = { radius = 0.1 } }]
joint = { type = "prismatic", axis = [0, 0, 1], stiffness = 1e6 }
initial = { q = 0.01 }
[run]
duration = 10
integrator = "rk4"
step = 0.01
"""
NAMES = """
name = "<script>alert('scene')</script>"
[[body]]
name = "</script><script>alert('body')</script>"
mass = 1
center = [0, 0, -0.5]
inertia = [0.01, 0.01, 0.01]
shapes = [{ sphere = { radius = "60 mm" }, at = [0, 0, -0.5] }]
joint = { name = "<img src=x onerror=alert('joint')>", type = "revolute", axis = [0, 1, 0] }
initial = { q = 1 }
[[event]]
name = "\\"><b onmouseover=alert('event')>&amp;"
zero_of = "1 - t"
[run]
duration = 2
"""


def fifty():
    scene = 'name = "fifty"\n'
    for i in range(50):
        scene += f"""[[body]]
name = "link{i}"
mass = 0.2
center = [0.05, 0, 0]
inertia = [1e-5, 2e-4, 2e-4]
joint = {{ type = "revolute", parent = "{f'link{i - 1}' if i else 'world'}", at = [{0.1 if i else 0}, 0, 0], axis = {[0, 1, 0] if i % 2 == 0 else [0, 0, 1]}, damping = 1e-4 }}
initial = {{ q = 0.05 }}
[[body.shapes]]
capsule = {{ radius = "12 mm", length = "84 mm" }}
at = [0.05, 0, 0]
rotation = {{ axis = [0, 1, 0], angle = "90 deg" }}
"""
    return scene + '[run]\nduration = 10\nintegrator = "dormand-prince"\nrelative_tolerance = 1e-6\nabsolute_tolerance = 1e-6\n'


# The scene, words of the command line, and the exit code.
REPORTS = {
    "fifty": (fifty(), [], 0),
    "million": (PENDULUM, ["--time", "1000 s", "--set", "run.row_every=1"], 0),
    "names": (NAMES, [], 0),
    "diverged": (DIVERGED, [], 5),
    "interrupted": (PENDULUM, ["--time", "100000 s", "--set", "run.row_every=1000"], 130),
}


def make(program, folder, name):
    scene, words, expected = REPORTS[name]
    out = os.path.join(folder, name)
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(folder, name + ".toml"), "w") as file:
        file.write(scene)
    command = [program, "run", name + ".toml", "--out", name, "--quiet", *words]
    # A job in the background may have been started with interrupts switched off.
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    if name == "interrupted":
        time.sleep(1)
        process.send_signal(signal.SIGINT)
    try:
        said = process.communicate(timeout=120)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    if process.returncode != expected:
        sys.exit(f"special_reports: {name}: exit code {process.returncode} instead of {expected}\n{said}")
    # Tables of a million rows are not needed, and large.
    for table in ("run.csv", "run.npz"):
        os.remove(os.path.join(out, table))


def main(program, folder, *names):
    os.makedirs(folder, exist_ok=True)
    for name in names or REPORTS:
        make(os.path.abspath(program), folder, name)


if __name__ == "__main__":
    main(*sys.argv[1:])
