#include "pintle/simulation/hybrid/mode_witnesses.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pintle/dynamics/solve/search_space.h"
#include "pintle/math/scalar.h"
#include "pintle/simulation/events/event_finder.h"
#include "pintle/simulation/hybrid/contact_witnesses.h"

namespace pintle {
namespace {

/// Initial capacity for pairs of shapes that are near each other, if not all pairs are examined.
constexpr std::size_t kTouchesPerPart = 4;

/// How far shapes may move against each other within a step, in their widths.
constexpr double kSeenWidths = 2.0;

/// Whether a witness function of this kind is above zero directly after it comes into force, whatever rounding says.
bool starts_above(WitnessKind kind) {
  return kind == WitnessKind::limit || kind == WitnessKind::touch || kind == WitnessKind::contact_rest;
}

}  // namespace

/// The distance of a dof from a limit.
class ModeWitnesses::Distance final : public EventFunction {
 public:
  Distance(std::size_t dof, int q_number, double limit, double direction)
      : dof_(dof), q_(static_cast<std::size_t>(q_number)), limit_(limit), direction_(direction) {}

  double value(const MotionInstant& at) override { return direction_ * (at.q[q_] - limit_); }
  double rate(const MotionInstant& at, std::span<const double>) override { return direction_ * at.v[dof_]; }
  bool rate_needs_accelerations() const override { return false; }

  std::size_t dof() const { return dof_; }

 private:
  std::size_t dof_, q_;
  double limit_, direction_;
};

/// The speed of a dof in the direction in which it slides. For a dof at rest with a prescribed motion it is below zero
/// as soon as it moves.
class ModeWitnesses::SlidingSpeed final : public EventFunction {
 public:
  SlidingSpeed(const SceneSystem& system, std::size_t dof) : system_(&system), dof_(dof) {}

  double value(const MotionInstant& at) override {
    const double v = at.v[dof_];
    const signed char slide = system_->modes().slide[dof_];
    return not_yet_passed(slide == 0 ? -std::abs(v) : slide * v);
  }
  bool rate_needs_accelerations() const override { return false; }

  std::size_t dof() const { return dof_; }

 private:
  const SceneSystem* system_;
  std::size_t dof_;
};

/// The margins of all held dofs at successive instants: they take one evaluation of the system.
class ModeWitnesses::Margins {
 public:
  explicit Margins(SceneSystem& system)
      : system_(&system),
        left_(static_cast<std::size_t>(system.model().nv())),
        vdot_(left_.size()),
        auxiliary_derivative_(static_cast<std::size_t>(system.auxiliary_count())),
        instant_(neutral_state(system)) {}

  double left(const MotionInstant& at, std::size_t dof) {
    if (!known_ || !is_of(at)) read(at);
    return left_[dof];
  }
  double contacts_left(const MotionInstant& at) {
    if (!known_ || !is_of(at)) read(at);
    return contacts_left_;
  }
  void forget() { known_ = false; }
  std::span<const double> vdot(const MotionInstant& at) {
    if (!known_ || !is_of(at)) read(at);
    return vdot_;
  }

 private:
  bool is_of(const MotionInstant& at) const {
    const auto equal = [](std::span<const double> a, std::span<const double> b) {
      for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i]) return false;
      return true;
    };
    return at.t == instant_.t && equal(at.q, instant_.q) && equal(at.v, instant_.v) &&
           equal(at.auxiliary, instant_.auxiliary);
  }

  void read(const MotionInstant& at) {
    const bool ok = system_->derivatives(at.t, at.q, at.v, at.auxiliary, vdot_, auxiliary_derivative_);
    for (std::size_t i = 0; i < left_.size(); ++i)
      left_[i] = ok ? system_->constraint_margin(i).left : __builtin_nan("");
    contacts_left_ = !ok ? __builtin_nan("") : system_->contact_margin();
    instant_.t = at.t;
    instant_.q.assign(at.q.begin(), at.q.end());
    instant_.v.assign(at.v.begin(), at.v.end());
    instant_.auxiliary.assign(at.auxiliary.begin(), at.auxiliary.end());
    known_ = true;
  }

  SceneSystem* system_;
  std::vector<double> left_, vdot_, auxiliary_derivative_;
  MotionState instant_;
  double contacts_left_ = 0.0;
  bool known_ = false;
};

