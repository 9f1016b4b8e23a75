#include "pintle/simulation/hybrid/contact_change.h"

#include <cmath>
#include <utility>

#include "pintle/math/scalar.h"
#include "pintle/math/sign.h"

namespace pintle {
namespace {

constexpr double kSlow = 1e-12;  // of the terms of a speed: slower is rest
constexpr double kHeld = 1e-9;   // of the terms of an acceleration: less is none
// A hop of no more than so many resolutions of the distance is left out. The instants of its ends are known to about
// resolution/speed each, so its length to one part in 4 times this; what is missed of every hop adds up.
constexpr double kLowestHop = 4096.0;
constexpr int kMostReleases = 200;

}  // namespace

ContactChange::ContactChange(SceneSystem& system)
    : system_(system),
      near_pairs_(system.contacts(), system.all_pairs()),
      rows_(system.model(), 0),
      places_(system.model()),
      response_(system.model()),
      impact_(0, 0),
      solver_(0, 0),
      modes_(system.modes()),
      zero_(modes_.hold.size()),
      efforts_(zero_.size()),
      jump_(zero_.size()),
      carried_(zero_.size()),
      released_joint_(zero_.size()),
      stop_impulses_(zero_.size()),
      blow_work_(zero_.size()),
      checks_(system.model()),
      v_before_(zero_.size()),
      stop_efforts_(zero_.size()),
      extra_rate_(static_cast<std::size_t>(system.extra_count())) {
  // The motions of joints, which SceneSystem::place_links leaves as they are where bodies fly.
  kinematics(system.model(), neutral_state(system).q, zero_, zero_, places_);
}

void ContactChange::make_room(std::size_t contacts) {
  if (contacts <= room_ && !A_.empty()) return;
  if (contacts > room_) room_ = contacts;
  const std::size_t turns = system_.contacts().any_turning() ? room_ : 0;
  const std::size_t bars = 2 * zero_.size(), n = 3 * room_ + 3 * turns + bars;
  rows_ = ContactRowsWorkspace(system_.model(), room_, 3 * turns);
  impact_ = ImpactWorkspace(room_, bars);
  solver_ = ContactWorkspace(room_, bars, 2 * turns);
  turns_.reserve(2 * turns);
  touches_.resize(room_);
  laws_.resize(room_);
  friction_.resize(room_);
  restitution_.resize(room_ + bars);
  A_.resize(n * n);
  for (std::vector<double>* const numbers : {&b_, &P_}) numbers->resize(n);
  for (std::vector<double>* const numbers : {&lower_, &upper_}) numbers->resize(bars);
}

void ContactChange::collect(const MotionState& state, std::span<const FrictionMarks> rests) {
  const Contacts& contacts = system_.contacts();
  system_.place_links(instant(state), places_);
  candidates_.clear();
  for (std::size_t c = 0; c < contacts.active().size(); ++c) {
    if (contacts.lies_flat(contacts.active()[c], places_)) continue;  // points all around take its place
    ContactCandidate candidate;
    candidate.contact = contacts.active()[c];
    candidate.was_active = true;
    if (!rests.empty()) candidate.rests = rests[c];
    candidate.point = contacts.point_of(candidate.contact, places_);
    candidate.contact.feature = candidate.point.feature;
    candidates_.push_back(candidate);
  }
  for (const int pair : near_pairs_.at(places_)) {
    const ContactManifold manifold = contacts.touching(static_cast<std::size_t>(pair), places_);
    for (int k = 0; k < manifold.count; ++k) {
      const ContactPoint& point = manifold.points[static_cast<std::size_t>(k)];
      bool known = false;
      for (const ContactCandidate& other : candidates_)
        known = known || (other.contact.pair == pair && other.contact.feature == point.feature);
      if (known) continue;
      ContactCandidate candidate;
      candidate.contact.pair = pair;
      candidate.contact.feature = point.feature;
      candidate.point = point;
      candidates_.push_back(candidate);
    }
  }
  make_room(candidates_.size());
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    ContactCandidate& candidate = candidates_[c];
    candidate.touch = contacts.touch_of(static_cast<std::size_t>(candidate.contact.pair), candidate.point, places_);
    touches_[c] = candidate.touch;
  }
}

