// How much arithmetic a call of Pintle is, and how much this processor could do.
#pragma once

#include "engine.h"

namespace peers {

/// Additions, multiplications, divisions and roots of one call, counted by a number type that counts; a fused
/// multiply-add is two, a sine with its cosine two. 0 for functions that are not counted.
long operations_of(Function function, const Mechanism& mechanism, const State& state);

/// The most that fused multiply-adds reach here on one core [operations per ns], measured.
struct Peak {
  double one_lane;    ///< plain numbers
  double four_lanes;  ///< AVX2
  double widest;      ///< with the lanes of the kernels in use
  int lanes;          ///< of these, in double
};
Peak measure_peak();

}  // namespace peers
