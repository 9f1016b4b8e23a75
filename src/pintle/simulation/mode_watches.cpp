#include "pintle/simulation/mode_watches.h"

#include <cmath>
#include <utility>

#include "pintle/dynamics/search_space.h"
#include "pintle/simulation/event_finder.h"

namespace pintle {
namespace {

constexpr double kInfinity = __builtin_inf();

/// Stands for a zero that is not yet passed, where a mode says on which side a number is.
constexpr double kNotYet = 0x1p-1022;

/// Whether a number of this kind is above zero directly after its watch begins, whatever rounding says.
bool starts_above(WatchKind kind) {
  return kind == WatchKind::stop || kind == WatchKind::touch || kind == WatchKind::contact_rest;
}

double not_yet_passed(double x) {
  return x == 0.0 ? kNotYet : x;
}

}  // namespace

/// How far a freedom is from a limit.
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

/// The speed of a freedom in the direction in which it slides. Of one that stands still though its motion is prescribed
/// it is below zero as soon as it moves.
class ModeWatches::SlidingSpeed final : public EventFunction {
 public:
  SlidingSpeed(const SceneSystem& system, std::size_t freedom) : system_(&system), freedom_(freedom) {}

  double value(const MotionInstant& at) override {
    const double v = at.v[freedom_];
    const signed char slide = system_->modes().slide[freedom_];
    return not_yet_passed(slide == 0 ? -std::abs(v) : slide * v);
  }
  bool rate_needs_accelerations() const override { return false; }

  std::size_t freedom() const { return freedom_; }

 private:
  const SceneSystem* system_;
  std::size_t freedom_;
};

/// The margins of all held freedoms at one instant after the other: they take one evaluation of the system.
class ModeWatches::Margins {
 public:
  explicit Margins(SceneSystem& system)
      : system_(&system),
        left_(static_cast<std::size_t>(system.model().nv())),
        vdot_(left_.size()),
        extra_rate_(static_cast<std::size_t>(system.extra_count())),
        instant_(neutral_state(system)) {}

  double left(const MotionInstant& at, std::size_t freedom) {
    if (!known_ || !is_of(at)) read(at);
    return left_[freedom];
  }
  double contacts_left(const MotionInstant& at) {
    if (!known_ || !is_of(at)) read(at);
    return contacts_left_;
  }
  void forget() { known_ = false; }

 private:
  bool is_of(const MotionInstant& at) const {
    const auto equal = [](std::span<const double> a, std::span<const double> b) {
      for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i]) return false;
      return true;
    };
    return at.t == instant_.t && equal(at.q, instant_.q) && equal(at.v, instant_.v) && equal(at.extra, instant_.extra);
  }

  void read(const MotionInstant& at) {
    const bool ok = system_->rates(at.t, at.q, at.v, at.extra, vdot_, extra_rate_);
    for (std::size_t i = 0; i < left_.size(); ++i) left_[i] = ok ? system_->hold_margin(i).left : __builtin_nan("");
    contacts_left_ = !ok ? __builtin_nan("") : system_->contact_margin();
    instant_.t = at.t;
    instant_.q.assign(at.q.begin(), at.q.end());
    instant_.v.assign(at.v.begin(), at.v.end());
    instant_.extra.assign(at.extra.begin(), at.extra.end());
    known_ = true;
  }

  SceneSystem* system_;
  std::vector<double> left_, vdot_, extra_rate_;
  MotionState instant_;
  double contacts_left_ = 0.0;
  bool known_ = false;
};

/// The places of all links at one instant after the other, for the gaps of all pairs.
class ModeWatches::ContactPlaces {
 public:
  explicit ContactPlaces(SceneSystem& system) : system_(&system), places_(system.model()) {}

  const KinematicsWorkspace& at(const MotionInstant& instant) {
    if (known_ && instant.t == t_ && equal(instant.q, q_) && equal(instant.v, v_)) return places_;
    system_->place_links(instant, places_);
    t_ = instant.t;
    q_.assign(instant.q.begin(), instant.q.end());
    v_.assign(instant.v.begin(), instant.v.end());
    known_ = true;
    ++version_;
    return places_;
  }
  /// Which of the instants so far the places are of.
  std::uint64_t version() const { return version_; }
  void forget() { known_ = false; }
  const Contacts& contacts() const { return system_->contacts(); }

 private:
  static bool equal(std::span<const double> a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < b.size(); ++i)
      if (a[i] != b[i]) return false;
    return true;
  }

  SceneSystem* system_;
  KinematicsWorkspace places_;
  std::vector<double> q_, v_;
  double t_ = 0.0;
  std::uint64_t version_ = 0;
  bool known_ = false;
};

