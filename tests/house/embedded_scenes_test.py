"""The scenes that come with the program: what they promise. usage: embedded_scenes_test.py PROGRAM SCENES"""
import json
import math
import subprocess
import sys
import tomllib
import unittest
from pathlib import Path

SCENES = sorted(Path(sys.argv.pop()).glob("*.toml"))
PROGRAM = sys.argv.pop()
NAMES = ["arm", "bounce", "cart-pole", "chain", "console", "conveyor", "cradle", "cylinder", "dzhanibekov", "governor", "pendulum-double", "rolling",
         "screw", "showcase", "slope", "top", "walker"]


def pintle(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)


class EmbeddedScenes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runs = {}
        for name in NAMES:
            done = pintle("run", name, "--json")
            assert done.returncode == 0, f"{name}: {done.stderr}"
            assert name == "cylinder" or done.stderr == "", f"{name}: {done.stderr}"  # an impact of that one gains energy
            cls.runs[name] = json.loads(done.stdout)

    def test_the_names(self):
        self.assertLessEqual(set(NAMES), {path.stem for path in SCENES})
        listed = [line.split()[0] for line in pintle("scenes").stdout.splitlines() if line and line[0].isalpha()]
        self.assertLessEqual(set(NAMES), set(listed))

    def test_each_is_in_the_program_as_it_is_in_its_file(self):
        for path in SCENES:
            self.assertEqual(pintle("scenes", path.stem).stdout, path.read_text(encoding="utf-8"))

    def test_each_begins_with_what_one_sees_and_has_its_name(self):
        for path in SCENES:
            text = path.read_text(encoding="utf-8")
            self.assertRegex(text, r"\A# [A-Z]", path.name)
            self.assertEqual(tomllib.loads(text)["name"], path.stem)

    def test_every_body_can_be_seen_in_its_colour(self):
        for path in SCENES:
            scene = tomllib.loads(path.read_text(encoding="utf-8"))
            for body in scene["body"]:
                shapes = body.get("shapes", [body["shape"]] if "shape" in body else [])
                self.assertTrue(shapes, f"{path.name}: {body['name']}")
                material = scene.get("material", {}).get(body.get("material"), {})
                for shape in shapes:
                    self.assertTrue("color" in {**material, **body, **shape}, f"{path.name}: {body['name']}")

    def test_the_ledgers_balance_and_the_certificates_are_good(self):
        for name, run in self.runs.items():
            # Worst seen: 1.7e-10 (chain, RK4), 1.9e-15 (pendulum-double).
            self.assertLess(abs(run["energy_balance"]["residual_relative"]), 1e-9, name)
            self.assertLess(run["certificate"]["worst"], 1e-13, name)
            if "contact" in run["certificate"]:  # worst seen: 5e-12 (slope, as it begins to slide), else 5e-16
                self.assertLess(run["certificate"]["contact"]["worst"], 1e-10, name)
                gains = run["certificate"]["contact"]["impacts_that_gain_energy"]
                self.assertEqual(gains, 1 if name == "cylinder" else 0, name)  # by seed 004's model
            self.assertEqual(run["outcome"], "reached", name)
            self.assertEqual(run["checks"]["verdict"], "failed" if name == "cylinder" else "ok", name)

    def test_something_happens_in_each(self):
        for name, run in self.runs.items():
            self.assertGreater(max(abs(v) for v in run["final"]["v"].values()), 1e-3, name)

    def test_the_cart_balances_its_pole(self):
        q = self.runs["cart-pole"]["final"]["q"]
        self.near(q["cart"], 0.5, 0.05)
        self.near(q["pole"], 0.0, 0.02)
        events = self.runs["cart-pole"]["events"]
        self.assertEqual([event for event in events if event["kind"].startswith("limit")], [])

    def test_the_handle_turns_over_and_the_nut_rebounds(self):
        turns = [event["time"] for event in self.runs["dzhanibekov"]["events"] if event["name"] == "turns over"]
        self.assertEqual(len(turns), 6)
        gaps = [b - a for a, b in zip(turns, turns[1:])]
        self.assertLess(max(gaps) - min(gaps), 1e-4)  # the motion is periodic
        impacts = [event for event in self.runs["screw"]["events"] if event["kind"] == "limit-impact"]
        self.assertEqual(len(impacts), 7)

    def near(self, a, b, most=1e-9):
        self.assertLess(abs(a - b), most)

    def test_balls_bounce_to_e_squared_of_their_height_and_come_to_rest_in_time(self):
        run, first = self.runs["bounce"], math.sqrt(2 / 9.81)
        for name, e in (("dull", 0.5), ("middling", 0.8), ("lively", 0.95)):
            times = [impact["time"] for impact in run["impacts"] if impact["bodies"] == ["world", name]]
            t = first
            for n, time in enumerate(times[:8]):
                self.near(time, t)
                t += 2 * e ** (n + 1) * first
        holds = {event["name"]: event["time"] for event in run["events"] if event["kind"] == "contact-hold"}
        self.assertEqual(set(holds), {"world / dull", "world / middling"})
        # Of the last hops, no higher than a distance can resolve, the times are less exact: seen 2.5e-9 s, 2.7e-8 s.
        self.near(holds["world / dull"], first * 1.5 / 0.5, 1e-8)
        self.near(holds["world / middling"], first * 1.8 / 0.2, 1e-7)
        self.near(run["final"]["q"]["dull.z"], -1, 1e-12)

    def test_a_block_holds_below_its_friction_angle_and_slides_by_coulombs_law_above_it(self):
        final = self.runs["slope"]["final"]["q"]
        angle = math.atan2(3, 4)
        self.near(final["rough.x"], 0, 1e-12)
        self.near(final["plain.x"], 0.5 * 9.81 * (0.6 - 0.8 * math.tan(angle / 1.01)))
        self.near(final["smooth.x"], 0.5 * 9.81 * (0.6 - 0.8 * 0.2))
        for name in ("rough", "plain", "smooth"):
            self.near(final[name + ".z"], 0, 1e-12)

    def test_belts_carry_along_and_lift(self):
        run = self.runs["conveyor"]
        v, q = run["final"]["v"], run["final"]["q"]
        self.near(v["crate.vx"], 1.0, 1e-12)
        slides = [event["time"] for event in run["events"] if event["kind"] == "contact-stick" and "brick" in event["name"]]
        # Up the incline by mu g cos a - g sin a, in the brick's axes.
        up = 9.81 * (0.5 * math.cos(math.radians(20)) - math.sin(math.radians(20)))
        self.near(slides[0], 0.8 / up, 1e-9)
        self.near(v["brick.vx"], 0.8, 1e-12)
        speed = math.hypot(v["ball.vx"], v["ball.vy"], v["ball.vz"])
        self.near(speed, 2 / 7 * 1.4, 1e-11)
        accounts = {account["name"]: account["work"] for account in run["energy_balance"]["accounts"] if account["kind"] == "surface"}
        self.assertGreater(accounts["world"], 1.0)

    def test_sliding_becomes_rolling_at_its_time_with_its_speed(self):
        run = self.runs["rolling"]
        speed = lambda name: math.hypot(*(run["final"]["v"][f"{name}.v{axis}"] for axis in "xyz"))
        sticks = {event["name"]: event["time"] for event in run["events"] if event["kind"] == "contact-stick"}
        self.near(speed("ball"), 1.4 * 5 / 7)
        self.near(speed("back"), abs(5 * 0.5 - 2 * 0.03 * 100) / 7)
        self.near(speed("roller"), 1.4 * 2 / 3)
        self.near(sticks["world / ball"], 2 * 1.4 / (7 * 0.2 * 9.81))
        self.near(sticks["world / back"], 2 * (0.5 + 3) / (7 * 0.2 * 9.81))
        self.near(sticks["world / roller"], 1.4 / (3 * 0.2 * 9.81))

    def test_the_cradle_hands_its_blow_on(self):
        impacts = self.runs["cradle"]["impacts"]
        pairs = [impact["bodies"] for impact in impacts]
        there = [[f"ball{i}", f"ball{i + 1}"] for i in range(1, 5)]
        self.assertEqual(pairs, there + there[::-1] + there + there[::-1])
        for impact in impacts:
            self.near(impact["energy"], 0, 1e-12)
            self.near(impact["restitution"], 1)

    def test_the_cylinder_is_the_one_it_grew_from(self):
        impacts = self.runs["cylinder"]["impacts"]
        self.near(impacts[0]["normal_impulse"], 3.74)
        self.near(impacts[0]["tangential_impulse"], 0.138461538461538)
        for impact, time in zip(impacts, (0, 0.166635121747, 0.263066233444, 0.283060170353)):
            self.near(impact["time"], time, 2e-9)  # RK4, 1 ms

    def test_the_walker_finds_its_gait(self):
        run = self.runs["walker"]
        feet = [event for event in run["events"] if event["kind"] == "contact-hold" and event["y"] > 0]
        self.assertEqual([foot["name"] for foot in feet], ["world / outer", "world / inner"] * 5 + ["world / outer"])
        self.assertEqual({event["kind"] for event in run["events"]}, {"contact-hold", "contact-release"})  # no foot slips
        way = [foot["x"] / math.cos(math.radians(3)) for foot in feet]
        steps = [after - before for before, after in zip(way, way[1:])]
        for step in steps[6:]:
            self.near(step, 0.573, 1e-3)
        self.near(feet[-1]["time"] - feet[-3]["time"], 2 * 0.8022, 1e-3)
        # What the last two steps took is what the slope gave: the gait neither gains nor loses.
        lost = sum(i["energy"] for i in run["impacts"] if feet[-3]["time"] < i["time"] <= feet[-1]["time"])
        self.near(lost, 20 * 9.81 * (way[-1] - way[-3]) * math.sin(math.radians(3)), 0.05)
        # Nothing pushes it aside: rounding alone.
        self.near(run["final"]["q"]["outer.y"], 0, 1e-12)

    def test_the_arm_follows_its_targets(self):
        final = self.runs["arm"]["final"]["q"]  # all targets are zero again
        for name, angle in final.items():
            self.assertLess(abs(angle), 0.02, name)


if __name__ == "__main__":
    unittest.main()
