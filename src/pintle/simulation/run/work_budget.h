// WorkBudget: what steps and events may cost before time-stepping takes over from them.
//
// The cost is that of forces of contacts (ContactForces::work). A step may take at most half of the budget, which every
// step fills by a little; and only so many events may follow each other while time hardly goes on (chattering).
#pragma once

#include "pintle/simulation/hybrid/scene_system.h"

namespace pintle {

/// Events are at one instant when time goes on by no more than so many times the tolerance of their time.
inline constexpr double kAtOnce = 10.0;

class WorkBudget {
 public:
  /// `system` must outlive it.
  explicit WorkBudget(const SceneSystem& system) : system_(system) {}

  /// Full, and no events yet.
  void reset() { memory_ = {}; }

  /// All that was ever spent.
  double spent() const { return system_.contact_forces().work() + event_work_; }
  /// Whether a step that began when so much was spent costs too much.
  bool exceeded_since(double start) const { return cost_since(start) > 0.5 * memory_.left; }
  bool empty() const { return !(memory_.left > 0.0); }
  /// Takes from it what was spent since, and fills it as after so many steps.
  void pay_since(double start, double fill_steps);

  /// Counts an event at a time [s]. False where events are chattering; the count then starts anew.
  bool count_event(double t);

  /// What checkpoints keep.
  struct Memory {
    double left = 6e6;  ///< in the full budget: a few seconds' worth
    int events_at_once = 0;
    double last_event = __builtin_nan("");  ///< [s] the first of those at once
  };
  Memory& memory() { return memory_; }

 private:
  double cost_since(double start) const;

  const SceneSystem& system_;
  Memory memory_;
  double event_work_ = 0.0;
};

}  // namespace pintle
