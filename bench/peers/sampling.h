// Compares the times of several engines at the same task: interleaved, in one process, on undisturbed samples.
#pragma once

#include "engine.h"

namespace peers {

struct SamplingPlan {
  double sample_ns;     ///< target duration of one sample
  std::size_t samples;  ///< wanted number of undisturbed samples per engine
  double budget_ns;     ///< for one task with all engines, approximately
};

struct Timing {
  double ns = 0;            ///< per call: the median of the samples, or the fastest if all were disturbed
  double spread = 0;        ///< interquartile range relative to ns
  std::size_t samples = 0;  ///< number of samples behind ns
  std::size_t dropped = 0;  ///< samples during which the thread lost its processor
  bool disturbed = false;   ///< every sample was disturbed: a call takes longer than the machine leaves undisturbed
};

/// One timing per engine. Each call uses another of the states that the engines were given.
std::vector<Timing> measure(const std::vector<Engine*>& engines, Function function, std::size_t states,
                            const SamplingPlan& plan);

}  // namespace peers
