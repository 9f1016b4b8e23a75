#include "pintle/simulation/run/work_budget.h"

#include "pintle/simulation/events/event_finder.h"

namespace pintle {
namespace {

/// In solutions for all contact forces: the allowance of every step, and what an event costs of them.
constexpr double kFree = 64.0;
constexpr double kEventCost = 32.0;

/// What an event costs besides, per degree of freedom: the partial steps that find it. So do events without contacts.
constexpr double kEventCostPerDof = 20.0;

/// The refill per step.
constexpr double kRefill = 20000.0;

/// Chattering: more events than this at one instant.
constexpr int kMaxEventsAtOnce = 1000;

/// The work of one solution.
double solution_work(const SceneSystem& system) {
  const double contacts = static_cast<double>(system.contacts().active().size());
  return contacts * contacts;
}

}  // namespace

/// Beyond the allowance of every step.
double WorkBudget::cost_since(double start) const {
  return max(spent() - start - kFree * solution_work(system_), 0.0);
}

void WorkBudget::pay_since(double start, double fill_steps) {
  memory_.spent_in_step = 0.0;
  memory_.left = min(fma(kRefill, fill_steps, max(memory_.left - cost_since(start), 0.0)), Memory{}.left);
}

void WorkBudget::count_transition(double multiplications) {
  event_work_ += solver_work(multiplications);
}

bool WorkBudget::count_event(double t) {
  const double window = kMaxEventsAtOnce * kAtOnce * event_time_tolerance(t);
  if (!(t - memory_.last_event <= window)) {
    memory_.last_event = t;
    memory_.events_at_once = 0;
  }
  event_work_ += fma(kEventCost, solution_work(system_), kEventCostPerDof * static_cast<double>(system_.model().nv()));
  if (++memory_.events_at_once <= kMaxEventsAtOnce) return true;
  memory_.events_at_once = 0;
  return false;
}

}  // namespace pintle
