#include "pintle/simulation/events/event_finder.h"

#include <doctest/doctest.h>

#include <cmath>

#include "pintle/simulation/events/event_functions.h"
#include "simulation/watched_motion.h"

using namespace test;

TEST_CASE("event finder: the landing of a projectile is found to 1e-12 s, past the zero and not before it") {
  // RK4, Dormand-Prince and the rest of order 2 and more are exact for a parabola: the error is the finder's alone.
  for (const Method method : {Method::rk4, Method::dormand_prince, Method::symplectic_midpoint, Method::sdirk}) {
    for (const bool touching : {false, true}) {
      CAPTURE(facts(method).name);
      WatchedMotion ball(slider(9.81), method);
      ball.from.q[0] = 1.3;
      ball.from.v[0] = 2.1;
      CoordinateEvent ground(ball.system.model(), "z", 0.0);
      const Witness witnesses[] = {{.function = &ground, .touching = touching}};
      const FoundEvent found = ball.look(0.9, witnesses);
      REQUIRE(found.found());
      const double exact = (2.1 + std::sqrt(2.1 * 2.1 + 2 * 9.81 * 1.3)) / 9.81;
      CHECK(std::abs(found.t - exact) <= 1.01e-12);  // worst seen 6e-13
      CHECK(found.hits.size() == 1);
      CHECK(found.hits[0].crossing == kFalling);
      CHECK(ball.at.q[0] <= 0.0);
      CHECK(ball.at.t == found.t);
      CHECK(found.partial_steps <= (facts(method).order > 2 ? 7 : 14));
      // The state is that of a real step, and the stepper's last one.
      MotionState again = ball.from;
      REQUIRE(ball.stepper.interpolate(ball.from, ball.at, 1.0, again));
      CHECK(again.t == found.t);
      REQUIRE(ball.stepper.step(ball.from, found.h, again).ok());
      CHECK(again.q[0] == ball.at.q[0]);
      CHECK(again.v[0] == ball.at.v[0]);
    }
  }
}

TEST_CASE("event finder: zeros of a mass on a spring, of either direction, in closed form") {
  const double omega = 3.0;
  for (const EventDirection direction : {EventDirection::both, EventDirection::rising, EventDirection::falling}) {
    WatchedMotion mass(slider(0.0, omega * omega), Method::dormand_prince);
    mass.from.q[0] = 1.0;
    CoordinateEvent middle(mass.system.model(), "z", 0.5);
    const Witness witnesses[] = {{&middle, direction}};
    const auto events = mass.events(0.004, 5.0, witnesses);
    std::size_t n = 0;
    for (int k = 0; k < 5; ++k) {  // cos(omega t) = 1/2
      for (const double side : {1.0, -1.0}) {
        const double t = (2.0 * kPi<double> * (side > 0 ? k : k + 1) + side * kPi<double> / 3.0) / omega;
        const EventCrossing crossing = side > 0 ? kFalling : kRising;
        const bool counts =
            direction == EventDirection::both || (direction == EventDirection::falling) == (crossing == kFalling);
        if (t > 5.0 || !counts) continue;
        REQUIRE(n < events.size());
        CHECK(std::abs(events[n].t - t) < 2e-12);  // that of the integrator included
        CHECK(events[n].crossing == crossing);
        ++n;
      }
    }
    CHECK(events.size() == n);
  }
}

