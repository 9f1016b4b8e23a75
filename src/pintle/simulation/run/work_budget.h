// WorkBudget: what steps and events may cost before time stepping takes over.
//
// The cost is that of the solves for contact forces (ContactForces::work), of finding events, and of impacts and
// changes of mode. A step may spend at most half of the budget, and every step refills it a little. Only so many events
// may follow each other while time hardly advances (chattering).
#pragma once

#include "pintle/simulation/hybrid/scene_system.h"

namespace pintle {

/// Events are at one instant if time advances by no more than so many times their time tolerance.
inline constexpr double kAtOnce = 10.0;

class WorkBudget {
 public:
  /// `system` must outlive this object.
  explicit WorkBudget(const SceneSystem& system) : system_(system) {}

  /// Fills the budget and forgets all events.
  void reset() { memory_ = {}; }

  /// The total cost so far.
  double spent() const { return system_.contact_forces().work() + event_work_; }
  /// Whether a step that began when so much was spent costs too much.
  bool exceeded_since(double start) const { return cost_since(start) > 0.5 * memory_.left; }
  bool empty() const { return !(memory_.left > 0.0); }
  /// What was spent when the present step began; the part of it before an interruption counts too.
  double start_of_step() const { return spent() - memory_.spent_in_step; }
  /// A step that began when so much was spent is interrupted.
  void interrupt_step(double start) { memory_.spent_in_step = spent() - start; }
  /// Deducts what was spent since then, and refills the budget as after so many steps.
  void pay_since(double start, double fill_steps);

  /// Counts an event at a time [s]. False if events are chattering; the count then restarts.
  bool count_event(double t);

  /// Counts an impact or a change of modes that took about so many multiplications.
  void count_transition(double multiplications);

  /// What checkpoints store.
  struct Memory {
    double left = 6e6;           ///< of the full budget: worth a few seconds
    double spent_in_step = 0.0;  ///< before an interruption within it
    int events_at_once = 0;
    double last_event = __builtin_nan("");  ///< [s] the first of those at one instant
  };
  Memory& memory() { return memory_; }

 private:
  double cost_since(double start) const;

  const SceneSystem& system_;
  Memory memory_;
  double event_work_ = 0.0;
};

}  // namespace pintle
