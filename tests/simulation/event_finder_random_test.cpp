// Events of random functions, and of random mechanisms.
#include <doctest/doctest.h>

#include <cmath>

#include "base/count_allocations.h"
#include "pintle/base/usage_error.h"
#include "pintle/simulation/events/event_functions.h"
#include "simulation/watched_motion.h"

using namespace test;

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
    WatchedMotion ball(slider(0.0), method);
    ball.from.v[0] = 1.0;
    RandomStream stream(77);
    int looked_at = 0;
    for (int run = 0; run < 4000; ++run) {
      ManySines f;
      for (int i = 0; i <= run % 6; ++i)
        f.parts.push_back({stream.uniform(-1, 1), stream.uniform(0, 60), stream.uniform(0, 6.28)});
      f.level = stream.uniform(-0.5, 0.5);
      if (f.at_time(0.0) * f.at_time(1.0) >= 0.0) continue;
      const Witness witness{&f, EventDirection::both, false};
      const FoundEvent found = ball.look(1.0, {&witness, 1});
      REQUIRE(found.found());
      int sample = 1;  // a step is sampled at eight places
      while (f.at_time(0.125 * sample) * f.at_time(0.0) > 0.0) ++sample;
      CHECK(found.t <= 0.125 * sample + 1e-9);
      ++looked_at;
    }
    CHECK(looked_at > 1000);
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
    offset_ += value_there - value({at.t, at.q, at.v, at.auxiliary});
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
double dense_zero(WatchedMotion& moving, const MotionState& from, double h, const Witness& witness, bool fired) {
  Stepper stepper(moving.system, moving.stepper.method());
  MotionState state = from;
  const auto value = [&](double s) {
    if (s == 0.0) return witness.function->value({from.t, from.q, from.v, from.auxiliary});
    const bool ok = stepper.step(from, s, state).ok();
    return ok ? witness.function->value({state.t, state.q, state.v, state.auxiliary}) : __builtin_nan("");
  };
  const int n = 64;
  double low = fired ? h * 1e-6 : 0.0, f_low = value(low);
  for (int k = 1; k <= n; ++k) {
    const double high = h * k / n, f_high = value(high);
    const bool falls = f_low > 0.0;
    if ((f_high > 0.0) != falls &&
        (witness.direction == EventDirection::both || (witness.direction == EventDirection::falling) == falls)) {
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
void graze(WatchedMotion& moving, double h, Sines& f, RandomStream& stream) {
  MotionState state = moving.from;
  for (int step = 0; step < 40; ++step) {
    double values[33] = {f.value({moving.from.t, moving.from.q, moving.from.v, {}})};
    for (int k = 1; k <= 32; ++k) {
      if (!moving.stepper.step(moving.from, h * k / 32, state).ok()) return;
      values[k] = f.value({state.t, state.q, state.v, state.auxiliary});
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
    WatchedMotion moving(spec, method);
    moving.from = random_state(moving.system, stream);
    Sines f(moving.system.model(), stream, stream.uniform() < 0.7), g(moving.system.model(), stream, true);
    f.start_at(stream.uniform(-0.1, 0.1), moving.from);
    g.start_at(stream.uniform(-0.1, 0.1), moving.from);
    const auto direction = [&] { return static_cast<EventDirection>(stream.below(3)); };
    const Witness witnesses[] = {{&f, direction(), stream.uniform() < 0.7}, {&g, direction(), stream.uniform() < 0.7}};
    const double h = stream.uniform(0.02, 0.15);
    if (c % 2 == 0) graze(moving, h, f, stream);
    unsigned char fired[2] = {0, 0};
    for (int step = 0; step < 5; ++step) {
      if (!moving.stepper.step(moving.from, h, moving.to).ok()) break;  // too long for an implicit method
      const FoundEvent found = moving.finder.search(moving.from, h, moving.to, witnesses, fired, moving.at);
      REQUIRE(found.ok());
      double first = __builtin_inf();
      for (std::size_t i = 0; i < 2; ++i) {
        EventFunction& f_i = *witnesses[i].function;
        const bool same_sign = (f_i.value({moving.from.t, moving.from.q, moving.from.v, {}}) > 0.0) ==
                               (f_i.value({moving.to.t, moving.to.q, moving.to.v, {}}) > 0.0);
        const double zero = dense_zero(moving, moving.from, h, witnesses[i], fired[i] != 0);
        if (zero < h && same_sign && fired[i] == 0) ++pairs;
        if (!witnesses[i].touching && same_sign && fired[i] == 0) continue;  // asked for changes of sign only
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
        EventFunction& first_hit = *witnesses[static_cast<std::size_t>(found.hits[0].witness)].function;
        MotionState before = moving.from;
        const auto value = [&](double s) {
          if (s != 0.0) REQUIRE(moving.stepper.step(moving.from, s, before).ok());
          return first_hit.value({before.t, before.q, before.v, before.auxiliary});
        };
        const double d = 1e-7, slope = std::abs(value(found.h + d) - value(found.h - d)) / (2.0 * d);
        const bool implicit = method == Method::sdirk || method == Method::symplectic_midpoint;
        const double allowed = 1.01e-12 + (implicit ? 1e-12 : 4e-15) / slope;
        CHECK(found.h <= first + allowed);
        if (std::abs(first - found.h) < 1e-6) worst = std::max(worst, std::abs(found.h - first) / allowed);
        (void)value(std::max(found.h - 4.0 * allowed, 0.0));
        for (const EventHit& hit : found.hits) {
          EventFunction& function = *witnesses[static_cast<std::size_t>(hit.witness)].function;
          const double f_before = function.value({before.t, before.q, before.v, before.auxiliary});
          const double f_at = function.value({moving.at.t, moving.at.q, moving.at.v, moving.at.auxiliary});
          if (hit.crossing == kRising) CHECK((f_before < 0.0 && f_at >= 0.0));
          if (hit.crossing == kFalling) CHECK((f_before > 0.0 && f_at <= 0.0));
          CHECK(hit.crossing != kTouching);
          fired[hit.witness] = 1;
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

TEST_CASE("event finder: no search allocates; wrong calls are told") {
  RandomStream stream(402);
  for (const MethodFacts& method : kMethodFacts) {
    CAPTURE(method.name);
    WatchedMotion moving(random_spec(stream, {.links = 4}), method.method, 3);
    moving.from = random_state(moving.system, stream);
    Sines f(moving.system.model(), stream, true), g(moving.system.model(), stream, false);
    ExpressionEvent time = expression_event(moving.system.model(), "sin(100*t - 1) - v1.joint0").value();
    f.start_at(1e-4, moving.from);
    g.start_at(-1e-4, moving.from);
    const Witness witnesses[] = {{&f}, {&g}, {&time}};
    const unsigned char fired[] = {0, 1, 0};
    REQUIRE(moving.stepper.step(moving.from, 0.02, moving.to).ok());
    const std::size_t before = count_allocations();
    const FoundEvent found = moving.finder.search(moving.from, 0.02, moving.to, witnesses, fired, moving.at);
    CHECK(count_allocations() == before);
    CHECK(found.ok());
    CHECK(found.partial_steps > 0);

    const auto search = [&](double h, std::span<const Witness> w, std::span<const unsigned char> at_start,
                            MotionState& at) {
      (void)moving.finder.search(moving.from, h, moving.to, w, at_start, at);
    };
    const Witness nothing[] = {{}}, four[] = {{&f}, {&f}, {&f}, {&f}};
    MotionState small = moving.at;
    small.v.pop_back();
    CHECK_THROWS_AS(EventFinder(moving.system, moving.stepper, -1), UsageError);
    CHECK_THROWS_AS(search(-0.02, witnesses, fired, moving.at), UsageError);
    CHECK_THROWS_AS(search(0.0, witnesses, fired, moving.at), UsageError);
    CHECK_THROWS_AS(search(0.02, witnesses, std::span(fired).first(2), moving.at), UsageError);
    CHECK_THROWS_AS(search(0.02, four, {}, moving.at), UsageError);
    CHECK_THROWS_AS(search(0.02, nothing, {}, moving.at), UsageError);
    CHECK_THROWS_AS(search(0.02, witnesses, fired, small), UsageError);
    CHECK_THROWS_AS(search(0.02, witnesses, fired, moving.to), UsageError);
  }
}
