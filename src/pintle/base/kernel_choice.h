// For the .cpp files that dispatch from public functions to the kernels built once per instruction set.
#pragma once

#include "pintle/base/isa.h"

// PINTLE_WITHOUT_<ISA>: the build has no kernels of that instruction set (PINTLE_ISAS of cmake/PintleRooms.cmake), and
// `active_isa` never returns it.
#ifdef PINTLE_WITHOUT_BASELINE
#define PINTLE_BASELINE_KERNELS(Table, name)
#define PINTLE_CASE_BASELINE(name)
#else
#define PINTLE_BASELINE_KERNELS(Table, name) \
  namespace kernels_baseline {               \
  const Table& name();                       \
  }
#define PINTLE_CASE_BASELINE(name) \
  case Isa::baseline:              \
    return kernels_baseline::name();
#endif

#if defined(PINTLE_WITHOUT_AVX2) || !defined(__x86_64__)
#define PINTLE_AVX2_KERNELS(Table, name)
#define PINTLE_CASE_AVX2(name)
#else
#define PINTLE_AVX2_KERNELS(Table, name) \
  namespace kernels_avx2 {               \
  const Table& name();                   \
  }
#define PINTLE_CASE_AVX2(name) \
  case Isa::avx2:              \
    return kernels_avx2::name();
#endif

#if defined(PINTLE_WITHOUT_AVX512) || !defined(__x86_64__)
#define PINTLE_AVX512_KERNELS(Table, name)
#define PINTLE_CASE_AVX512(name)
#else
#define PINTLE_AVX512_KERNELS(Table, name) \
  namespace kernels_avx512 {               \
  const Table& name();                     \
  }
#define PINTLE_CASE_AVX512(name) \
  case Isa::avx512:              \
    return kernels_avx512::name();
#endif

/// Declares `const Table& name()` in the namespace of every instruction set and defines `const Table& chosen_<name>()`,
/// which returns the one of the instruction set in use. To be used once, in namespace pintle, in a file that is not a
/// kernel itself.
#define PINTLE_CHOOSE_KERNELS(Table, name)              \
  PINTLE_BASELINE_KERNELS(Table, name)                  \
  PINTLE_AVX2_KERNELS(Table, name)                      \
  PINTLE_AVX512_KERNELS(Table, name)                    \
  static const Table& chosen_##name() {                 \
    static const Table& chosen = []() -> const Table& { \
      switch (active_isa()) {                           \
        PINTLE_CASE_BASELINE(name)                      \
        PINTLE_CASE_AVX2(name)                          \
        PINTLE_CASE_AVX512(name)                        \
        default:                                        \
          __builtin_unreachable();                      \
      }                                                 \
    }();                                                \
    return chosen;                                      \
  }
