#include "pintle/simulation/event_finder.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "base/count_allocations.h"
#include "pintle/base/usage_error.h"
#include "pintle/simulation/event_functions.h"
#include "simulation/mechanism_system.h"

using namespace test;

namespace {

/// A body of 1 kg on a slide along z, with gravity [m/s^2] downwards and a spring.
ModelSpec slider(double gravity, double stiffness = 0.0) {
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
struct Moving {
  Moving(const ModelSpec& spec, Method method, int most = 8)
      : system(spec),
        stepper(system, method),
        finder(system, stepper, most),
        from(neutral_state(system)),
        to(from),
        at(from) {}

  /// One step of h, and what is found in it; `from` stays.
  FoundEvent look(double h, std::span<const EventWatch> watches, std::span<const unsigned char> fired = {}) {
    REQUIRE(stepper.step(from, h, to).ok());
    return finder.search(from, h, to, watches, fired, at);
  }

  struct Event {
    double t;
    int watch;
    EventPassage passage;
  };

  /// All events until a time; steps end at events, where `handle(at)` may change the state.
  template <class Handle>
  std::vector<Event> events(double h, double duration, std::span<const EventWatch> watches, Handle handle) {
    std::vector<Event> all;
    std::vector<unsigned char> fired(watches.size());
    while (from.t < duration) {
      const FoundEvent found = look(std::min(h, duration - from.t), watches, fired);
      REQUIRE(found.ok());
      for (unsigned char& f : fired) f = 0;
      for (const EventHit& hit : found.hits) {
        all.push_back({found.t, hit.watch, hit.passage});
        fired[static_cast<std::size_t>(hit.watch)] = 1;
      }
      REQUIRE((found.found() ? at : to).t > from.t);
      std::swap(from, found.found() ? at : to);
      if (found.found()) handle(from);
    }
    return all;
  }
  std::vector<Event> events(double h, double duration, std::span<const EventWatch> watches) {
    return events(h, duration, watches, [](MotionState&) {});
  }

  MechanismSystem system;
  Stepper stepper;
  EventFinder finder;
  MotionState from, to, at;
};

constexpr EventPassage kRising = EventPassage::rising, kFalling = EventPassage::falling,
                       kTouching = EventPassage::touching;

}  // namespace

TEST_CASE("event finder: the landing of a projectile is found to 1e-12 s, past the zero and not before it") {
  // RK4, Dormand-Prince and the rest of order 2 and more are exact for a parabola: the error is the finder's alone.
  for (const Method method : {Method::rk4, Method::dormand_prince, Method::symplectic_midpoint, Method::sdirk}) {
    for (const bool touching : {false, true}) {
      CAPTURE(facts(method).name);
      Moving ball(slider(9.81), method);
      ball.from.q[0] = 1.3;
      ball.from.v[0] = 2.1;
      CoordinateEvent ground(ball.system.model(), "z", 0.0);
      const EventWatch watches[] = {{.function = &ground, .touching = touching}};
      const FoundEvent found = ball.look(0.9, watches);
      REQUIRE(found.found());
      const double exact = (2.1 + std::sqrt(2.1 * 2.1 + 2 * 9.81 * 1.3)) / 9.81;
      CHECK(std::abs(found.t - exact) <= 1.01e-12);  // worst seen 6e-13
      CHECK(found.hits.size() == 1);
      CHECK(found.hits[0].passage == kFalling);
      CHECK(ball.at.q[0] <= 0.0);
      CHECK(ball.at.t == found.t);
      CHECK(found.partial_steps <= (facts(method).order > 2 ? 7 : 14));
      // The state is that of a real step, and the stepper's last one.
      MotionState again = ball.from;
      REQUIRE(ball.stepper.interpolate(1.0, again));
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
    Moving mass(slider(0.0, omega * omega), Method::dormand_prince);
    mass.from.q[0] = 1.0;
    CoordinateEvent middle(mass.system.model(), "z", 0.5);
    const EventWatch watches[] = {{&middle, direction}};
    const auto events = mass.events(0.004, 5.0, watches);
    std::size_t n = 0;
    for (int k = 0; k < 5; ++k) {  // cos(omega t) = 1/2
      for (const double side : {1.0, -1.0}) {
        const double t = (2.0 * kPi<double> * (side > 0 ? k : k + 1) + side * kPi<double> / 3.0) / omega;
        const EventPassage passage = side > 0 ? kFalling : kRising;
        const bool counts =
            direction == EventDirection::both || (direction == EventDirection::falling) == (passage == kFalling);
        if (t > 5.0 || !counts) continue;
        REQUIRE(n < events.size());
        CHECK(std::abs(events[n].t - t) < 2e-12);  // that of the integrator included
        CHECK(events[n].passage == passage);
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
  Moving pendulum(spec, Method::dormand_prince);
  const double amplitude = 2.0;
  pendulum.from.q[0] = amplitude;
  CoordinateEvent lowest(pendulum.system.model(), "z", 0.0);
  SpeedEvent turn(pendulum.system.model(), "z", 0.0);
  const EventWatch watches[] = {{&lowest}, {&turn}};
  const auto events = pendulum.events(0.01, 4.0, watches);
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
    CHECK(events[i].watch == static_cast<int>(i % 2));
  }
}

TEST_CASE("event finder: a projectile whose apex just touches a line: one zero, at the apex") {
  // g = 8, v0 = 4: the apex is 1 m up after 1/2 s, all of it exact in binary.
  for (const Method method : {Method::rk4, Method::dormand_prince, Method::symplectic_midpoint}) {
    for (const double h : {0.7, 0.3, 0.19, 1.0}) {
      CAPTURE(facts(method).name);
      CAPTURE(h);
      Moving ball(slider(8.0), method);
      ball.from.v[0] = 4.0;
      CoordinateEvent line(ball.system.model(), "z", 1.0);
      const EventWatch touching[] = {{&line}, {&line, EventDirection::rising}, {&line, EventDirection::falling}};
      const auto events = ball.events(h, 0.9, touching);
      REQUIRE(events.size() == 2);  // it comes from below
      for (std::size_t i = 0; i < 2; ++i) {
        CHECK(events[i].watch == static_cast<int>(i));
        CHECK(events[i].passage == kTouching);
        CHECK(std::abs(events[i].t - 0.5) <= 1e-12);
      }
    }
  }
  Moving ball(slider(8.0), Method::rk4);
  ball.from.v[0] = 4.0;
  CoordinateEvent line(ball.system.model(), "z", 1.0), above(ball.system.model(), "z", 1.0 + 1e-13);
  const EventWatch crossing_only[] = {{.function = &line, .touching = false}}, missed[] = {{&above}};
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
  Moving ball(slider(0.0), Method::rk4);
  ball.from.v[0] = 1.0;
  ExpressionEvent square = expression_event(ball.system.model(), "(q.z - 1)^2").value();
  NoRate plain(square);
  for (EventFunction* const function : {static_cast<EventFunction*>(&square), static_cast<EventFunction*>(&plain)}) {
    for (const double h : {0.3, 0.16, 2.0}) {
      CAPTURE(h);
      ball.from.t = ball.from.q[0] = 0.0;
      const EventWatch watches[] = {{function}};
      const auto events = ball.events(h, 2.0, watches);
      REQUIRE(events.size() == 1);
      CHECK(events[0].passage == kTouching);
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
      Moving ball(slider(8.0), Method::rk4);
      ball.from.v[0] = 4.0;
      CoordinateEvent line(ball.system.model(), "z", 1.0 - over);
      const EventWatch watches[] = {{&line, direction}};
      const auto events = ball.events(0.8, 0.8, watches);
      std::size_t n = 0;
      if (direction != EventDirection::falling) {
        REQUIRE(events.size() > n);
        CHECK(events[n].passage == kRising);
        CHECK(near(events[n].t, 0.5 - half));
        ++n;
      }
      if (direction != EventDirection::rising) {
        REQUIRE(events.size() > n);
        CHECK(events[n].passage == kFalling);
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
        Moving ball(slider(g), method);
        ball.from.v[0] = v0;
        CoordinateEvent ground(ball.system.model(), "z", 0.0);
        const EventWatch watches[] = {{&ground, EventDirection::falling, touching}};
        double duration = 0.0, speed = v0;
        for (int n = 0; n < 30; ++n, speed *= e) duration += 2.0 * speed / g;
        const auto events = ball.events(h, duration + 0.5 * speed / g, watches,
                                        [&](MotionState& state) { state.v[0] = -e * state.v[0]; });
        REQUIRE(events.size() == 30);
        double t = 0.0;
        speed = v0;
        for (const Moving::Event& event : events) {
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
    Moving ball(slider(9.81), Method::rk4);
    ball.from.q[0] = -1e-17;  // what rounding may have left of the landing
    ball.from.v[0] = v0;
    CoordinateEvent ground(ball.system.model(), "z", 0.0);
    const EventWatch watches[] = {{&ground, EventDirection::falling}};
    const unsigned char fired[] = {1};
    const FoundEvent found = ball.look(0.5, watches, fired);
    REQUIRE(found.found());
    CHECK(std::abs(found.t - 2.0 * v0 / 9.81) <= 1.01e-12 + 2e-17 / v0);
  }
}

namespace {

/// A sum of sines of the time.
struct ManySines final : EventFunction {
  std::vector<Vec3<>> parts;  // amplitude, frequency [rad/s] and phase [rad]
  double level = 0.0;

  double at_time(double t) const {
    double sum = level;
    for (const Vec3<>& part : parts) sum += part.x * std::sin(part.y * t + part.z);
    return sum;
  }
  double value(const MotionInstant& at) override { return at_time(at.t); }
};

}  // namespace

TEST_CASE("event finder: of many zeros in a step the one that is found lies before the first sample beyond it") {
  for (const Method method : {Method::rk4, Method::semi_implicit_euler}) {
    Moving ball(slider(0.0), method);
    ball.from.v[0] = 1.0;
    RandomStream stream(77);
    int looked_at = 0;
    for (int run = 0; run < 4000; ++run) {
      ManySines f;
      for (int i = 0; i <= run % 6; ++i)
        f.parts.push_back({stream.uniform(-1, 1), stream.uniform(0, 60), stream.uniform(0, 6.28)});
      f.level = stream.uniform(-0.5, 0.5);
      if (f.at_time(0.0) * f.at_time(1.0) >= 0.0) continue;
      const EventWatch watch{&f, EventDirection::both, false};
      const FoundEvent found = ball.look(1.0, {&watch, 1});
      REQUIRE(found.found());
      int sample = 1;  // a step is sampled at eight places
      while (f.at_time(0.125 * sample) * f.at_time(0.0) > 0.0) ++sample;
      CHECK(found.t <= 0.125 * sample + 1e-9);
      ++looked_at;
    }
    CHECK(looked_at > 1000);
  }
}

TEST_CASE("event finder: events at one instant are all reported, in one state past all of them; earlier ones win") {
  for (const bool touching : {false, true}) {
    Moving ball(slider(9.81), Method::rk4);
    ball.from.q[0] = 1.0;
    const Model& model = ball.system.model();
    const double landing = std::sqrt(2.0 / 9.81);
    CoordinateEvent ground(model, "z", 0.0);
    SpeedEvent speed(model, "z", -9.81 * landing);
    TimeEvent time(landing), later(landing + 1e-9), before(landing - 1e-9);
    const EventWatch watches[] = {{&later, EventDirection::both, touching},
                                  {&ground, EventDirection::both, touching},
                                  {&speed, EventDirection::both, touching},
                                  {&time, EventDirection::both, touching},
                                  {&before, EventDirection::both, touching}};
    const FoundEvent found = ball.look(0.5, std::span(watches).first(4));
    REQUIRE(found.found());
    CHECK(std::abs(found.t - landing) <= 2e-12);
    REQUIRE(found.hits.size() == 3);
    const EventPassage passages[] = {kFalling, kFalling, kRising};
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(found.hits[i].watch == static_cast<int>(i + 1));
      CHECK(found.hits[i].passage == passages[i]);
    }
    CHECK(ball.at.q[0] <= 0.0);
    CHECK(ball.at.t >= landing);
    const FoundEvent first = ball.look(0.5, watches);
    REQUIRE(first.hits.size() == 1);
    CHECK(first.hits[0].watch == 4);
  }
}

TEST_CASE("event finder: at t = 10^6 s a zero is found to 4 ulp of the time, and time goes on") {
  Moving ball(slider(9.81), Method::rk4);
  ball.from.t = 1e6;
  ball.from.q[0] = 1.0;
  const double landing = std::sqrt(2.0 / 9.81), ulp = 0x1p-33;
  CHECK(event_time_tolerance(1e6) == 4.0 * ulp);
  CHECK(event_time_tolerance(10.0) == 1e-12);
  CoordinateEvent ground(ball.system.model(), "z", 0.0);
  TimeEvent time(1e6 + landing);
  const EventWatch watches[] = {{&ground}, {&time}};
  const FoundEvent found = ball.look(0.5, watches);
  REQUIRE(found.found());
  CHECK(found.hits.size() == 2);
  CHECK(std::abs(found.t - (1e6 + landing)) <= 4.0 * ulp);
  CHECK(found.h - landing <= 4.0 * ulp);
  // A zero that is due at once still moves the time.
  ball.from.q[0] = 1e-14;
  ball.from.v[0] = -1.0;
  const FoundEvent due = ball.look(0.5, {watches, 1});
  REQUIRE(due.found());
  CHECK(due.t > 1e6);
  CHECK(due.t <= 1e6 + 4.0 * ulp);
}

TEST_CASE("event finder: what is zero at the start, and stays so or leaves, is not found; what comes back is") {
  for (const bool touching : {false, true}) {
    CAPTURE(touching);
    Moving ball(slider(8.0), Method::rk4);
    CoordinateEvent ground(ball.system.model(), "z", 0.0);
    ExpressionEvent nothing = expression_event(ball.system.model(), "0*q.z").value();
    const EventWatch leaves[] = {{&ground, EventDirection::both, touching}};
    const EventWatch stays[] = {{&nothing, EventDirection::both, touching}};
    CHECK(!ball.look(0.1, stays).found());
    CHECK(!ball.look(0.1, leaves).found());  // falls from rest
    ball.from.v[0] = 2.0;
    CHECK(!ball.look(0.25, leaves).found());
    for (const double h : {0.5, 0.6, 3.0}) {  // back exactly at the end of the step, or within it
      const FoundEvent found = ball.look(h, leaves);
      REQUIRE(found.found());
      CHECK(std::abs(found.t - 0.5) <= 1e-12);
      CHECK(found.hits[0].passage == kFalling);
    }
  }
}

namespace {

/// A smooth function of all that moves: a sum of sines of places, velocities and the time.
class Sines : public EventFunction {
 public:
  Sines(const Model& model, RandomStream& stream, bool rate_known) : rate_known_(rate_known) {
    for (const IndependentJoint& joint : model.independent_joints()) {
      if (facts(joint.kind).nq != facts(joint.kind).nv) continue;
      for (int k = 0; k < facts(joint.kind).nv; ++k) add(stream, joint.q + k, joint.v + k, 0);
    }
    for (int k = 0; k < model.nv(); ++k) add(stream, k, k, 1);
    add(stream, 0, 0, 2);
  }
  /// Shifts it to a value at an instant.
  void start_at(double value_there, const MotionState& at) {
    offset_ += value_there - value({at.t, at.q, at.v, at.extra});
  }
  double value(const MotionInstant& at) override {
    double sum = offset_;
    for (const Term& term : terms_) sum += term.size * pintle::sin(term.frequency * number(term, at) + term.phase);
    return sum;
  }
  double rate(const MotionInstant& at, std::span<const double> vdot) override {
    if (!rate_known_) return __builtin_nan("");
    double sum = 0.0;
    for (const Term& term : terms_) {
      const double change = term.kind == 0 ? at.v[term.v] : term.kind == 1 ? vdot[term.v] : 1.0;
      sum += term.size * term.frequency * change * pintle::cos(term.frequency * number(term, at) + term.phase);
    }
    return sum;
  }

 private:
  static constexpr double kFastest[] = {3.0, 1.0, 12.0};  // of places, velocities, the time
  struct Term {
    std::size_t q, v;
    int kind;
    double size, frequency, phase;
  };
  void add(RandomStream& stream, int q, int v, int kind) {
    terms_.push_back({static_cast<std::size_t>(q), static_cast<std::size_t>(v), kind, stream.uniform(-1.0, 1.0),
                      stream.uniform(0.2, kFastest[kind]), stream.uniform(-3.0, 3.0)});
  }
  static double number(const Term& term, const MotionInstant& at) {
    return term.kind == 0 ? at.q[term.q] : term.kind == 1 ? at.v[term.v] : at.t;
  }

  std::vector<Term> terms_;
  double offset_ = 0.0;
  bool rate_known_;
};

/// The first zero that counts, by 64 real steps and bisection; infinite without one.
double dense_zero(Moving& moving, const MotionState& from, double h, const EventWatch& watch, bool fired) {
  Stepper stepper(moving.system, moving.stepper.method());
  MotionState state = from;
  const auto value = [&](double s) {
    if (s == 0.0) return watch.function->value({from.t, from.q, from.v, from.extra});
    const bool ok = stepper.step(from, s, state).ok();
    return ok ? watch.function->value({state.t, state.q, state.v, state.extra}) : __builtin_nan("");
  };
  const int n = 64;
  double low = fired ? h * 1e-6 : 0.0, f_low = value(low);
  for (int k = 1; k <= n; ++k) {
    const double high = h * k / n, f_high = value(high);
    const bool falls = f_low > 0.0;
    if ((f_high > 0.0) != falls &&
        (watch.direction == EventDirection::both || (watch.direction == EventDirection::falling) == falls)) {
      double a = low, b = high;
      while (b - a > 1e-14) {
        const double middle = 0.5 * (a + b);
        ((value(middle) > 0.0) == falls ? a : b) = middle;
      }
      return b;
    }
    low = high;
    f_low = f_high;
  }
  return __builtin_inf();
}

/// Goes on to a step in which a function turns round, if there is one soon, and shifts it to go just through zero
/// there.
void graze(Moving& moving, double h, Sines& f, RandomStream& stream) {
  MotionState state = moving.from;
  for (int step = 0; step < 40; ++step) {
    double values[33] = {f.value({moving.from.t, moving.from.q, moving.from.v, {}})};
    for (int k = 1; k <= 32; ++k) {
      if (!moving.stepper.step(moving.from, h * k / 32, state).ok()) return;
      values[k] = f.value({state.t, state.q, state.v, state.extra});
    }
    for (int k = 1; k < 32; ++k) {
      const double a = values[k] - values[k - 1], b = values[k] - values[k + 1];
      if (a * b < 0.0) continue;
      REQUIRE(moving.stepper.step(moving.from, h * k / 32, state).ok());
      f.start_at(std::copysign(pintle::pow(10.0, stream.uniform(-8.0, -3.0)), a), state);
      return;
    }
    std::swap(moving.from, state);
  }
}

}  // namespace

TEST_CASE("event finder: as dense sampling, on random trees, all methods: none missed, none invented") {
  int events = 0, pairs = 0;
  double worst = 0.0;  // against what is allowed
  for (std::uint64_t c = 0; c < 320; ++c) {
    RandomStream stream(401, c);
    const Method method = kMethodFacts[c % kMethods].method;
    CAPTURE(c);
    CAPTURE(facts(method).name);
    ModelSpec spec = random_spec(stream, {.links = 1 + static_cast<int>(stream.below(4)), .couplings = true});
    spec.gravity = 0.3 * spec.gravity;
    Moving moving(spec, method);
    moving.from = random_state(moving.system, stream);
    Sines f(moving.system.model(), stream, stream.uniform() < 0.7), g(moving.system.model(), stream, true);
    f.start_at(stream.uniform(-0.1, 0.1), moving.from);
    g.start_at(stream.uniform(-0.1, 0.1), moving.from);
    const auto direction = [&] { return static_cast<EventDirection>(stream.below(3)); };
    const EventWatch watches[] = {{&f, direction(), stream.uniform() < 0.7}, {&g, direction(), stream.uniform() < 0.7}};
    const double h = stream.uniform(0.02, 0.15);
    if (c % 2 == 0) graze(moving, h, f, stream);
    unsigned char fired[2] = {0, 0};
    for (int step = 0; step < 5; ++step) {
      if (!moving.stepper.step(moving.from, h, moving.to).ok()) break;  // too long for an implicit method
      const FoundEvent found = moving.finder.search(moving.from, h, moving.to, watches, fired, moving.at);
      REQUIRE(found.ok());
      double first = __builtin_inf();
      for (std::size_t i = 0; i < 2; ++i) {
        const bool same_sign = (watches[i].function->value({moving.from.t, moving.from.q, moving.from.v, {}}) > 0.0) ==
                               (watches[i].function->value({moving.to.t, moving.to.q, moving.to.v, {}}) > 0.0);
        const double zero = dense_zero(moving, moving.from, h, watches[i], fired[i] != 0);
        if (zero < h && same_sign && fired[i] == 0) ++pairs;
        if (!watches[i].touching && same_sign && fired[i] == 0) continue;  // asked for changes of sign only
        first = std::min(first, zero);
      }
      if (first <= h) {
        CAPTURE(first);
        CHECK(found.found());
      }
      fired[0] = fired[1] = 0;
      if (found.found()) {
        // Beyond dense sampling may be pairs that it has missed: the sign must change there in truth. Where a zero is
        // grazed, rounding moves it; the stages of implicit methods are found to 1e-12 or so.
        EventFunction& first_hit = *watches[static_cast<std::size_t>(found.hits[0].watch)].function;
        MotionState before = moving.from;
        const auto value = [&](double s) {
          if (s != 0.0) REQUIRE(moving.stepper.step(moving.from, s, before).ok());
          return first_hit.value({before.t, before.q, before.v, before.extra});
        };
        const double d = 1e-7, slope = std::abs(value(found.h + d) - value(found.h - d)) / (2.0 * d);
        const bool implicit = method == Method::sdirk || method == Method::symplectic_midpoint;
        const double allowed = 1.01e-12 + (implicit ? 1e-12 : 4e-15) / slope;
        CHECK(found.h <= first + allowed);
        if (std::abs(first - found.h) < 1e-6) worst = std::max(worst, std::abs(found.h - first) / allowed);
        (void)value(std::max(found.h - 4.0 * allowed, 0.0));
        for (const EventHit& hit : found.hits) {
          EventFunction& function = *watches[static_cast<std::size_t>(hit.watch)].function;
          const double f_before = function.value({before.t, before.q, before.v, before.extra});
          const double f_at = function.value({moving.at.t, moving.at.q, moving.at.v, moving.at.extra});
          if (hit.passage == kRising) CHECK((f_before < 0.0 && f_at >= 0.0));
          if (hit.passage == kFalling) CHECK((f_before > 0.0 && f_at <= 0.0));
          CHECK(hit.passage != kTouching);
          fired[hit.watch] = 1;
          ++events;
        }
      }
      std::swap(moving.from, found.found() ? moving.at : moving.to);
    }
  }
  CHECK(events > 300);
  CHECK(pairs > 150);
  CHECK(worst <= 1.0);
}

namespace {

/// A function that counts how often it is asked.
class Counted : public EventFunction {
 public:
  double value(const MotionInstant& at) override {
    ++values;
    return at.q[0] < not_below ? __builtin_nan("") : at.q[0];
  }
  double rate(const MotionInstant& at, std::span<const double>) override {
    ++rates;
    return at.v[0];
  }
  bool rate_needs_accelerations() const override { return needs_accelerations; }

  int values = 0, rates = 0;
  bool needs_accelerations = false;
  double not_below = -__builtin_inf();
};

}  // namespace

TEST_CASE("event finder: a step without a change of sign costs one value, and with touching zeros one rate") {
  Moving ball(slider(9.81), Method::rk4);
  ball.from.q[0] = 100.0;
  Counted f;
  const auto count = [&](bool touching) {
    const EventWatch watches[] = {{.function = &f, .touching = touching}};
    for (int step = 0; step < 11; ++step) {
      if (step == 1) f.values = f.rates = 0, ball.system.evaluations = 0;
      const FoundEvent found = ball.look(0.01, watches);
      CHECK(!found.found());
      CHECK(found.partial_steps == 0);
      std::swap(ball.from, ball.to);
    }
    CHECK(f.values == 10);
    return static_cast<int>(ball.system.evaluations) - 40;  // without those of the steps
  };
  CHECK(count(false) == 0);
  CHECK(f.rates == 0);
  CHECK(count(true) == 0);
  CHECK(f.rates == 10);
  f.needs_accelerations = true;
  CHECK(count(false) == 0);
  CHECK(count(true) == 20);  // at both ends: what acts may have changed between the steps
}

TEST_CASE("event finder: values kept from the last step are not those of another state or function") {
  Moving ball(slider(9.81), Method::rk4);
  ball.from.q[0] = 1.0;
  CoordinateEvent low(ball.system.model(), "z", 0.9), high(ball.system.model(), "z", 1.1);
  const EventWatch first[] = {{&low}}, second[] = {{&high}};
  CHECK(!ball.look(0.1, first).found());
  std::swap(ball.from, ball.to);
  ball.from.v[0] = 10.0;
  CHECK(ball.look(0.1, second).found());
  ball.from.q[0] = 1.2;
  ball.from.v[0] = 0.0;
  CHECK(!ball.look(0.01, second).found());

  // A watch that was away for a step, in which its sign has changed.
  CoordinateEvent far(ball.system.model(), "z", -9.0);
  const EventWatch both[] = {{.function = &far, .touching = false}, {.function = &low, .touching = false}};
  ball.from.v[0] = -40.0;
  ball.from.q[0] = 1.3;
  (void)ball.look(0.005, both);
  std::swap(ball.from, ball.to);
  CHECK(!ball.look(0.01, std::span(both).first(1)).found());
  std::swap(ball.from, ball.to);
  CHECK(ball.from.q[0] < 0.9);
  ball.system.tau[0] = 1e5;  // the state stays, and goes back
  const FoundEvent back = ball.look(0.01, both);
  REQUIRE(back.found());
  CHECK(back.hits[0].watch == 1);
}

TEST_CASE("event finder: NaN and failing steps are named") {
  Moving ball(slider(9.81), Method::rk4);
  ball.from.q[0] = 1.0;
  CoordinateEvent ground(ball.system.model(), "z", 0.0);
  Counted f;
  for (const bool touching : {false, true}) {
    f.not_below = 0.0;
    const EventWatch watches[] = {{.function = &ground, .touching = touching}, {.function = &f, .touching = touching}};
    const FoundEvent at_end = ball.look(0.5, watches);
    CHECK(!at_end.ok());
    CHECK(at_end.outcome == EventOutcome::not_a_number);
    CHECK(at_end.watch == 1);
    CHECK(at_end.t == 0.5);
  }
  // Within the step only: what is pulled upwards goes down and comes back.
  Moving balloon(slider(-9.81), Method::rk4);
  balloon.from.q[0] = 1.0;
  balloon.from.v[0] = -5.0;
  f.not_below = 0.2;
  const EventWatch watches[] = {{&f}};
  const FoundEvent within = balloon.look(1.0, watches);
  CHECK(within.outcome == EventOutcome::not_a_number);
  CHECK(within.watch == 0);
  CHECK(within.t > 0.0);
  CHECK(within.t < 1.0);

  /// Has accelerations until it is broken.
  class Breaking : public MechanismSystem {
   public:
    using MechanismSystem::MechanismSystem;
    bool rates(double t, std::span<const double> q, std::span<const double> v, std::span<const double> extra,
               std::span<double> vdot, std::span<double> extra_rate) override {
      return MechanismSystem::rates(t, q, v, extra, vdot, extra_rate) && !broken;
    }
    bool broken = false;
  };
  for (const MethodFacts& method : kMethodFacts) {
    CAPTURE(method.name);
    Breaking system(slider(9.81));
    Stepper stepper(system, method.method);
    EventFinder finder(system, stepper, 1);
    MotionState from = neutral_state(system), to = from, at = from;
    from.q[0] = 1.0;
    REQUIRE(stepper.step(from, 0.6, to).ok());
    system.broken = true;
    const EventWatch plain[] = {{.function = &ground, .touching = false}};
    const FoundEvent found = finder.search(from, 0.6, to, plain, {}, at);
    CHECK(found.outcome == EventOutcome::step_failed);
    CHECK(found.step.outcome == StepOutcome::no_rates);
  }
}

TEST_CASE("event finder: no search allocates; wrong calls are told") {
  RandomStream stream(402);
  for (const MethodFacts& method : kMethodFacts) {
    CAPTURE(method.name);
    Moving moving(random_spec(stream, {.links = 4}), method.method, 3);
    moving.from = random_state(moving.system, stream);
    Sines f(moving.system.model(), stream, true), g(moving.system.model(), stream, false);
    ExpressionEvent time = expression_event(moving.system.model(), "sin(100*t - 1) - v1.joint0").value();
    f.start_at(1e-4, moving.from);
    g.start_at(-1e-4, moving.from);
    const EventWatch watches[] = {{&f}, {&g}, {&time}};
    const unsigned char fired[] = {0, 1, 0};
    REQUIRE(moving.stepper.step(moving.from, 0.02, moving.to).ok());
    const std::size_t before = count_allocations();
    const FoundEvent found = moving.finder.search(moving.from, 0.02, moving.to, watches, fired, moving.at);
    CHECK(count_allocations() == before);
    CHECK(found.ok());
    CHECK(found.partial_steps > 0);

    const auto search = [&](double h, std::span<const EventWatch> w, std::span<const unsigned char> at_start,
                            MotionState& at) {
      (void)moving.finder.search(moving.from, h, moving.to, w, at_start, at);
    };
    const EventWatch nothing[] = {{}}, four[] = {{&f}, {&f}, {&f}, {&f}};
    MotionState small = moving.at;
    small.v.pop_back();
    CHECK_THROWS_AS(EventFinder(moving.system, moving.stepper, -1), UsageError);
    CHECK_THROWS_AS(search(-0.02, watches, fired, moving.at), UsageError);
    CHECK_THROWS_AS(search(0.0, watches, fired, moving.at), UsageError);
    CHECK_THROWS_AS(search(0.02, watches, std::span(fired).first(2), moving.at), UsageError);
    CHECK_THROWS_AS(search(0.02, four, {}, moving.at), UsageError);
    CHECK_THROWS_AS(search(0.02, nothing, {}, moving.at), UsageError);
    CHECK_THROWS_AS(search(0.02, watches, fired, small), UsageError);
    CHECK_THROWS_AS(search(0.02, watches, fired, moving.to), UsageError);
  }
}
