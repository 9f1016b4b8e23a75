#include "pintle/simulation/run/user_events.h"

namespace pintle {

UserEvents::UserEvents(const Scene& scene, std::span<const UserEvent> added) {
  functions_.reserve(scene.spec().events.size());
  for (const EventSpec& spec : scene.spec().events) {
    functions_.push_back(
        expression_event(scene.model(), spec.expression, spec.origin, scene.spec().sensors).value());
    events_.push_back({spec.name, {&functions_.back(), spec.direction}, spec.terminal});
  }
  events_.insert(events_.end(), added.begin(), added.end());
}

std::vector<Witness> UserEvents::witnesses() const {
  std::vector<Witness> witnesses;
  for (const UserEvent& event : events_) witnesses.push_back(event.witness);
  return witnesses;
}

void UserEvents::add_to(TimeFunctions& functions) const {
  for (const ExpressionEvent& event : functions_)
    if (event.time_variable() >= 0) functions.add_event(event.expression(), event.time_variable());
}

}  // namespace pintle
