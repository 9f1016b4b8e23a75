// How the error of a method falls with its step.
#pragma once

#include <cmath>
#include <utility>

#include "pintle/simulation/integrators/stepper.h"
#include "simulation/mechanism_system.h"

namespace test {

/// n steps of h.
inline MotionState after(MotionSystem& system, Method method, const MotionState& start, double h, int n) {
  Stepper stepper(system, method);
  MotionState from = start, to = start;
  for (int i = 0; i < n; ++i) {
    from.t = start.t + i * h;
    REQUIRE(stepper.step(from, h, to).ok());
    std::swap(from, to);
  }
  return from;
}

/// The slope of the line through the logarithms of six errors, each of a step half as long as the one before.
inline double slope(const double (&errors)[6]) {
  double sum = 0.0, weight = 0.0;
  for (int i = 0; i < 6; ++i) {
    sum -= (i - 2.5) * std::log2(errors[i]);
    weight += (i - 2.5) * (i - 2.5);
  }
  return sum / weight;
}

/// The errors of a method with steps of duration / first and of half of that, again and again.
template <std::size_t kCount>
void find_errors(MotionSystem& system, Method method, const MotionState& start, double duration, int first,
                 const MotionState& exact, double (&errors)[kCount]) {
  for (std::size_t halving = 0; halving < kCount; ++halving) {
    const int n = first << halving;
    errors[halving] = distance(system, after(system, method, start, duration / n, n), exact);
  }
}

/// The order of a method over five halvings of duration / first.
inline double measured_order(MotionSystem& system, Method method, const MotionState& start, double duration, int first,
                             const MotionState& exact) {
  double errors[6];
  find_errors(system, method, start, duration, first, exact, errors);
  return slope(errors);
}

/// Likewise of a method whose error of the next order falls late, over three halvings: the slope nears its limit in
/// proportion to the step, and here is that limit by its last two values.
inline double limit_of_order(MotionSystem& system, Method method, const MotionState& start, double duration, int first,
                             const MotionState& exact) {
  double errors[4];
  find_errors(system, method, start, duration, first, exact, errors);
  return 2.0 * std::log2(errors[2] / errors[3]) - std::log2(errors[1] / errors[2]);
}

}  // namespace test
