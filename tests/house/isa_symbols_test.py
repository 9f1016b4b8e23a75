"""tools/check_isa_symbols.py must fail on objects that leak symbols. usage: isa_symbols_test.py COMPILER"""
import contextlib
import io
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import check_isa_symbols  # noqa: E402

COMPILER = sys.argv.pop()
CLEAN = """
namespace pintle {
inline namespace kernels_avx2 {
struct Pack { double x; };
double twice(double x) { return 2 * x; }
}
template <class T> struct Vec3 { T x; };
template <class T> __attribute__((noinline)) T first(Vec3<T> v) { return v.x; }
template Pack first(Vec3<Pack>);
}
static int local() { return 1; }
namespace pintle::inline kernels_avx2 {
int call() { return local(); }
}
"""


def check(target: str, source: str):
    """The exit code and the output for one object of the target."""
    with tempfile.TemporaryDirectory() as build:
        folder = Path(build, "CMakeFiles", f"{target}.dir")
        folder.mkdir(parents=True)
        subprocess.run([COMPILER, "-std=c++20", "-x", "c++", "-", "-c", "-o", str(folder / "a.cpp.o")],
                       input=source, text=True, check=True)
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            code = check_isa_symbols.check(Path(build))
        return code, output.getvalue()


class IsaSymbols(unittest.TestCase):
    def test_symbols_in_the_namespace_or_with_it_in_their_arguments_pass(self):
        self.assertEqual(check("pintle_math_kernels_avx2", CLEAN)[0], 0)

    def test_a_weak_symbol_outside_is_named(self):
        leak = "inline double leak(double x) { return x; }\n" \
               "namespace pintle::inline kernels_avx2 { double (*use)(double) = leak; }\n"
        code, output = check("pintle_math_kernels_avx2", CLEAN + leak)
        self.assertEqual(code, 1)
        self.assertIn("CMakeFiles/pintle_math_kernels_avx2.dir/a.cpp.o: defines 'leak(double)'", output)

    def test_a_standard_template_is_foreign(self):
        source = "#include <vector>\n" \
                 "namespace pintle::kernels_avx2 { void f(std::vector<int>& v) { v.push_back(1); } }\n"
        code, output = check("pintle_math_kernels_avx2", source)
        self.assertEqual(code, 1)
        self.assertIn("std::vector<int", output)

    def test_the_namespace_of_another_instruction_set_is_foreign(self):
        self.assertEqual(check("pintle_math_kernels_avx512", CLEAN)[0], 1)

    def test_the_namespace_of_the_other_kind_is_foreign(self):
        self.assertEqual(check("pintle_math_instances_avx2", CLEAN)[0], 1)
        self.assertEqual(check("pintle_math_instances_avx2", CLEAN.replace("kernels_avx2", "inline_avx2"))[0], 0)

    def test_baseline_objects_are_not_checked_and_nothing_to_check_is_a_failure(self):
        code, output = check("pintle_math_kernels_baseline", CLEAN)
        self.assertEqual(code, 1)
        self.assertIn("nothing was checked", output)


if __name__ == "__main__":
    unittest.main()