/// How fast all candidates part, at a state.
void ContactChange::read_speeds(const MotionState& state) {
  system_.place_links(instant(state), places_);
  speeds_.resize(candidates_.size());
  for (std::size_t c = 0; c < candidates_.size(); ++c)
    speeds_[c] = touch_velocity(places_, candidates_[c].touch).linear.x;
}

/// A speed of a candidate that is no more than rounding [m/s]; what a blow has left of its approach is that too.
double ContactChange::slowest(std::size_t c) const {
  const ContactCandidate& of = candidates_[c];
  return fma(kSlow, of.approach,
             system_.contacts().slowest_speed(static_cast<std::size_t>(of.contact.pair), of.touch, places_));
}

/// Whether a candidate does not part faster than that, by speeds_.
bool ContactChange::parts_slowly(std::size_t c) const {
  return speeds_[c] <= 0.0 || speeds_[c] <= slowest(c);
}

/// The same of turning [rad/s].
double ContactChange::slowest_turn(std::size_t c) const {
  const ContactCandidate& of = candidates_[c];
  return system_.contacts().slowest_turn(static_cast<std::size_t>(of.contact.pair), of.touch, places_);
}

bool ContactChange::approaches(const MotionState& state) {
  read_speeds(state);
  for (std::size_t c = 0; c < candidates_.size(); ++c)
    if (speeds_[c] < 0.0 && speeds_[c] < -slowest(c)) return true;
  return false;
}

bool ContactChange::decide(std::span<const StopSide> sides, MotionState& state, std::span<double> vdot,
                           ContactChangeReport& report) {
  Contacts& contacts = system_.contacts();
  for (std::size_t c = 0; c < candidates_.size(); ++c) candidates_[c].closed = candidates_[c].kept || parts_slowly(c);
  for (signed char& direction : released_joint_) direction = 0;
  forced_open_.assign(candidates_.size(), 0);
  forced_.assign(candidates_.size(), {});
  for (int k = 0; k < kMostReleases; ++k) {
    if (!solve_with_rims(sides, state, vdot, report)) return false;
    if (none_chosen()) return true;
    system_.settle_contacts(state);
    if (!system_.rates(state.t, state.q, state.v, state.extra, vdot, extra_rate_)) {
      report.joint = system_.trouble().joint;
      return false;
    }
    bool again = !contacts.active().empty() && system_.contact_margin() < 0.0 && release_weakest();
    for (std::size_t i = 0; i < sides.size() && !again; ++i) {
      if (system_.modes().hold[i] == Hold::none) continue;
      const SceneSystem::HoldMargin margin = system_.hold_margin(i);
      if (!(margin.left < 0.0)) continue;
      released_joint_[i] = margin.direction;
      again = true;
    }
    if (!again) return true;
  }
  return false;
}

/// The contact that can be held no longer is let go: open where it would have to pull, moving where it would have to
/// hold more than friction can.
bool ContactChange::release_weakest() {
  const ContactForces& forces = system_.contact_forces();
  if (forces.weakest() < 0) return false;
  const std::size_t weakest = static_cast<std::size_t>(forces.weakest());
  const ActiveContact& active = std::as_const(system_).contacts().active()[weakest];
  const FrictionKind kind = forces.weakest_friction();
  const double* const f = forces.forces().data() + 3 * weakest;
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    ContactCandidate& candidate = candidates_[c];
    if (!candidate.closed || forced_open_[c] != 0 || !candidate.contact.is_point_of(active)) continue;
    if (active.mode_of(kind) == ContactMode::sticks && f[0] > 0.0) {
      const Vec3<> moment = forces.moment(weakest);
      const Vec3<> load = kind == FrictionKind::slip   ? Vec3<>{0.0, f[1], f[2]}
                          : kind == FrictionKind::roll ? Vec3<>{0.0, moment.y, moment.z}
                                                       : Vec3<>{moment.x, 0.0, 0.0};
      const double hold = norm(load);
      if (!(hold > 0.0)) return false;
      forced_[c][kind] = true;
      candidate.contact.direction_of(kind) = candidate.touch.X_AC.rotation * (load / -hold);
    } else {
      forced_open_[c] = 1;
    }
    return true;
  }
  return false;
}

