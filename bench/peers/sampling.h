// Times of several engines at the same task, fairly: in turns, in one process, on samples that nothing interrupted.
#pragma once

#include "engine.h"

namespace peers {

struct SamplingPlan {
  double sample_ns;     ///< how long one sample should take
  std::size_t samples;  ///< undisturbed ones wanted of each engine
  double budget_ns;     ///< for one task with all engines, roughly
};

struct Timing {
  double ns = 0;            ///< per call: the median of the samples, or the fastest when all were disturbed
  double spread = 0;        ///< between the quartiles, relative to ns
  std::size_t samples = 0;  ///< that ns is of
  std::size_t dropped = 0;  ///< samples during which the thread lost its processor
  bool disturbed = false;   ///< every sample was such a one: a call takes longer than the machine leaves in peace
};

/// One timing per engine. Each call is at another of the states that the engines were given.
std::vector<Timing> measure(const std::vector<Engine*>& engines, Function function, std::size_t states,
                            const SamplingPlan& plan);

}  // namespace peers