TEST_CASE("event finder: a pendulum passes its lowest place after a quarter of its period, 4 K(sin(amplitude/2))") {
  ModelSpec spec = slider(9.81);
  spec.bodies[0].inertia = spatial_inertia(1.0, Vec3<>{0, 0, -0.7}, diagonal(Vec3<>{1e-3, 1e-3, 1e-3}));
  spec.joints[0].kind = JointKind::revolute;
  spec.joints[0].axis = {0, 1, 0};
  WatchedMotion pendulum(spec, Method::dormand_prince);
  const double amplitude = 2.0;
  pendulum.from.q[0] = amplitude;
  CoordinateEvent lowest(pendulum.system.model(), "z", 0.0);
  SpeedEvent turn(pendulum.system.model(), "z", 0.0);
  const Witness witnesses[] = {{&lowest}, {&turn}};
  const auto events = pendulum.events(0.01, 4.0, witnesses);
  double a = 1.0, b = std::cos(0.5 * amplitude);  // the arithmetic-geometric mean
  for (int i = 0; i < 8; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  const double inertia = 1e-3 + 0.7 * 0.7, quarter = kPi<double> / (2.0 * a) * std::sqrt(inertia / (9.81 * 0.7));
  REQUIRE(events.size() == static_cast<std::size_t>(4.0 / quarter));
  for (std::size_t i = 0; i < events.size(); ++i) {
    CHECK(std::abs(events[i].t - quarter * static_cast<double>(i + 1)) < 2e-10);
    CHECK(events[i].witness == static_cast<int>(i % 2));
  }
}

TEST_CASE("event finder: a projectile whose apex just touches a line: one zero, at the apex") {
  // g = 8, v0 = 4: the apex is 1 m up after 1/2 s, all of it exact in binary.
  for (const Method method : {Method::rk4, Method::dormand_prince, Method::symplectic_midpoint}) {
    for (const double h : {0.7, 0.3, 0.19, 1.0}) {
      CAPTURE(facts(method).name);
      CAPTURE(h);
      WatchedMotion ball(slider(8.0), method);
      ball.from.v[0] = 4.0;
      CoordinateEvent line(ball.system.model(), "z", 1.0);
      const Witness touching[] = {{&line}, {&line, EventDirection::rising}, {&line, EventDirection::falling}};
      const auto events = ball.events(h, 0.9, touching);
      REQUIRE(events.size() == 2);  // it comes from below
      for (std::size_t i = 0; i < 2; ++i) {
        CHECK(events[i].witness == static_cast<int>(i));
        CHECK(events[i].crossing == kTouching);
        CHECK(std::abs(events[i].t - 0.5) <= 1e-12);
      }
    }
  }
  WatchedMotion ball(slider(8.0), Method::rk4);
  ball.from.v[0] = 4.0;
  CoordinateEvent line(ball.system.model(), "z", 1.0), above(ball.system.model(), "z", 1.0 + 1e-13);
  const Witness crossing_only[] = {{.function = &line, .touching = false}}, missed[] = {{&above}};
  CHECK(!ball.look(0.7, crossing_only).found());
  CHECK(!ball.look(0.7, missed).found());
}

TEST_CASE("event finder: a double root of an expression, with and without its rate") {
  /// The same without a rate.
  class NoRate : public EventFunction {
   public:
    explicit NoRate(EventFunction& function) : function_(function) {}
    double value(const MotionInstant& at) override { return function_.value(at); }
    bool rate_needs_accelerations() const override { return false; }

   private:
    EventFunction& function_;
  };
  WatchedMotion ball(slider(0.0), Method::rk4);
  ball.from.v[0] = 1.0;
  ExpressionEvent square = expression_event(ball.system.model(), "(q.z - 1)^2").value();
  NoRate plain(square);
  for (EventFunction* const function : {static_cast<EventFunction*>(&square), static_cast<EventFunction*>(&plain)}) {
    for (const double h : {0.3, 0.16, 2.0}) {
      CAPTURE(h);
      ball.from.t = ball.from.q[0] = 0.0;
      const Witness witnesses[] = {{function}};
      const auto events = ball.events(h, 2.0, witnesses);
      REQUIRE(events.size() == 1);
      CHECK(events[0].crossing == kTouching);
      CHECK(std::abs(events[0].t - 1.0) <= (function == &square ? 1e-12 : 1e-8));
    }
  }
}

TEST_CASE("event finder: two zeros within a step are both found, in their order, or the one that counts") {
  for (const double over : {1e-2, 1e-6, 1e-10}) {  // how far the apex is above the line
    CAPTURE(over);
    const double half = std::sqrt(2.0 * over / 8.0);
    const auto near = [&](double t, double exact) {  // rounding of the height moves the zero by eps / speed
      return std::abs(t - exact) <= 1.01e-12 + 4.0 * kEpsilon<double> / (8.0 * half);
    };
    for (const EventDirection direction : {EventDirection::both, EventDirection::rising, EventDirection::falling}) {
      WatchedMotion ball(slider(8.0), Method::rk4);
      ball.from.v[0] = 4.0;
      CoordinateEvent line(ball.system.model(), "z", 1.0 - over);
      const Witness witnesses[] = {{&line, direction}};
      const auto events = ball.events(0.8, 0.8, witnesses);
      std::size_t n = 0;
      if (direction != EventDirection::falling) {
        REQUIRE(events.size() > n);
        CHECK(events[n].crossing == kRising);
        CHECK(near(events[n].t, 0.5 - half));
        ++n;
      }
      if (direction != EventDirection::rising) {
        REQUIRE(events.size() > n);
        CHECK(events[n].crossing == kFalling);
        CHECK(near(events[n].t, 0.5 + half));
        ++n;
      }
      CHECK(events.size() == n);
    }
  }
}

TEST_CASE("event finder: thirty bounces with restitution 0.87 at t_n = t_(n-1) + 2 e^n v0 / g, none of them twice") {
  for (const Method method : {Method::rk4, Method::dormand_prince, Method::sdirk}) {
    for (const bool touching : {false, true}) {
      for (const double h : {0.05, 0.7}) {
        CAPTURE(facts(method).name);
        const double g = 9.81, v0 = 3.0, e = 0.87;
        WatchedMotion ball(slider(g), method);
        ball.from.v[0] = v0;
        CoordinateEvent ground(ball.system.model(), "z", 0.0);
        const Witness witnesses[] = {{&ground, EventDirection::falling, touching}};
        double duration = 0.0, speed = v0;
        for (int n = 0; n < 30; ++n, speed *= e) duration += 2.0 * speed / g;
        const auto events = ball.events(h, duration + 0.5 * speed / g, witnesses,
                                        [&](MotionState& state) { state.v[0] = -e * state.v[0]; });
        REQUIRE(events.size() == 30);
        double t = 0.0;
        speed = v0;
        for (const WatchedMotion::Event& event : events) {
          t += 2.0 * speed / g;
          speed *= e;
          CHECK(std::abs(event.t - t) <= 5e-11);  // every landing is up to 1e-12 s late, and so is all that follows
        }
      }
    }
  }
}

TEST_CASE("event finder: a hop far shorter than a step is not jumped over") {
  for (const double v0 : {1e-2, 1e-4, 1e-6, 1e-7}) {
    CAPTURE(v0);
    WatchedMotion ball(slider(9.81), Method::rk4);
    ball.from.q[0] = -1e-17;  // what rounding may have left of the landing
    ball.from.v[0] = v0;
    CoordinateEvent ground(ball.system.model(), "z", 0.0);
    const Witness witnesses[] = {{&ground, EventDirection::falling}};
    const unsigned char fired[] = {1};
    const FoundEvent found = ball.look(0.5, witnesses, fired);
    REQUIRE(found.found());
    CHECK(std::abs(found.t - 2.0 * v0 / 9.81) <= 1.01e-12 + 2e-17 / v0);
  }
}

TEST_CASE("event finder: events at one instant are all reported, in one state past all of them; earlier ones win") {
  for (const bool touching : {false, true}) {
    WatchedMotion ball(slider(9.81), Method::rk4);
    ball.from.q[0] = 1.0;
    const Model& model = ball.system.model();
    const double landing = std::sqrt(2.0 / 9.81);
    CoordinateEvent ground(model, "z", 0.0);
    SpeedEvent speed(model, "z", -9.81 * landing);
    TimeEvent time(landing), later(landing + 1e-9), before(landing - 1e-9);
    const Witness witnesses[] = {{&later, EventDirection::both, touching},
                                 {&ground, EventDirection::both, touching},
                                 {&speed, EventDirection::both, touching},
                                 {&time, EventDirection::both, touching},
                                 {&before, EventDirection::both, touching}};
    const FoundEvent found = ball.look(0.5, std::span(witnesses).first(4));
    REQUIRE(found.found());
    CHECK(std::abs(found.t - landing) <= 2e-12);
    REQUIRE(found.hits.size() == 3);
    const EventCrossing crossings[] = {kFalling, kFalling, kRising};
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(found.hits[i].witness == static_cast<int>(i + 1));
      CHECK(found.hits[i].crossing == crossings[i]);
    }
    CHECK(ball.at.q[0] <= 0.0);
    CHECK(ball.at.t >= landing);
    const FoundEvent first = ball.look(0.5, witnesses);
    REQUIRE(first.hits.size() == 1);
    CHECK(first.hits[0].witness == 4);
  }
}