bool ContactChange::solve_forces(std::span<const StopSide> sides, MotionState& state, std::span<double> vdot,
                                 ContactChangeReport& report) {
  if (!release_all(state, vdot)) {
    report.joint = system_.trouble().joint;
    return false;
  }
  const std::size_t friction_bars = choose_held(sides, state);
  if (none_chosen()) return true;
  if (!pose_forces(state, vdot, report)) return false;
  const std::size_t k = chosen_.size(), n = rows_.rows + bars_.size();
  const std::span<double> f = std::span(P_).first(n);
  for (double& number : f) number = 0.0;
  const ContactReport solved = solve_contacts({std::span(A_).first(n * n),
                                               std::span(b_).first(n),
                                               {laws_.data(), k},
                                               std::span(lower_).first(bars_.size()),
                                               std::span(upper_).first(bars_.size()),
                                               turns_,
                                               kMostSweeps},
                                              solver_, f);
  report.residual = max(report.residual, solved.residual);
  if (solved.jams >= 0)
    return strike_jammed(chosen_[static_cast<std::size_t>(solved.jams)], state, report) &&
           solve_forces(sides, state, vdot, report);
  if (!solved.converged) return false;
  settle_modes(sides, friction_bars);
  return true;
}

/// The accelerations without contacts and holds: every freedom that moves slides the way it moves, one that is released
/// as its load drives it.
bool ContactChange::release_all(const MotionState& state, std::span<double> vdot) {
  const std::span<const double> joint_friction = system_.friction_limits();
  system_.contacts().active().clear();
  const MotionInstant at = instant(state);
  for (std::size_t i = 0; i < joint_friction.size(); ++i) {
    modes_.hold[i] = Hold::none;
    const double way = state.v[i] != 0.0 ? state.v[i] : released_joint_[i];
    modes_.slide[i] = joint_friction[i] > 0.0 ? sign(way) : 0;
  }
  system_.set_modes(modes_);
  return system_.rates(at.t, at.q, at.v, at.extra, vdot, extra_rate_);
}

/// The candidates and freedoms that may be held, these with their bounds: first by friction (gives how many), then by
/// stops.
std::size_t ContactChange::choose_held(std::span<const StopSide> sides, const MotionState& state) {
  const std::span<const double> joint_friction = system_.friction_limits();
  const std::span<const unsigned char> prescribed = system_.prescribed();
  chosen_.clear();
  for (std::size_t c = 0; c < candidates_.size(); ++c)
    if (candidates_[c].closed && forced_open_[c] == 0) chosen_.push_back(c);
  bars_.clear();
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (prescribed[i] != 0 || state.v[i] != 0.0 || released_joint_[i] != 0 || !(joint_friction[i] > 0.0)) continue;
    lower_[bars_.size()] = -joint_friction[i];
    upper_[bars_.size()] = joint_friction[i];
    bars_.push_back({static_cast<int>(i), 1.0});
  }
  const std::size_t friction_bars = bars_.size();
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (prescribed[i] != 0 || sides[i] == StopSide::none) continue;
    const bool low = at_lower_stop(sides[i]) && !(state.v[i] > 0.0) && released_joint_[i] <= 0;
    const bool high = at_upper_stop(sides[i]) && !(state.v[i] < 0.0) && released_joint_[i] >= 0;
    if (!low && !high) continue;
    lower_[bars_.size()] = high ? -kInfinity<double> : 0.0;
    upper_[bars_.size()] = low ? kInfinity<double> : 0.0;
    bars_.push_back({static_cast<int>(i), 1.0});
  }
  return friction_bars;
}

