#include "pintle/simulation/mode_watches.h"

#include <cmath>

#include "pintle/dynamics/search_space.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

constexpr double kInfinity = __builtin_inf();

}  // namespace

/// How far a freedom is from a stop.
class ModeWatches::Distance final : public EventFunction {
 public:
  Distance(std::size_t freedom, int q_number, double limit, double direction)
      : freedom_(freedom), q_(static_cast<std::size_t>(q_number)), limit_(limit), direction_(direction) {}

  double value(const MotionInstant& at) override { return direction_ * (at.q[q_] - limit_); }
  double rate(const MotionInstant& at, std::span<const double>) override { return direction_ * at.v[freedom_]; }
  bool rate_needs_accelerations() const override { return false; }

  std::size_t freedom() const { return freedom_; }

 private:
  std::size_t freedom_, q_;
  double limit_, direction_;
};

class ModeWatches::Speed final : public EventFunction {
 public:
  explicit Speed(std::size_t freedom) : freedom_(freedom) {}

  double value(const MotionInstant& at) override { return at.v[freedom_]; }
  double rate(const MotionInstant&, std::span<const double> vdot) override { return vdot[freedom_]; }

  std::size_t freedom() const { return freedom_; }

 private:
  std::size_t freedom_;
};

/// How much faster a freedom is than it should be.
class ModeWatches::SpeedExcess final : public EventFunction {
 public:
  SpeedExcess(std::size_t freedom, double limit) : freedom_(freedom), limit_(limit) {}

  double value(const MotionInstant& at) override { return std::abs(at.v[freedom_]) - limit_; }
  double rate(const MotionInstant& at, std::span<const double> vdot) override {
    return at.v[freedom_] < 0.0 ? -vdot[freedom_] : vdot[freedom_];
  }

  std::size_t freedom() const { return freedom_; }

 private:
  std::size_t freedom_;
  double limit_;
};

/// What is left, at the held freedom that has the least left, until it gives way [N m or N].
class ModeWatches::HoldMargin final : public EventFunction {
 public:
  explicit HoldMargin(SceneSystem& system)
      : system_(system),
        vdot_(static_cast<std::size_t>(system.model().nv())),
        extra_rate_(static_cast<std::size_t>(system.extra_count())) {}

  double value(const MotionInstant& at) override {
    nearest_ = -1;
    if (!system_.rates(at.t, at.q, at.v, at.extra, vdot_, extra_rate_)) return __builtin_nan("");
    double least = kInfinity;
    for (std::size_t i = 0; i < vdot_.size(); ++i) {
      if (system_.modes().hold[i] == Hold::none) continue;
      const SceneSystem::HoldRange range = system_.hold_range(i);
      const double effort = system_.constraint_efforts()[i];
      const double left = min(effort - range.lower, range.upper - effort);
      if (left < least) {
        least = left;
        nearest_ = static_cast<int>(i);
      }
    }
    return least;
  }

  int nearest() const { return nearest_; }

 private:
  SceneSystem& system_;
  std::vector<double> vdot_, extra_rate_;
  int nearest_ = -1;
};

class ModeWatches::SwitchValue final : public EventFunction {
 public:
  SwitchValue(SceneSystem& system, std::size_t element, std::size_t number)
      : system_(&system),
        element_(element),
        number_(number),
        values_(static_cast<std::size_t>(system.elements()[element]->switch_count())) {}

  double value(const MotionInstant& at) override {
    system_->switches(at, element_, values_);
    return values_[number_];
  }

  std::size_t element() const { return element_; }

 private:
  SceneSystem* system_;
  std::size_t element_, number_;
  std::vector<double> values_;
};

