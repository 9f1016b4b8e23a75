#!/usr/bin/env python3
"""Real robots, read by Pintle and by Pinocchio, fixed and floating: who takes which file, and whether both agree.

usage: robots.py [--states N] [--wrong-mass] [--write-table] [--only TEXT] ROBOT_ANSWERS
(with the Python of build/peers-environment; ROBOT_ANSWERS is the program made of robot_answers.cpp)

Every URDF file of the package example-robot-data is read. What becomes of it is compared with robots.txt (--write-table
writes that file anew). Where both take it, these are compared at N = 100 random states: mass matrix, bias h = C v + g,
inverse dynamics, forward dynamics, and of every link the pose and the Jacobian (at its origin, world axes).

Joints and links are matched by name. Pinocchio reads mimics as joints of their own; its answers are taken to the
independent joints by v_all = G v, which is where the law of virtual power puts them. <dynamics> is compared by nobody:
Pinocchio keeps damping and friction apart from these functions, and Pintle is asked without its passive efforts.

Differences are relative. Of a mass matrix entry by entry: |dM_ij| / sqrt(M_ii M_jj), which no choice of units changes.
Of everything else max |a - b| / max |b| over one answer (one link's, of poses and Jacobians); of zeros the bare
difference. Fails when one is above 1e-10; of forward dynamics only when it is also above the rounding unit times the
condition of the mass matrix (its diagonal scaled to 1), by which the last bit of any mass moves the answer: then '~' is
printed, with that bound. --wrong-mass makes the last mass of each robot wrong by a millionth on
Pinocchio's side, and ends with 1 when that shows in every robot, else with 0.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

import numpy
import pinocchio

FLOOR = 1e-10
FUNCTIONS = ["mass", "bias", "inverse", "forward", "poses", "jacobians"]
TABLE = pathlib.Path(__file__).parent / "robots.txt"
TABLE_HEAD = """\
# What becomes of the URDF files of example-robot-data (the version in requirements.txt) in Pintle, with its root link
# fixed and floating, and in Pinocchio: "loaded", or why not. Written by `robots.py --write-table`, checked by
# `./run test peers`; docs/lint.md explains every file that Pintle refuses, and tests/house/robot_table_test.py checks it.
#
"""


def robot_folder():
    found = list(pathlib.Path(sys.prefix).glob("lib/python3*/site-packages/cmeel.prefix/share/example-robot-data/robots"))
    if not found:
        sys.exit("robots.py: no example-robot-data in this Python environment; `./run test peers` makes one that has it")
    return found[0]


# ---- Pintle


class PintleRobot:
    """A robot in Pintle: its outline, and its answers at states."""

    def __init__(self, program, path, base):
        self.command = [program, str(path), base]
        out = subprocess.run(self.command, input=b"", stdout=subprocess.PIPE, check=True).stdout
        self.outline = json.loads(out)
        self.loaded = self.outline["loaded"]
        self.joints = self.outline.get("joints") or []
        self.bodies = self.outline.get("bodies") or []
        self.nq, self.nv = self.outline.get("nq", 0), self.outline.get("nv", 0)

    def fate(self):
        errors = sorted({problem["code"] for problem in self.outline["problems"] if problem["severity"] == "error"})
        return "loaded" if self.loaded else ",".join(errors)

    def answers(self, states):
        """For each state a dictionary by function; of poses and Jacobians lists over the bodies."""
        given = b"".join(numpy.concatenate(state).tobytes() for state in states)
        out = subprocess.run(self.command, input=given, stdout=subprocess.PIPE, check=True).stdout
        numbers = numpy.frombuffer(out[out.index(b"\n") + 1 :])
        n = self.nv
        rows = numbers.reshape(len(states), n * n + 3 * n + len(self.bodies) * (12 + 6 * n))
        for row in rows:
            parts = numpy.split(row, numpy.cumsum([n * n, n, n, n]))
            links = parts[4].reshape(len(self.bodies), 12 + 6 * n)
            yield {"mass": parts[0].reshape(n, n), "bias": parts[1], "inverse": parts[2], "forward": parts[3],
                   "poses": [link[:12] for link in links], "jacobians": [link[12:].reshape(6, n) for link in links]}


def random_states(robot, count, seed=1):
    """q, v, vdot, tau in Pintle's numbers: angles all around, lengths within 1 m, the rest within 1."""
    stream = numpy.random.default_rng(seed)
    for _ in range(count):
        q = stream.uniform(-1, 1, robot.nq)
        for joint in robot.joints:
            if joint["kind"] == "revolute":
                q[joint["q"]] *= numpy.pi
            elif joint["kind"] == "free":
                q[joint["q"] + 3 : joint["q"] + 7] = unit(stream.normal(size=4))
        yield (q, *stream.uniform(-1, 1, (3, robot.nv)))