/// How far the shapes of a pair are apart [m].
class ModeWatches::ContactGap final : public EventFunction {
 public:
  ContactGap(ContactPlaces& places, std::size_t pair) : places_(&places), pair_(pair) {}

  double value(const MotionInstant& at) override { return gap(at).distance; }
  double rate(const MotionInstant& at, std::span<const double>) override { return gap(at).rate; }
  bool rate_needs_accelerations() const override { return false; }
  double size(const MotionInstant& at) override { return gap(at).size; }

  std::size_t pair() const { return pair_; }

 private:
  const Contacts::Gap& gap(const MotionInstant& at) {
    const KinematicsWorkspace& places = places_->at(at);
    // Which points are left out changes with the active contacts.
    if (version_ == places_->version() && places_->contacts().active().empty()) return gap_;
    gap_ = places_->contacts().gap(pair_, places);
    version_ = places_->contacts().active().empty() ? places_->version() : 0;
    return gap_;
  }

  ContactPlaces* places_;
  std::size_t pair_;
  Contacts::Gap gap_{};
  std::uint64_t version_ = 0;  // of the places it is of; 0: none
};

/// How fast an active contact slides or turns, in the direction in which it did so when its step began.
class ModeWatches::ContactSpeed final : public EventFunction {
 public:
  ContactSpeed(ContactPlaces& places, std::size_t number, FrictionKind kind)
      : places_(&places), number_(number), kind_(kind) {}

  double value(const MotionInstant& at) override {
    const Contacts& contacts = places_->contacts();
    if (number_ >= contacts.active().size()) return 1.0;
    return not_yet_passed(contacts.speed_of(kind_, contacts.active()[number_], places_->at(at)));
  }
  bool rate_needs_accelerations() const override { return false; }

  std::size_t number() const { return number_; }
  FrictionKind kind() const { return kind_; }

 private:
  ContactPlaces* places_;
  std::size_t number_;
  FrictionKind kind_;
};

/// How far the contacts are from breaking their laws.
class ModeWatches::ContactMargin final : public EventFunction {
 public:
  explicit ContactMargin(Margins& all) : all_(&all) {}

  double value(const MotionInstant& at) override { return not_yet_passed(all_->contacts_left(at)); }
  bool rate_needs_accelerations() const override { return false; }

 private:
  Margins* all_;
};

/// What is left until a held freedom gives way [N m or N].
class ModeWatches::Margin final : public EventFunction {
 public:
  Margin(Margins& all, std::size_t freedom) : all_(&all), freedom_(freedom) {}

  double value(const MotionInstant& at) override { return not_yet_passed(all_->left(at, freedom_)); }
  bool rate_needs_accelerations() const override { return false; }

  std::size_t freedom() const { return freedom_; }