TEST_CASE("event finder: at t = 10^6 s a zero is found to 4 ulp of the time, and time goes on") {
  WatchedMotion ball(slider(9.81), Method::rk4);
  ball.from.t = 1e6;
  ball.from.q[0] = 1.0;
  const double landing = std::sqrt(2.0 / 9.81), ulp = 0x1p-33;
  CHECK(event_time_tolerance(1e6) == 4.0 * ulp);
  CHECK(event_time_tolerance(10.0) == 1e-12);
  CoordinateEvent ground(ball.system.model(), "z", 0.0);
  TimeEvent time(1e6 + landing);
  const Witness witnesses[] = {{&ground}, {&time}};
  const FoundEvent found = ball.look(0.5, witnesses);
  REQUIRE(found.found());
  CHECK(found.hits.size() == 2);
  CHECK(std::abs(found.t - (1e6 + landing)) <= 4.0 * ulp);
  CHECK(found.h - landing <= 4.0 * ulp);
  // A zero that is due at once still moves the time.
  ball.from.q[0] = 1e-14;
  ball.from.v[0] = -1.0;
  const FoundEvent due = ball.look(0.5, {witnesses, 1});
  REQUIRE(due.found());
  CHECK(due.t > 1e6);
  CHECK(due.t <= 1e6 + 4.0 * ulp);
}

TEST_CASE("event finder: what is zero at the start, and stays so or leaves, is not found; what comes back is") {
  for (const bool touching : {false, true}) {
    CAPTURE(touching);
    WatchedMotion ball(slider(8.0), Method::rk4);
    CoordinateEvent ground(ball.system.model(), "z", 0.0);
    ExpressionEvent nothing = expression_event(ball.system.model(), "0*q.z").value();
    const Witness leaves[] = {{&ground, EventDirection::both, touching}};
    const Witness stays[] = {{&nothing, EventDirection::both, touching}};
    CHECK(!ball.look(0.1, stays).found());
    CHECK(!ball.look(0.1, leaves).found());  // falls from rest
    ball.from.v[0] = 2.0;
    CHECK(!ball.look(0.25, leaves).found());
    for (const double h : {0.5, 0.6, 3.0}) {  // back exactly at the end of the step, or within it
      const FoundEvent found = ball.look(h, leaves);
      REQUIRE(found.found());
      CHECK(std::abs(found.t - 0.5) <= 1e-12);
      CHECK(found.hits[0].crossing == kFalling);
    }
  }
}