/// Fills A_, b_, laws_ and turns_ of those that may be held, at accelerations without them. False: the mechanism has no
/// answer to forces.
bool ContactChange::pose_forces(const MotionState& state, std::span<const double> vdot, ContactChangeReport& report) {
  const Model& model = system_.model();
  const std::size_t k = chosen_.size();
  kinematics(model, state.q, state.v, vdot, places_);
  for (std::size_t a = 0; a < k; ++a) touches_[a] = candidates_[chosen_[a]].touch;
  contact_rows(model, places_, {touches_.data(), k}, rows_);
  const DynamicsReport prepared = prepare_response(model, state.q, response_, system_.prescribed());
  report.joint = prepared.singular_joint;
  if (!prepared.ok()) return false;
  const std::size_t n = rows_.rows + bars_.size();
  contact_delassus(model, bars_, response_, rows_, std::span(A_).first(n * n));
  turns_.clear();
  for (std::size_t a = 0; a < k; ++a) pose_friction(a);
  for (std::size_t row = 0; row < rows_.rows; ++row) b_[row] = rows_.rate[row];
  for (std::size_t s = 0; s < bars_.size(); ++s) b_[rows_.rows + s] = vdot[static_cast<std::size_t>(bars_[s].freedom)];
  return true;
}

/// The laws of friction at a chosen candidate: what moves against friction, or has to, does so in a known direction.
void ContactChange::pose_friction(std::size_t a) {
  const std::size_t c = chosen_[a];
  ContactCandidate& candidate = candidates_[c];
  const Surface& surface = system_.contacts().surface(static_cast<std::size_t>(candidate.contact.pair));
  const Twist<> V = touch_velocity(places_, candidate.touch);
  const auto direction = [&](FrictionKind kind, const Vec3<>& moving, double slowest_speed) {
    Vec3<>& known = candidate.contact.direction_of(kind);
    const double speed = norm(moving);
    const bool moves = !candidate.rests[kind] && speed > slowest_speed;
    if (moves) known = candidate.touch.X_AC.rotation * (moving / speed);
    return moves || forced_[c][kind] ? transpose_times(candidate.touch.X_AC.rotation, known) : Vec3<>{0.0, 0.0, 0.0};
  };
  const Vec3<> slip = direction(FrictionKind::slip, {0.0, V.linear.y, V.linear.z}, slowest(c));
  laws_[a] = {surface.static_friction, surface.friction, {slip.y, slip.z}, 0.0};
  if (candidate.touch.spins) {
    const Vec3<> spin = direction(FrictionKind::spin, {V.angular.x, 0.0, 0.0}, slowest_turn(c));
    turns_.push_back({a, 1, surface.spinning_friction, {spin.x, 0.0}});
  }
  if (candidate.touch.rolls) {
    const Vec3<> roll = direction(FrictionKind::roll, {0.0, V.angular.y, V.angular.z}, slowest_turn(c));
    turns_.push_back({a, 2, surface.rolling_friction, {roll.y, roll.z}});
  }
}