 private:
  Margins* all_;
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
    : system_(system), users_(events.size()), all_margins_(1, Margins(system)) {
  const Model& model = system.model();
  const SearchSpace space(model);
  for (std::size_t i = 0; i < space.lower.size(); ++i) {
    const bool prescribed = system.prescribed()[i] != 0, slides = system.friction_limits()[i] > 0.0;
    const bool lower = !prescribed && space.q_number[i] >= 0 && space.lower[i] > -kInfinity;
    const bool upper = !prescribed && space.q_number[i] >= 0 && space.upper[i] < kInfinity;
    if (lower) distances_.emplace_back(i, space.q_number[i], space.lower[i], 1.0);
    if (upper) distances_.emplace_back(i, space.q_number[i], space.upper[i], -1.0);
    if (slides) speeds_.emplace_back(system, i);
    if (!prescribed && (lower || upper || slides)) margins_.emplace_back(all_margins_[0], i);
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
  contact_places_.emplace_back(system);
  contact_margin_.emplace_back(all_margins_[0]);
  for (std::size_t pair = 0; pair < system.contacts().setup().pairs.size(); ++pair)
    gaps_.emplace_back(contact_places_[0], pair);
  gaps_count_ = gaps_.size();
  make_room(0);
  for (std::size_t k = 0; k < users_; ++k) {
    watches_[k] = events[k];
    roles_[k] = {WatchKind::user, static_cast<int>(k)};
  }
  count_ = users_;
}

ModeWatches::~ModeWatches() = default;

/// For so many contacts that slide, roll and spin.
void ModeWatches::make_room(std::size_t moving) {
  const bool contacts = !gaps_.empty();
  while (contact_speeds_.size() < 3 * moving) {
    const std::size_t number = contact_speeds_.size() / 3;
    for (const FrictionKind kind : kFrictionKinds) contact_speeds_.emplace_back(contact_places_[0], number, kind);
  }
  const std::size_t most = users_ + distances_.size() + speeds_.size() + margins_.size() + excesses_.size() +
                           switches_.size() + gaps_.size() + contact_speeds_.size() + (contacts ? 1 : 0);
  if (most <= watches_.size()) return;
  watches_.resize(most);
  roles_.resize(most);
  fired_.resize(most);
  hit_.resize(most);
}

void ModeWatches::add(EventFunction& function, EventDirection direction, WatchKind kind, std::size_t number) {
  const bool touch = kind == WatchKind::touch;
  watches_[count_] = {&function, direction, kind == WatchKind::stop || touch, touch};
  roles_[count_] = {kind, static_cast<int>(number)};
  ++count_;
}

void ModeWatches::set_fired(std::span<const std::int64_t> marks) {
  for (std::size_t k = 0; k < count_; ++k) fired_[k] = k < marks.size() ? static_cast<unsigned char>(marks[k]) : 0;
}

void ModeWatches::clear_fired() {
  for (std::size_t k = 0; k < count_; ++k) fired_[k] = starts_above(roles_[k].kind) ? kStartsAbove : 0;
}

void ModeWatches::choose(const MotionState& state, std::span<const unsigned char> hits) {
  const FreedomModes& modes = system_.modes();
  all_margins_[0].forget();
  contact_places_[0].forget();
  make_room(std::as_const(system_).contacts().active().size());
  std::size_t hit_count = 0;
  for (std::size_t k = 0; k < hits.size(); ++k)
    if (hits[k] != 0) hit_[hit_count++] = watches_[k].function;
  count_ = users_;
  for (Distance& d : distances_)
    if (modes.hold[d.freedom()] == Hold::none) add(d, EventDirection::falling, WatchKind::stop, d.freedom());
  for (SlidingSpeed& s : speeds_) {
    if (modes.hold[s.freedom()] != Hold::none) continue;
    const bool prescribed = system_.prescribed()[s.freedom()] != 0;
    add(s, EventDirection::falling, prescribed ? WatchKind::turn : WatchKind::rest, s.freedom());
  }
  for (Margin& m : margins_)
    if (modes.hold[m.freedom()] != Hold::none) add(m, EventDirection::falling, WatchKind::gives_way, m.freedom());
  for (SpeedExcess& e : excesses_) add(e, EventDirection::both, WatchKind::speed_limit, e.freedom());
  for (SwitchValue& s : switches_) add(s, EventDirection::both, WatchKind::force_switch, s.element());
  choose_contacts();
  const MotionInstant at = instant(state);
  for (std::size_t k = 0; k < count_; ++k) {
    bool hit = false;
    for (std::size_t h = 0; h < hit_count; ++h) hit = hit || hit_[h] == watches_[k].function;
    fired_[k] = mark(k, at, hit);
  }
}

void ModeWatches::choose_contacts() {
  const std::span<const ActiveContact> active = std::as_const(system_).contacts().active();
  for (ContactGap& gap : gaps_) add(gap, EventDirection::falling, WatchKind::touch, gap.pair());
  if (active.empty()) return;
  add(contact_margin_[0], EventDirection::falling, WatchKind::contact_gives_way, 0);
  for (ContactSpeed& speed : contact_speeds_) {
    if (speed.number() >= active.size()) break;
    const ActiveContact& contact = active[speed.number()];
    const bool slip = speed.kind() == FrictionKind::slip;
    const bool friction = slip || system_.contacts().has(speed.kind(), static_cast<std::size_t>(contact.pair));
    if (!friction || contact.mode_of(speed.kind()) != ContactMode::slides) continue;
    add(speed, EventDirection::falling, WatchKind::contact_rest, speed.number());
    roles_[count_ - 1].friction = speed.kind();
  }
}

/// Of a watch that starts at an instant, after it had its zero there or not.
unsigned char ModeWatches::mark(std::size_t k, const MotionInstant& at, bool hit) const {
  switch (roles_[k].kind) {
    case WatchKind::stop:
    case WatchKind::touch:
    case WatchKind::contact_rest:
      return kStartsAbove;  // else it would be held
    case WatchKind::rest:
    case WatchKind::turn:
    case WatchKind::gives_way:
    case WatchKind::contact_gives_way:
      return 0;  // they start above zero
    case WatchKind::speed_limit:
    case WatchKind::force_switch:
      if (watches_[k].function->value(at) == 0.0) return 1;
      break;
    case WatchKind::user:
      break;
  }
  return hit ? 1 : 0;
}

}  // namespace pintle
