"""tools/check_layers.py must fail: one small bad tree for each of its rules."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import check_layers  # noqa: E402

ONCE = "#pragma once\n"
ROOMS = check_layers.read_rooms("""
base:
math: base
spatial: base math
geometry: base math
geometry/mass: base geometry
model: base math geometry
dynamics: base math geometry model
""")
GOOD = {
    "base/a.h": ONCE + "#include <span>\n",
    "math/b.h": ONCE + '#include "pintle/base/a.h"\n',
    "math/b.cpp": '#include "pintle/math/b.h"\n\n#include <memory>\n#include <Eigen/Core>\n',
    "geometry/g.h": ONCE,
    "model/m.h": ONCE + '#include "pintle/math/b.h"\n',
    "model/shapes.h": ONCE + '#include "pintle/geometry/g.h"\n',
    "dynamics/d.h": ONCE + '#include "pintle/model/m.h"\n',
    "pintle.h": ONCE + '#include "pintle/base/a.h"\n#include "pintle/dynamics/d.h"\n',
    "eigen.h": ONCE + '#include <Eigen/Core>\n#include "pintle/math/b.h"\n',
}


def problems_of(changes: dict) -> list:
    with tempfile.TemporaryDirectory() as root:
        for name, text in {**GOOD, **changes}.items():
            path = Path(root, "src/pintle", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return check_layers.check(Path(root), ROOMS)


class Layers(unittest.TestCase):
    def assert_one_problem(self, changes: dict, start: str):
        problems = problems_of(changes)
        self.assertEqual(len(problems), 1, problems)
        self.assertTrue(problems[0].startswith(start), problems[0])

    def test_a_good_tree_has_no_problem(self):
        self.assertEqual(problems_of({}), [])

    def test_an_earlier_layer_includes_a_later_one(self):
        self.assert_one_problem({"base/x.cpp": '#include "pintle/math/b.h"\n'},
                                'src/pintle/base/x.cpp:1: room base includes "pintle/math/b.h"')

    def test_a_room_includes_one_that_it_may_not(self):
        self.assert_one_problem({"geometry/mass/x.cpp": '#include "pintle/math/b.h"\n'},
                                'src/pintle/geometry/mass/x.cpp:1: room geometry/mass includes "pintle/math/b.h"')

    def test_a_room_may_only_include_those_above_it(self):
        with self.assertRaises(SystemExit):
            check_layers.read_rooms("base: math\nmath:\n")

    def test_a_relative_include(self):
        self.assert_one_problem({"math/x.cpp": '\n#include "../base/a.h"\n'},
                                'src/pintle/math/x.cpp:2: includes "../base/a.h"')

    def test_an_include_of_ours_in_angle_brackets(self):
        self.assert_one_problem({"math/x.cpp": "#include <pintle/base/a.h>\n"},
                                "src/pintle/math/x.cpp:1: includes <pintle/base/a.h>")

    def test_a_later_layer_in_angle_brackets_is_two_problems(self):
        self.assertEqual(len(problems_of({"base/x.cpp": "#include <pintle/math/b.h>\n"})), 2)

    def test_an_include_of_nothing(self):
        self.assert_one_problem({"math/x.cpp": '#include "pintle/base/gone.h"\n'},
                                'src/pintle/math/x.cpp:1: includes "pintle/base/gone.h"; there is no such file')

    def test_a_layer_includes_an_umbrella_header(self):
        self.assert_one_problem({"spatial/x.cpp": '#include "pintle/pintle.h"\n'},
                                "src/pintle/spatial/x.cpp:1: includes the umbrella header")

    def test_dynamics_includes_geometry(self):
        self.assert_one_problem({"dynamics/x.cpp": '#include "pintle/geometry/g.h"\n'},
                                'src/pintle/dynamics/x.cpp:1: includes "pintle/geometry/g.h" and is reached')

    def test_dynamics_reaches_geometry_through_the_model(self):
        self.assert_one_problem({"dynamics/x.cpp": '#include "pintle/model/shapes.h"\n'},
                                'src/pintle/model/shapes.h:2: includes "pintle/geometry/g.h" and is reached')

    def test_a_header_without_pragma_once(self):
        self.assert_one_problem({"base/x.h": "int f();\n"}, "src/pintle/base/x.h:1: has no #pragma once")

    def test_a_heavy_standard_header_in_a_public_header(self):
        for name in sorted(check_layers.HEAVY):
            self.assert_one_problem({"base/x.h": f"{ONCE}#include <{name}>\n"},
                                    f"src/pintle/base/x.h:2: public header includes <{name}>")

    def test_another_library_in_a_public_header(self):
        for name in ("Eigen/Core", "fmt/core.h", "Random123/philox.h", "stdint.h"):
            self.assert_one_problem({"base/x.h": f"{ONCE}#include <{name}>\n"},
                                    f"src/pintle/base/x.h:2: public header includes <{name}>")

    def test_a_folder_that_is_no_room(self):
        self.assert_one_problem({"utils/x.cpp": "\n"}, "src/pintle/utils:1: folder is no room")

    def test_a_tree_without_sources_is_not_in_order(self):
        with tempfile.TemporaryDirectory() as root:
            Path(root, "src/pintle").mkdir(parents=True)
            self.assertEqual(len(check_layers.check(Path(root))), 1)


if __name__ == "__main__":
    unittest.main()
