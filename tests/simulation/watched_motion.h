// A mechanism in motion with a finder of events, for the tests of that.
#pragma once

#include <doctest/doctest.h>

#include "pintle/simulation/events/event_finder.h"
#include "simulation/mechanism_system.h"

namespace test {

/// A body of 1 kg on a slide along z, with gravity [m/s^2] downwards and a spring.
inline ModelSpec slider(double gravity, double stiffness = 0.0) {
  ModelSpec spec{.name = "slider"};
  spec.gravity = {0, 0, -gravity};
  spec.bodies = {{.name = "ball", .inertia = spatial_inertia(1.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{1, 1, 1}))}};
  JointSpec slide;
  slide.name = "z";
  slide.kind = JointKind::prismatic;
  slide.parent = kWorld;
  slide.child = "ball";
  slide.axis = {0, 0, 1};
  slide.passive = {{.stiffness = stiffness}};
  spec.joints = {slide};
  return spec;
}

/// A system with its stepper, its finder and the state it is in.
struct WatchedMotion {
  WatchedMotion(const ModelSpec& spec, Method method, int most = 8)
      : system(spec),
        stepper(system, method),
        finder(system, stepper, most),
        from(neutral_state(system)),
        to(from),
        at(from) {}

  /// One step of h, and what is found in it; `from` stays.
  FoundEvent look(double h, std::span<const Witness> witnesses, std::span<const unsigned char> fired = {}) {
    REQUIRE(stepper.step(from, h, to).ok());
    return finder.search(from, h, to, witnesses, fired, at);
  }

  struct Event {
    double t;
    int witness;
    EventCrossing crossing;
  };

  /// All events until a time; steps end at events, where `handle(at)` may change the state.
  template <class Handle>
  std::vector<Event> events(double h, double duration, std::span<const Witness> witnesses, Handle handle) {
    std::vector<Event> all;
    std::vector<unsigned char> fired(witnesses.size());
    while (from.t < duration) {
      const FoundEvent found = look(std::min(h, duration - from.t), witnesses, fired);
      REQUIRE(found.ok());
      for (unsigned char& f : fired) f = 0;
      for (const EventHit& hit : found.hits) {
        all.push_back({found.t, hit.witness, hit.crossing});
        fired[static_cast<std::size_t>(hit.witness)] = 1;
      }
      REQUIRE((found.found() ? at : to).t > from.t);
      std::swap(from, found.found() ? at : to);
      if (found.found()) handle(from);
    }
    return all;
  }
  std::vector<Event> events(double h, double duration, std::span<const Witness> witnesses) {
    return events(h, duration, witnesses, [](MotionState&) {});
  }

  MechanismSystem system;
  Stepper stepper;
  EventFinder finder;
  MotionState from, to, at;
};

inline constexpr EventCrossing kRising = EventCrossing::rising, kFalling = EventCrossing::falling,
                               kTouching = EventCrossing::touching;

}  // namespace test