/// The margin of the contacts to the limits of their laws.
class ModeWitnesses::ContactMargin final : public EventFunction {
 public:
  explicit ContactMargin(Margins& all) : all_(&all) {}

  double value(const MotionInstant& at) override { return not_yet_passed(all_->contacts_left(at)); }
  bool rate_needs_accelerations() const override { return false; }

 private:
  Margins* all_;
};

/// The margin of a held dof to breakaway [N m or N].
class ModeWitnesses::Margin final : public EventFunction {
 public:
  Margin(Margins& all, std::size_t dof) : all_(&all), dof_(dof) {}

  double value(const MotionInstant& at) override { return not_yet_passed(all_->left(at, dof_)); }
  bool rate_needs_accelerations() const override { return false; }

  std::size_t dof() const { return dof_; }

 private:
  Margins* all_;
  std::size_t dof_;
};

/// The excess of a dof's speed over its limit.
class ModeWitnesses::SpeedExcess final : public EventFunction {
 public:
  SpeedExcess(std::size_t dof, double limit) : dof_(dof), limit_(limit) {}

  double value(const MotionInstant& at) override { return std::abs(at.v[dof_]) - limit_; }
  double rate(const MotionInstant& at, std::span<const double> vdot) override {
    return at.v[dof_] < 0.0 ? -vdot[dof_] : vdot[dof_];
  }

  std::size_t dof() const { return dof_; }

 private:
  std::size_t dof_;
  double limit_;
};