def unit(vector):
    return vector / numpy.linalg.norm(vector)


# ---- Pinocchio


def mimics_of(path):
    """joint -> (the joint it follows, multiplier, offset), as the file says."""
    mimics = {}
    for joint in xml.etree.ElementTree.parse(path).getroot().findall("joint"):
        mimic = joint.find("mimic")
        if mimic is not None and joint.get("type") != "fixed":
            mimics[joint.get("name")] = (mimic.get("joint"), float(mimic.get("multiplier", 1)),
                                         float(mimic.get("offset", 0)))
    return mimics


def load_pinocchio(path, base):
    """A model, or None."""
    try:
        if base == "free":
            return pinocchio.buildModelFromUrdf(str(path), pinocchio.JointModelFreeFlyer())
        return pinocchio.buildModelFromUrdf(str(path))
    except (ValueError, RuntimeError):
        return None


class PinocchioRobot:
    """A robot in Pinocchio that is asked, and answers, in the numbers of Pintle's independent joints."""

    def __init__(self, model, path, pintle):
        self.model, self.data, self.pintle = model, model.createData(), pintle
        self.frames = [model.getFrameId(body, pinocchio.FrameType.BODY) for body in pintle.bodies]
        self.joints = {joint["name"]: joint for joint in pintle.joints}
        self.sources = [self.source(name, mimics_of(path)) for name in list(model.names)[1:]]
        self.G = numpy.zeros((model.nv, pintle.nv))
        for own, (joint, ratio, _) in zip(model.joints[1:], self.sources):
            if joint is not None:
                self.G[own.idx_v : own.idx_v + own.nv, joint["v"] : joint["v"] + own.nv] = ratio * numpy.eye(own.nv)

    def source(self, name, mimics):
        """The independent joint that one has its numbers from, with ratio and offset; none where it never moves."""
        ratio, offset = 1.0, 0.0
        while name in mimics:
            name, multiplier, more = mimics[name]
            offset += ratio * more
            ratio *= multiplier
            if ratio == 0:
                return None, 0.0, offset
        return self.joints[name], ratio, offset

    def configuration(self, q):
        own_q = numpy.zeros(self.model.nq)
        for own, (joint, ratio, offset) in zip(self.model.joints[1:], self.sources):
            to = slice(own.idx_q, own.idx_q + own.nq)
            if joint is not None and joint["kind"] == "free":
                own_q[to] = q[joint["q"] : joint["q"] + 7]
                continue
            assert own.nv == 1, f"robots.py knows no joint such as {own.shortname()}"
            value = offset + (ratio * q[joint["q"]] if joint is not None else 0.0)
            own_q[to] = value if own.nq == 1 else (numpy.cos(value), numpy.sin(value))
        return own_q

    def answer(self, state):
        q, v, vdot, tau = state
        own_q, G = self.configuration(q), self.G
        own_v, own_vdot = G @ v, G @ vdot
        model, data = self.model, self.data
        M_all = pinocchio.crba(model, data, own_q)
        M_all = numpy.triu(M_all) + numpy.triu(M_all, 1).T
        M = G.T @ M_all @ G
        bias = G.T @ pinocchio.nonLinearEffects(model, data, own_q, own_v)
        inverse = G.T @ pinocchio.rnea(model, data, own_q, own_v, own_vdot)
        is_plain = G.shape[0] == G.shape[1]
        forward = (G.T @ pinocchio.aba(model, data, own_q, own_v, G @ tau) if is_plain
                   else numpy.linalg.solve(M, tau - bias))
        pinocchio.computeJointJacobians(model, data, own_q)
        pinocchio.updateFramePlacements(model, data)
        poses, jacobians = [], []
        for frame in self.frames:
            X = data.oMf[frame]
            poses.append(numpy.concatenate([X.rotation.ravel(), X.translation]))
            J = pinocchio.getFrameJacobian(model, data, frame, pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED)
            jacobians.append(J @ G)
        return {"mass": M, "bias": bias, "inverse": inverse, "forward": forward, "poses": poses,
                "jacobians": jacobians}


# ---- side by side


def difference(function, ours, theirs):
    if function == "mass":
        scale = numpy.sqrt(numpy.abs(numpy.diag(theirs)))
        return most(numpy.abs(ours - theirs) / numpy.outer(scale, scale))
    if isinstance(ours, list):
        return max(relative(a, b) for a, b in zip(ours, theirs))
    return relative(ours, theirs)


def relative(a, b):
    scale = most(numpy.abs(b))
    return most(numpy.abs(a - b)) / (scale if scale > 0 else 1.0)


