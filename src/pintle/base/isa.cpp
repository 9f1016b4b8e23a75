#include "pintle/base/isa.h"

#include <cstdlib>
#include <string>
#include <string_view>

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

constexpr Isa kAll[] = {Isa::baseline, Isa::avx2, Isa::avx512};

// Which kernels this build has (PINTLE_ISAS of cmake/PintleRooms.cmake).
#ifdef PINTLE_WITHOUT_BASELINE
constexpr bool kHasBaseline = false;
#else
constexpr bool kHasBaseline = true;
#endif
#ifdef PINTLE_WITHOUT_AVX2
constexpr bool kHasAvx2 = false;
#else
constexpr bool kHasAvx2 = true;
#endif
#ifdef PINTLE_WITHOUT_AVX512
constexpr bool kHasAvx512 = false;
#else
constexpr bool kHasAvx512 = true;
#endif

IsaSupport detect() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  return {.baseline = kHasBaseline, .avx2 = avx2 && kHasAvx2, .avx512 = avx512 && kHasAvx512};
#else
  return {};
#endif
}

bool has(IsaSupport support, Isa isa) {
  switch (isa) {
    case Isa::avx2:
      return support.avx2;
    case Isa::avx512:
      return support.avx512;
    case Isa::baseline:
      break;
  }
  return support.baseline;
}

std::string names(IsaSupport support) {
  std::string list;
  for (const Isa isa : kAll) {
    if (has(support, isa)) list += std::string(list.empty() ? "" : ", ") + name(isa);
  }
  return list;
}

}  // namespace

Isa active_isa() {
  static const Isa chosen = choose_isa(std::getenv("PINTLE_ISA"), detect());
  return chosen;
}

Isa choose_isa(const char* wanted, IsaSupport support) {
  if (wanted == nullptr || *wanted == '\0') {
    if (support.avx512) return Isa::avx512;
    if (support.avx2) return Isa::avx2;
    if (support.baseline) return Isa::baseline;
    throw UsageError(
        "this build has no kernels for this processor: it was built for a different machine only; rebuild "
        "it here, or with PINTLE_ISAS=all");
  }
  for (const Isa isa : kAll) {
    if (std::string_view(wanted) != name(isa)) continue;
    if (has(support, isa)) return isa;
    throw UsageError("environment variable PINTLE_ISA: '" + std::string(wanted) +
                     "' is not available on this processor or in this build, available: " + names(support));
  }
  throw UsageError("environment variable PINTLE_ISA: '" + std::string(wanted) +
                   "' is not an instruction set; allowed: " + names({.avx2 = true, .avx512 = true}) +
                   "; available here: " + names(support));
}

bool available(Isa isa) {
  return has(detect(), isa);
}

const char* name(Isa isa) {
  switch (isa) {
    case Isa::avx2:
      return "avx2";
    case Isa::avx512:
      return "avx512";
    case Isa::baseline:
      break;
  }
  return "baseline";
}

const char* bit_family(Isa isa) {
  return isa != Isa::baseline || PINTLE_HAS_FMA ? "fma" : "no-fma";
}

}  // namespace pintle
