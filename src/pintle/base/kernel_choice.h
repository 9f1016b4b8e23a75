// For the .cpp files that stand between the public functions and the kernels built once per instruction set.
#pragma once

#include "pintle/base/isa.h"

/// Declares `const Table& name()` in the namespace of every instruction set and defines `const Table& chosen_<name>()`,
/// which returns the one of the instruction set in use. To be used once, in namespace pintle, in a file that is not a
/// kernel itself.
#if defined(__x86_64__)
#define PINTLE_CHOOSE_KERNELS(Table, name)              \
  namespace kernels_baseline {                          \
  const Table& name();                                  \
  }                                                     \
  namespace kernels_avx2 {                              \
  const Table& name();                                  \
  }                                                     \
  namespace kernels_avx512 {                            \
  const Table& name();                                  \
  }                                                     \
  static const Table& chosen_##name() {                 \
    static const Table& chosen = []() -> const Table& { \
      switch (active_isa()) {                           \
        case Isa::avx512:                               \
          return kernels_avx512::name();                \
        case Isa::avx2:                                 \
          return kernels_avx2::name();                  \
        case Isa::baseline:                             \
          break;                                        \
      }                                                 \
      return kernels_baseline::name();                  \
    }();                                                \
    return chosen;                                      \
  }
#else
#define PINTLE_CHOOSE_KERNELS(Table, name) \
  namespace kernels_baseline {             \
  const Table& name();                     \
  }                                        \
  static const Table& chosen_##name() {    \
    return kernels_baseline::name();       \
  }
#endif
