#include "pintle/base/isa.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

constexpr Isa kAll[] = {Isa::baseline, Isa::avx2, Isa::avx512};
constexpr IsaSupport kSupports[] = {{}, {.avx2 = true}, {.avx2 = true, .avx512 = true}};

bool has(IsaSupport support, Isa isa) {
  return isa == Isa::baseline || (isa == Isa::avx2 ? support.avx2 : support.avx512);
}

std::string choice_error(const char* wanted, IsaSupport support) {
  try {
    choose_isa(wanted, support);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("without a wish the choice is the widest instruction set there is") {
  for (const char* nothing : {static_cast<const char*>(nullptr), ""}) {
    CHECK(choose_isa(nothing, {}) == Isa::baseline);
    CHECK(choose_isa(nothing, {.avx2 = true}) == Isa::avx2);
    CHECK(choose_isa(nothing, {.avx2 = true, .avx512 = true}) == Isa::avx512);
  }
}

TEST_CASE("a wish is granted exactly when the instruction set is there") {
  for (const IsaSupport support : kSupports) {
    for (const Isa isa : kAll) {
      if (has(support, isa)) {
        CHECK(choose_isa(name(isa), support) == isa);
      } else {
        CHECK_THROWS_AS(choose_isa(name(isa), support), UsageError);
      }
    }
  }
}

TEST_CASE("a refused wish names the variable, the value and what could be had") {
  CHECK(choice_error("avx512", {.avx2 = true}) ==
        "environment variable PINTLE_ISA: 'avx512' is not available on this processor or in this build, "
        "available: baseline, avx2");
  CHECK(choice_error("avx2", {}) ==
        "environment variable PINTLE_ISA: 'avx2' is not available on this processor or in this build, "
        "available: baseline");
  for (const char* wrong : {"sse2", "AVX2", " avx2", "avx", "avx2 "}) {
    CHECK(choice_error(wrong, {.avx2 = true}) ==
          std::string("environment variable PINTLE_ISA: '") + wrong +
              "' is not an instruction set; allowed: baseline, avx2, avx512; available here: baseline, avx2");
  }
}

TEST_CASE("the active instruction set is an available one, the same at every call") {
  const Isa first = active_isa();
  CHECK(available(first));
  CHECK(active_isa() == first);
  const char* wanted = std::getenv("PINTLE_ISA");
  if (wanted != nullptr && *wanted != '\0') CHECK(std::string(name(first)) == wanted);
}

TEST_CASE("the baseline is always available, and AVX-512 only with AVX2") {
  CHECK(available(Isa::baseline));
  if (available(Isa::avx512)) CHECK(available(Isa::avx2));
}

TEST_CASE("the wide instruction sets fuse, the baseline as it was compiled") {
  CHECK(std::strcmp(bit_family(Isa::avx2), "fma") == 0);
  CHECK(std::strcmp(bit_family(Isa::avx512), "fma") == 0);
  CHECK(std::strcmp(bit_family(Isa::baseline), PINTLE_HAS_FMA ? "fma" : "no-fma") == 0);
}

}  // namespace
}  // namespace pintle
