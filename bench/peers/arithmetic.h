// How many operations a call of Pintle takes, and how many this processor could do.
#pragma once

#include "engine.h"

namespace peers {

/// Additions, multiplications, divisions and square roots of one call, counted by a counting scalar type; a fused
/// multiply-add is two, a sine with its cosine two. 0 for functions that are not counted.
long operations_of(Function function, const Mechanism& mechanism, const State& state);

/// The measured maximum rate of fused multiply-adds on one core [operations per ns].
struct Peak {
  double one_lane;    ///< scalar
  double four_lanes;  ///< AVX2
  double widest;      ///< with the lanes of the kernels in use
  int lanes;          ///< of these, in double
};
Peak measure_peak();

}  // namespace peers
