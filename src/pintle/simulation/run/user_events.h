// UserEvents: the events of a scene, then those of the caller of a simulation.
#pragma once

#include <span>
#include <vector>

#include "pintle/base/size.h"
#include "pintle/simulation/events/event_functions.h"
#include "pintle/simulation/run/simulation.h"
#include "pintle/simulation/scene/time_functions.h"

namespace pintle {

class UserEvents {
 public:
  UserEvents(const Scene& scene, std::span<const UserEvent> added);
  UserEvents(const UserEvents&) = delete;
  UserEvents& operator=(const UserEvents&) = delete;

  const UserEvent& operator[](int number) const { return events_[size(number)]; }
  std::vector<Witness> witnesses() const;
  /// Adds the formulas of the scene's events that contain the time.
  void add_to(TimeFunctions& functions) const;

 private:
  std::vector<ExpressionEvent> functions_;  // of the scene; witnesses point to them
  std::vector<UserEvent> events_;
};

}  // namespace pintle
