// TimeFunctions: all that a scene gives as functions of time, and how they bound steps.
#pragma once

#include <vector>

#include "pintle/simulation/elements/time_function.h"
#include "pintle/simulation/scene/scene.h"

namespace pintle {

/// Prescribed motions, efforts of motors, targets and feed-forward of controllers, forces on bodies, and formulas of
/// events. Not those of sampled elements, which are constant between their samples.
class TimeFunctions {
 public:
  /// Of a scene, without its events. It must outlive this object.
  explicit TimeFunctions(const Scene& scene);
  /// The formula of an event, which must outlive this object, with its time as variable number `variable`.
  void add_event(const Expression& formula, int variable);

  bool any() const { return !functions_.empty(); }
  /// The first time [s] after t, up to `end`, at which one of them is not smooth: steps end there. Infinite: none.
  double next_break(double t, double end);
  /// How long [s] a step from t, at most of length h, may be so that it resolves all of them.
  double longest_step(double t, double h);
  /// The largest rate [rad/s] at which one of them changes, without events.
  double rate() const { return rate_; }

 private:
  void add(const TimeFunction& function);

  const RunSpec& run_;
  std::vector<TimeFunction> functions_;
  double rate_ = 0.0;
};

}  // namespace pintle