/// The active contacts and the modes of the joints, from what the solver has found.
void ContactChange::settle_modes(std::span<const StopSide> sides, std::size_t friction_bars) {
  const std::size_t k = chosen_.size();
  for (std::size_t a = 0; a < k; ++a) {
    ContactCandidate& candidate = candidates_[chosen_[a]];
    const double* const w = solver_.w.data() + 3 * a;
    const double scale = max(solver_.scale[3 * a], max(solver_.scale[3 * a + 1], solver_.scale[3 * a + 2]));
    const double none = max(kHeld * scale, kSlow * rows_.size[a]);  // an acceleration that is no more than rounding
    if (solver_.state[a] == ContactState::open && w[0] > none) continue;
    ActiveContact active = candidate.contact;
    const bool known_slip = laws_[a].slip[0] != 0.0 || laws_[a].slip[1] != 0.0;
    const double slip_rate = length(w[1], w[2]);
    const bool has_friction = laws_[a].static_friction > 0.0;
    if (known_slip || !has_friction || slip_rate > none) {
      active.mode = ContactMode::slides;
      if (!known_slip && slip_rate > 0.0)
        active.slip_A = candidate.touch.X_AC.rotation * Vec3<>{0.0, w[1] / slip_rate, w[2] / slip_rate};
    } else {
      active.mode = ContactMode::sticks;
    }
    settle_turning(a, active);
    candidate.contact = active;
    system_.contacts().active().push_back(active);
  }
  for (std::size_t s = 0; s < bars_.size(); ++s) {
    const std::size_t row = rows_.rows + s, i = static_cast<std::size_t>(bars_[s].freedom);
    const bool held = std::abs(solver_.w[row]) <= kHeld * solver_.scale[row] || system_.is_rounding(i, solver_.w[row]);
    if (s < friction_bars) {
      if (held) modes_.hold[i] = Hold::friction;
      if (!held) modes_.slide[i] = sign(solver_.w[row]);
    } else if (held) {
      modes_.hold[i] = sides[i] == StopSide::both    ? Hold::both_stops
                       : sides[i] == StopSide::lower ? Hold::lower_stop
                                                     : Hold::upper_stop;
    }
  }
  system_.set_modes(modes_);
}

/// Whether friction holds a chosen candidate against rolling and spinning, else about what it turns.
void ContactChange::settle_turning(std::size_t a, ActiveContact& active) const {
  const ContactCandidate& candidate = candidates_[chosen_[a]];
  std::size_t row = 3 * chosen_.size();
  for (const TurnLaw& law : turns_) {
    const double* const w = solver_.w.data() + row;
    const double* const scale = solver_.scale.data() + row;
    row += law.rows;
    if (law.contact != a) continue;
    const bool spins = law.rows == 1;
    TurnMode& turn = spins ? active.spin : active.roll;
    const Vec3<> rate = spins ? Vec3<>{w[0], 0.0, 0.0} : Vec3<>{0.0, w[0], w[1]};
    const double size = norm(rate), most = spins ? scale[0] : max(scale[0], scale[1]);
    const double extent = system_.contacts().extent(static_cast<std::size_t>(active.pair));
    const bool known = law.turn[0] != 0.0 || law.turn[1] != 0.0;
    turn.mode = ContactMode::slides;
    if (!known && size <= max(kHeld * most, kSlow * rows_.size[a] / extent)) turn.mode = ContactMode::sticks;
    if (!known && size > 0.0) turn.about_A = candidate.touch.X_AC.rotation * (rate / size);
  }
}

bool ContactChange::mark_short_hops(const MotionState& state, std::span<const double> vdot) {
  system_.place_links(instant(state), vdot, places_);
  const double rest_time = system_.scene().run().rest_time;
  bool any = false;
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    ContactCandidate& candidate = candidates_[c];
    const TouchMotion motion = touch_motion(places_, candidate.touch);
    const double u = motion.speed.x, a = -motion.speed_rate.x;
    if (candidate.kept || !(u > 0.0) || !(a > 0.0)) continue;
    const double resolution = system_.contacts().resolution(static_cast<std::size_t>(candidate.contact.pair), places_);
    if (u * u > 2.0 * kLowestHop * resolution * a && 2.0 * u > rest_time * a) continue;
    if (!(u > slowest(c))) continue;
    if (rest_of_rim_hops(c, resolution)) continue;
    bool& mark = candidate.impulse[0] > 0.0 && !candidate.plastic ? candidate.plastic : candidate.kept;
    mark = any = true;
    const double part = candidate.approach > 0.0 ? min(u / candidate.approach, 1.0) : 0.0;
    candidate.contact.rest_delay = part < 1.0 ? 2.0 * u / (a * (1.0 - part)) : 0.0;
  }
  return any;
}

}  // namespace pintle