class ModeWitnesses::SwitchValue final : public EventFunction {
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

ModeWitnesses::ModeWitnesses(SceneSystem& system, std::span<const Witness> events)
    : system_(system),
      users_(events.size()),
      all_margins_(1, Margins(system)),
      near_pairs_(system.contacts(), system.all_pairs()) {
  const Model& model = system.model();
  const SearchSpace space(model);
  for (std::size_t i = 0; i < space.lower.size(); ++i) {
    const bool prescribed = system.prescribed()[i] != 0, slides = system.friction_limits()[i] > 0.0;
    const bool lower = !prescribed && space.q_number[i] >= 0 && space.lower[i] > -kInfinity<double>;
    const bool upper = !prescribed && space.q_number[i] >= 0 && space.upper[i] < kInfinity<double>;
    if (lower) distances_.emplace_back(i, space.q_number[i], space.lower[i], 1.0);
    if (upper) distances_.emplace_back(i, space.q_number[i], space.upper[i], -1.0);
    if (slides) speeds_.emplace_back(system, i);
    if (!prescribed && (lower || upper || slides)) margins_.emplace_back(all_margins_[0], i);
  }
  const std::span<const CoordinateSource> sources = model.v_sources();
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const double limit = model.dofs()[k].limits.speed;
    if (limit < kInfinity<double> && sources[k].ratio != 0.0)
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
  make_room(0, near_pairs_.all() ? gaps_.size() : kTouchesPerPart * system.contacts().setup().parts.size());
  for (std::size_t k = 0; k < users_; ++k) {
    witnesses_[k] = events[k];
    roles_[k] = {WitnessKind::user, static_cast<int>(k)};
  }
  count_ = first_count_ = users_;
}

ModeWitnesses::~ModeWitnesses() = default;

/// For so many contacts that slide, roll and spin, and pairs that may touch.
void ModeWitnesses::make_room(std::size_t moving, std::size_t touches) {
  const bool contacts = !gaps_.empty();
  while (contact_speeds_.size() < 3 * moving) {
    const std::size_t number = contact_speeds_.size() / 3;
    for (const FrictionKind kind : kFrictionKinds) contact_speeds_.emplace_back(contact_places_[0], number, kind);
  }
  if (touches > touch_room_) touch_room_ = std::max(touches, 2 * touch_room_);
  const std::size_t count = users_ + distances_.size() + speeds_.size() + margins_.size() + excesses_.size() +
                            switches_.size() + touch_room_ + contact_speeds_.size() + (contacts ? 1 : 0);
  if (count <= witnesses_.size()) return;
  witnesses_.resize(count);
  roles_.resize(count);
  fired_.resize(count);
  hit_.resize(count);
}

void ModeWitnesses::add(EventFunction& function, EventDirection direction, WitnessKind kind, std::size_t number) {
  const bool touch = kind == WitnessKind::touch;
  witnesses_[count_] = {&function, direction, kind == WitnessKind::limit || touch, touch};
  roles_[count_] = {kind, static_cast<int>(number)};
  ++count_;
}

std::vector<std::int64_t> ModeWitnesses::saved_marks() const {
  std::vector<std::int64_t> marks(fired_.begin(), fired_.begin() + static_cast<std::ptrdiff_t>(first_count_));
  marks.resize(first_count_ + gaps_.size(), kStartsAbove);
  for (std::size_t k = first_count_ + touch_count_; k < count_; ++k) marks.push_back(fired_[k]);
  return marks;
}

/// Those of contacts are always the same.
void ModeWitnesses::set_fired(std::span<const std::int64_t> marks) {
  for (std::size_t k = 0; k < first_count_; ++k)
    fired_[k] = k < marks.size() ? static_cast<unsigned char>(marks[k]) : 0;
}

void ModeWitnesses::clear_fired() {
  for (std::size_t k = 0; k < count_; ++k) fired_[k] = starts_above(roles_[k].kind) ? kStartsAbove : 0;
}

void ModeWitnesses::choose(const MotionState& state, std::span<const unsigned char> hits) {
  const DofModes& modes = system_.modes();
  all_margins_[0].forget();
  contact_places_[0].forget();
  std::size_t hit_count = 0;
  for (std::size_t k = 0; k < hits.size(); ++k)
    if (hits[k] != 0) hit_[hit_count++] = witnesses_[k].function;
  count_ = users_;
  for (Distance& d : distances_)
    if (modes.hold[d.dof()] == ActiveConstraint::none) add(d, EventDirection::falling, WitnessKind::limit, d.dof());
  for (SlidingSpeed& s : speeds_) {
    if (modes.hold[s.dof()] != ActiveConstraint::none) continue;
    const bool prescribed = system_.prescribed()[s.dof()] != 0;
    add(s, EventDirection::falling, prescribed ? WitnessKind::turn : WitnessKind::rest, s.dof());
  }
  for (Margin& m : margins_)
    if (modes.hold[m.dof()] != ActiveConstraint::none) add(m, EventDirection::falling, WitnessKind::gives_way, m.dof());
  for (SpeedExcess& e : excesses_) add(e, EventDirection::both, WitnessKind::speed_limit, e.dof());
  for (SwitchValue& s : switches_) add(s, EventDirection::both, WitnessKind::force_switch, s.element());
  first_count_ = count_;
  witness_contacts();
  const MotionInstant at = instant(state);
  for (std::size_t k = 0; k < first_count_; ++k) {
    bool hit = false;
    for (std::size_t h = 0; h < hit_count; ++h) hit = hit || hit_[h] == witnesses_[k].function;
    fired_[k] = mark(k, at, hit);
  }
}

bool ModeWitnesses::any_beyond_limits(const MotionState& state) {
  if (!std::as_const(system_).contacts().active().empty()) all_margins_[0].forget();  // slips have other sides now
  if (count_ == 0) return false;
  const MotionInstant at = instant(state);
  for (std::size_t k = 0; k < count_; ++k) {
    if (roles_[k].kind != WitnessKind::gives_way && roles_[k].kind != WitnessKind::contact_breakaway) continue;
    if (witnesses_[k].function->value(at) < 0.0) return true;
  }
  return false;
}

void ModeWitnesses::forget_margins() {
  all_margins_[0].forget();
}

std::span<const double> ModeWitnesses::accelerations(const MotionState& state) {
  return all_margins_[0].vdot(instant(state));
}

double ModeWitnesses::look_at_step(const MotionState& from, double h, const MotionState& to) {
  if (near_pairs_.all() && !near_pairs_.any_thin()) return h;
  near_pairs_.begin_step(contact_places_[0].at(instant(from)));
  (void)near_pairs_.end_step(contact_places_[0].at(instant(to)), h);
  if (near_pairs_.searches() != near_search_) {
    near_search_ = near_pairs_.searches();
    witness_contacts();
  }
  return longest_step(from, h, to);
}

/// The search samples a step in eight pieces. Shapes that move against each other by no more than twice their width
/// within the step are then seen where they overlap; farther only if they cannot meet on the way.
double ModeWitnesses::longest_step(const MotionState& from, double h, const MotionState& to) {
  double longest = h;
  for (const int number : near_pairs_.found()) {
    const std::size_t pair = static_cast<std::size_t>(number);
    const double speed = near_pairs_.approach_speed(pair), seen = kSeenWidths * near_pairs_.width(pair);
    if (!(h * speed > seen)) continue;
    const double start = gaps_[pair].value(instant(from)), end = gaps_[pair].value(instant(to));
    if (start + end > h * speed && min(start, end) > 0.0) continue;
    longest = min(longest, max(start, seen) / speed);
  }
  return longest < h ? min(longest, 0.5 * h) : h;
}

/// Puts the witnesses of contacts behind the others. Those that start above zero do so again at every step.
void ModeWitnesses::witness_contacts() {
  const std::span<const ActiveContact> active = std::as_const(system_).contacts().active();
  const std::span<const int> near = near_pairs_.found();
  make_room(active.size(), near.size());
  count_ = first_count_;
  for (const int pair : near) {
    const std::size_t number = static_cast<std::size_t>(pair);
    add(gaps_[number], EventDirection::falling, WitnessKind::touch, number);
  }
  touch_count_ = near.size();
  if (!active.empty()) add(contact_margin_[0], EventDirection::falling, WitnessKind::contact_breakaway, 0);
  for (ContactSpeed& speed : contact_speeds_) {
    if (speed.number() >= active.size()) break;
    const ActiveContact& contact = active[speed.number()];
    const bool slip = speed.kind() == FrictionKind::slip;
    const bool friction = slip || system_.contacts().has(speed.kind(), static_cast<std::size_t>(contact.pair));
    if (!friction || contact.mode_of(speed.kind()) != ContactMode::slides) continue;
    add(speed, EventDirection::falling, WitnessKind::contact_rest, speed.number());
    roles_[count_ - 1].friction = speed.kind();
  }
  for (std::size_t k = first_count_; k < count_; ++k) fired_[k] = starts_above(roles_[k].kind) ? kStartsAbove : 0;
}

/// The mark of a witness that comes into force at an instant, whether it had its zero there or not.
unsigned char ModeWitnesses::mark(std::size_t k, const MotionInstant& at, bool hit) const {
  switch (roles_[k].kind) {
    case WitnessKind::limit:
    case WitnessKind::touch:
    case WitnessKind::contact_rest:
      return kStartsAbove;  // else it would be held
    case WitnessKind::rest:
    case WitnessKind::turn:
    case WitnessKind::gives_way:
    case WitnessKind::contact_breakaway:
      return 0;  // they start above zero
    case WitnessKind::speed_limit:
    case WitnessKind::force_switch:
      if (witnesses_[k].function->value(at) == 0.0) return 1;
      break;
    case WitnessKind::user:
      break;
  }
  return hit ? 1 : 0;
}

}  // namespace pintle
