#!/usr/bin/env python3
"""Checks that headers of src/pintle compile on their own, without warnings.

usage: check_headers.py COMPILER... -- OPTION...

The umbrella headers, which reach all that users get, are compiled by every compiler with nothing before them. Then the
first compiler compiles every header after a precompiled header of the standard library, which takes a tenth of the time;
whether a header includes the standard headers whose names it uses, itself or through headers of ours, is told by a table
(that a compiler's own headers include each other by chance does not help). The options are those the library itself is
compiled with. (What depends on the instruction set is compiled for each of them, by every compiler, in the kernels.)
Exits with 1 when anything is missing.
"""
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src"
# Where the names of the standard library are that our headers use; the first is the one to include.
STANDARD = {
    "algorithm": "copy_n fill_n",
    "array": "array",
    "atomic": "atomic memory_order_acquire memory_order_relaxed memory_order_release",
    "charconv": "from_chars to_chars",
    "cmath": "abs floor isfinite",
    "concepts": "same_as integral signed_integral unsigned_integral floating_point",
    "chrono": "chrono",
    "cstddef": "size_t ptrdiff_t byte nullptr_t",
    "cstdint": "int32_t int64_t uint32_t uint64_t uintptr_t",
    "deque": "deque",
    "functional": "function",
    "initializer_list": "initializer_list",
    "limits": "numeric_limits",
    "map": "map multimap less",
    "memory": "unique_ptr shared_ptr make_unique make_shared",
    "mutex": "mutex lock_guard unique_lock",
    "optional": "optional nullopt",
    "set": "set",
    "span": "span",
    "stdexcept": "logic_error runtime_error",
    "string": "string u32string to_string",
    "string_view": "string_view",
    "system_error": "system_error",
    "tuple": "tuple apply",
    "type_traits": "is_same_v remove_const_t remove_cvref_t decay_t conditional_t is_integral_v type_identity_t "
                   "make_unsigned_t is_object_v is_nothrow_move_constructible_v is_floating_point_v is_enum_v "
                   "is_arithmetic_v invoke_result_t",
    "utility": "move forward pair integer_sequence make_integer_sequence declval",
    "variant": "variant",
    "vector": "vector",
}
# What another header has by the standard's own word.
ALSO_IN = {"initializer_list": ("array", "string", "vector", "map", "set", "span", "algorithm"),
           "string_view": ("string",), "cstddef": ("array", "string", "vector", "span")}
ANYWHERE = {"min", "max", "begin", "end", "tuple_size"}  # small enough to be used through what includes them

UMBRELLAS = ("pintle.h", "simulation.h", "io.h", "batch.h", "generic.h", "eigen.h")


def eigen_flags() -> list:
    flags = subprocess.run(["pkg-config", "--cflags", "eigen3"], check=True, capture_output=True, text=True).stdout
    return [flag.replace("-I", "-isystem", 1) for flag in flags.split()]


def reachable(headers: list) -> set:
    """The headers and what they include of ours."""
    found, unread = set(), list(headers)
    while unread:
        header = unread.pop()
        if header not in found:
            found.add(header)
            unread += re.findall(r'^#include "(pintle/[^"]+)"', (SOURCE / header).read_text(encoding="utf-8"), re.MULTILINE)
    return found


def standard_headers_of(header: str) -> set:
    return set(re.findall(r"^#include <([a-z_]+)>", (SOURCE / header).read_text(encoding="utf-8"), re.MULTILINE))


def missing_standard_headers(header: str) -> list:
    """What is to be said of names whose standard header is not included, and of names that the table does not have."""
    home = {name: place for place, names in STANDARD.items() for name in names.split()}
    code = re.sub(r"//.*", "", (SOURCE / header).read_text(encoding="utf-8"))
    included = set().union(*map(standard_headers_of, reachable([header])))
    said = []
    for name in sorted(set(re.findall(r"\bstd::([a-z_0-9]+)", code)) - ANYWHERE):
        if name not in home:
            said.append(f"src/{header}: add std::{name} to the table in tools/check_headers.py")
        elif not included & {home[name], *ALSO_IN.get(home[name], ())}:
            said.append(f"src/{header}: uses std::{name} without <{home[name]}>")
    return said


def precompiled_standard_headers(headers: list, compiler: list, folder: str) -> str:
    """A header of all standard headers that these include, precompiled in the folder."""
    names = set().union(*map(standard_headers_of, headers))
    together = Path(folder, "standard.h")
    together.write_text("".join(f"#include <{name}>\n" for name in sorted(names)), encoding="utf-8")
    subprocess.run([*compiler, "-x", "c++-header", str(together), "-o", f"{together}.gch"], check=True)
    return str(together)


def compile_alone(job):
    """The header, the command and what the compiler said when it failed; None when it did not."""
    header, compiler = job
    command = [*compiler, "-fsyntax-only", "-x", "c++", "-"]
    done = subprocess.run(command, input=f'#include "{header}"\n', capture_output=True, text=True)
    return None if done.returncode == 0 else (header, command, done.stderr)


def main() -> int:
    if "--" not in sys.argv:
        sys.exit(__doc__)
    end = sys.argv.index("--")
    compilers, options = sys.argv[1:end], sys.argv[end + 1:]
    headers = [path.relative_to(SOURCE).as_posix() for path in sorted((SOURCE / "pintle").rglob("*.h"))]
    # An option of one compiler may be unknown to the other.
    flags = ["-std=c++20", *options, "-Wno-unknown-warning-option", "-Werror", f"-I{SOURCE}", *eigen_flags()]
    umbrellas = [f"pintle/{name}" for name in UMBRELLAS]
    first = compilers[0]
    missing = [line for header in headers for line in missing_standard_headers(header)]
    with tempfile.TemporaryDirectory() as folder:
        standard = precompiled_standard_headers(headers, [first, *flags], folder)
        after_standard = [first, *flags, "-Winvalid-pch", "-include", standard]
        jobs = [(header, [compiler, *flags]) for compiler in compilers for header in umbrellas]
        jobs += [(header, after_standard) for header in headers]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            failures = [failure for failure in pool.map(compile_alone, jobs) if failure]
    for header, command, output in failures:
        print(f"src/{header}: does not compile on its own: {' '.join(command)}\n{output}")
    print("".join(f"{line}\n" for line in missing), end="")
    print(f"headers: {len(headers)} headers, {len(jobs)} compilations, {len(failures)} failed, {len(missing)} includes missing")
    return 1 if failures or missing or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