def most(numbers):
    largest = float(numpy.max(numbers, initial=0.0))
    return largest if numpy.isfinite(largest) else float("inf")


def rounding_of_accelerations(M):
    """How much a rounding of the entries of M changes M^-1 of anything."""
    scale = numpy.sqrt(numpy.diag(M))
    return numpy.finfo(float).eps * numpy.linalg.cond(M / numpy.outer(scale, scale))


def compare(pintle, peer, count):
    """By function the worst difference, the bound it must keep, and whether all did."""
    worst = {function: (0.0, FLOOR, True) for function in FUNCTIONS}
    states = list(random_states(pintle, count))
    for state, ours in zip(states, pintle.answers(states)):
        theirs = peer.answer(state)
        for function in FUNCTIONS:
            apart, bound = difference(function, ours[function], theirs[function]), FLOOR
            if function == "forward" and apart > FLOOR:
                bound = max(FLOOR, rounding_of_accelerations(theirs["mass"]))
            most_apart, its_bound, all_kept = worst[function]
            worst[function] = (*max((most_apart, its_bound), (apart, bound)), all_kept and apart <= bound)
    return worst


def print_row(name, worst):
    marks = {function: "!" if not kept else " " if apart <= FLOOR else "~"
             for function, (apart, _, kept) in worst.items()}
    numbers = "".join(f" {worst[function][0]:9.1e}{marks[function]}" for function in FUNCTIONS)
    bound = f" (forward: {worst['forward'][1]:.0e})" if marks["forward"] == "~" else ""
    print(f"{name:52}{numbers}{bound}", flush=True)


def spoil(model):
    """The last mass that moves, and its inertia, wrong by a millionth."""
    for i in reversed(range(1, model.njoints)):
        I = model.inertias[i]
        if I.mass > 0:
            model.inertias[i] = pinocchio.Inertia(I.mass * (1 + 1e-6), I.lever, I.inertia * (1 + 1e-6))
            return


def read_table():
    lines = [line.split() for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]
    return {line[0]: line[1:] for line in lines}


def table_text(fates):
    rows = [["file", "fixed", "free", "Pinocchio"]] + [[name, *fate] for name, fate in sorted(fates.items())]
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    return TABLE_HEAD + "# " + lines[0] + "\n" + "\n".join(lines[1:]) + "\n"


def check_table(fates):
    """What is not as robots.txt says."""
    expected = read_table()
    for name in sorted(fates.keys() | expected.keys()):
        if fates.get(name) != expected.get(name):
            yield f"{name}: {fates.get(name)}, but robots.txt says {expected.get(name)}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--states", type=int, default=100)
    parser.add_argument("--wrong-mass", action="store_true")
    parser.add_argument("--write-table", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("robot_answers")
    options = parser.parse_args()

    folder = robot_folder()
    print(f"Pinocchio {pinocchio.__version__}; worst relative difference over {options.states} random states;"
          f" '!' is above {FLOOR:.0e}.")
    print(f"{'robot, base':52}" + "".join(f" {function:>9} " for function in FUNCTIONS))
    fates, compared, apart, alike = {}, {"fixed": 0, "free": 0}, [], []
    for path in sorted(folder.rglob("*.urdf")):
        name = path.relative_to(folder).as_posix()
        if options.only not in name:
            continue
        fate = []
        for base in ("fixed", "free"):
            pintle, model = PintleRobot(options.robot_answers, path, base), load_pinocchio(path, base)
            fate.append(pintle.fate())
            if not pintle.loaded or model is None or pintle.nv == 0:
                continue
            assert pintle.outline["gravity"] == list(model.gravity.linear)
            if options.wrong_mass:
                spoil(model)
            worst = compare(pintle, PinocchioRobot(model, path, pintle), options.states)
            print_row(f"{path.stem}, {base}", worst)
            compared[base] += 1
            (alike if all(kept for _, _, kept in worst.values()) else apart).append(f"{path.stem}, {base}")
        fates[name] = [*fate, "loaded" if load_pinocchio(path, "fixed") is not None else "refused"]
    print(f"{len(fates)} files; compared: {compared['fixed']} with a fixed base, {compared['free']} with a floating one")
    if options.wrong_mass:
        print(f"the wrong mass is noticed in {len(apart)} robots, and not in {alike}")
        return 1 if apart and not alike else 0
    if options.write_table:
        TABLE.write_text(table_text(fates))
    wrong = list(check_table(fates)) if not options.only else []
    for line in wrong:
        print(f"FAILED: {line}")
    if apart:
        print(f"FAILED: Pintle and Pinocchio are more than {FLOOR:.0e} apart: {', '.join(apart)}")
    enough = bool(options.only) or min(compared.values()) >= 8
    return 0 if enough and not apart and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