ModeWatches::ModeWatches(SceneSystem& system, std::span<const EventWatch> events)
    : system_(system), users_(events.size()), margin_(1, HoldMargin(system)) {
  const Model& model = system.model();
  const SearchSpace space(model);
  for (std::size_t i = 0; i < space.lower.size(); ++i) {
    if (system.prescribed()[i] == 0 && space.q_number[i] >= 0) {
      if (space.lower[i] > -kInfinity) to_lower_.emplace_back(i, space.q_number[i], space.lower[i], 1.0);
      if (space.upper[i] < kInfinity) to_upper_.emplace_back(i, space.q_number[i], space.upper[i], -1.0);
    }
    if (system.friction_limits()[i] > 0.0) speeds_.emplace_back(i);
  }
  const std::span<const CoordinateSource> sources = model.v_sources();
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const double limit = model.freedoms()[k].limits.speed;
    if (limit < kInfinity && sources[k].ratio != 0.0)
      excesses_.emplace_back(static_cast<std::size_t>(sources[k].source), limit / std::abs(sources[k].ratio));
  }
  for (std::size_t k = 0; k < system.elements().size(); ++k) {
    const int count = system.elements()[k]->switch_count();
    for (int s = 0; s < count; ++s) switches_.emplace_back(system, k, static_cast<std::size_t>(s));
  }
  const std::size_t most =
      users_ + to_lower_.size() + to_upper_.size() + speeds_.size() + excesses_.size() + switches_.size() + 1;
  watches_.resize(most);
  roles_.resize(most);
  fired_.resize(most);
  hit_.resize(most);
  for (std::size_t k = 0; k < users_; ++k) {
    watches_[k] = events[k];
    roles_[k] = {WatchKind::user, static_cast<int>(k)};
  }
  count_ = users_;
}

ModeWatches::~ModeWatches() = default;

void ModeWatches::add(EventFunction& function, EventDirection direction, WatchKind kind, int number) {
  watches_[count_] = {&function, direction, kind == WatchKind::lower_stop || kind == WatchKind::upper_stop};
  roles_[count_] = {kind, number};
  ++count_;
}

void ModeWatches::set_fired(std::span<const std::int64_t> marks) {
  for (std::size_t k = 0; k < count_; ++k) fired_[k] = k < marks.size() && marks[k] != 0 ? 1 : 0;
}

void ModeWatches::clear_fired() {
  for (unsigned char& mark : fired_) mark = 0;
}

void ModeWatches::choose(const MotionState& state, std::span<const unsigned char> hits) {
  const FreedomModes& modes = system_.modes();
  std::size_t hit_count = 0;
  for (std::size_t k = 0; k < hits.size(); ++k)
    if (hits[k] != 0) hit_[hit_count++] = watches_[k].function;
  count_ = users_;
  for (Distance& d : to_lower_)
    if (modes.hold[d.freedom()] == Hold::none)
      add(d, EventDirection::falling, WatchKind::lower_stop, static_cast<int>(d.freedom()));
  for (Distance& d : to_upper_)
    if (modes.hold[d.freedom()] == Hold::none)
      add(d, EventDirection::falling, WatchKind::upper_stop, static_cast<int>(d.freedom()));
  for (Speed& s : speeds_) {
    const std::size_t i = s.freedom();
    if (system_.prescribed()[i] != 0) {
      add(s, EventDirection::both, WatchKind::turn, static_cast<int>(i));
    } else if (modes.hold[i] == Hold::none) {
      add(s, modes.slide[i] > 0 ? EventDirection::falling : EventDirection::rising, WatchKind::rest,
          static_cast<int>(i));
    }
  }
  for (SpeedExcess& e : excesses_)
    add(e, EventDirection::rising, WatchKind::speed_limit, static_cast<int>(e.freedom()));
  for (SwitchValue& s : switches_) add(s, EventDirection::both, WatchKind::force_switch, static_cast<int>(s.element()));
  for (std::size_t i = 0; i < modes.hold.size(); ++i) {
    if (modes.hold[i] == Hold::none) continue;
    add(margin_[0], EventDirection::falling, WatchKind::gives_way, -1);
    break;
  }
  const MotionInstant at{state.t, state.q, state.v, state.extra};
  for (std::size_t k = 0; k < count_; ++k) {
    const bool starts_at_zero =
        k >= users_ && watches_[k].function != &margin_[0] && watches_[k].function->value(at) == 0.0;
    fired_[k] = starts_at_zero ? 1 : 0;
    for (std::size_t h = 0; h < hit_count; ++h)
      if (hit_[h] == watches_[k].function) fired_[k] = 1;
  }
}

int ModeWatches::nearest_to_give_way() const {
  return margin_[0].nearest();
}

}  // namespace pintle
