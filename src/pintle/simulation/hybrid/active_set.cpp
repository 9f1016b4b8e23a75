#include "pintle/simulation/hybrid/active_set.h"

#include <cmath>
#include <utility>

#include "pintle/base/size.h"
#include "pintle/math/scalar.h"
#include "pintle/math/sign.h"
#include "pintle/simulation/hybrid/limit_modes.h"

namespace pintle {
namespace {

constexpr double kHeld = 1e-9;  // relative to the terms of an acceleration: less counts as zero
constexpr int kMaxReleases = 200;
constexpr int kMaxTurns = 100;

}  // namespace

ActiveSet::ActiveSet(SceneSystem& system, ContactCandidates& candidates, DelassusSystem& rows, EdgeContacts& edges,
                     ImpactResolution& impacts)
    : system_(system),
      candidates_(candidates),
      rows_(rows),
      edges_(edges),
      impacts_(impacts),
      solver_(0, 0),
      modes_(system.modes()),
      released_joint_(modes_.hold.size()),
      auxiliary_derivative_(size(system.auxiliary_count())) {}

void ActiveSet::make_room() {
  solver_ = ContactWorkspace(rows_.max_contacts(), rows_.max_joints(), 2 * rows_.max_turns());
  laws_.resize(rows_.max_contacts());
  turns_.reserve(2 * rows_.max_turns());
  for (std::vector<double>* const bounds : {&lower_, &upper_}) bounds->resize(rows_.max_joints());
}

/// The solver counts constraints as active that are just too weak, up to rounding; in the end no constraint carries
/// more than it can, so that the witness functions start on the right side.
bool ActiveSet::solve(std::span<const LimitSide> sides, MotionState& state, std::span<double> vdot,
                      ModeChangeReport& report) {
  closed_.resize(candidates_.count());
  for (std::size_t c = 0; c < candidates_.count(); ++c)
    closed_[c] = candidates_[c].kept || candidates_.parts_slowly(c) ? 1 : 0;
  for (signed char& direction : released_joint_) direction = 0;
  breaks_away_.assign(candidates_.count(), {});
  for (int k = 0; k < kMaxReleases; ++k) {
    if (!solve_with_edges(sides, state, vdot, report)) return false;
    if (rows_.empty()) return true;
    system_.stabilise_contacts(state);
    system_.contact_forces().forget_ranks();
    if (!accelerate(state, vdot, report)) return false;
    if (system_.contact_forces().settle_beginning(system_.contacts()) && !accelerate(state, vdot, report)) return false;
    const Release release = release_overloaded();
    if (release != Release::one) return release == Release::none_needed;
  }
  return false;
}

bool ActiveSet::accelerate(const MotionState& state, std::span<double> vdot, ModeChangeReport& report) {
  if (system_.derivatives(state.t, state.q, state.v, state.auxiliary, vdot, auxiliary_derivative_)) return true;
  report.joint = system_.derivatives_error().joint;
  return false;
}

/// With the accelerations of the modes found: releases one contact, else one joint, that carries more than it can.
ActiveSet::Release ActiveSet::release_overloaded() {
  if (!system_.contacts().active().empty() && system_.contact_margin() < 0.0)
    return release_contact() ? Release::one : Release::impossible;
  for (std::size_t i = 0; i < released_joint_.size(); ++i) {
    if (system_.modes().hold[i] == ActiveConstraint::none) continue;
    const SceneSystem::ConstraintMargin margin = system_.constraint_margin(i);
    if (!(margin.left < 0.0)) continue;
    released_joint_[i] = margin.direction;
    return Release::one;
  }
  return Release::none_needed;
}

/// Releases the weakest contact: open if it would need tension, sliding or rotating if it would need more than friction
/// can carry.
bool ActiveSet::release_contact() {
  const ContactForces& forces = system_.contact_forces();
  if (forces.weakest() < 0) return false;
  const std::size_t weakest = size(forces.weakest());
  const ActiveContact& active = std::as_const(system_).contacts().active()[weakest];
  const FrictionKind kind = forces.weakest_friction();
  const double* const f = forces.forces().data() + 3 * weakest;
  for (std::size_t c = 0; c < candidates_.count(); ++c) {
    ContactCandidate& candidate = candidates_[c];
    if (closed_[c] == 0 || !candidate.contact.is_point_of(active)) continue;
    if (active.mode_of(kind) == ContactMode::sticks && f[0] > 0.0) {
      const Vec3<> moment = forces.moment(weakest);
      const Vec3<> load = kind == FrictionKind::slip   ? Vec3<>{0.0, f[1], f[2]}
                          : kind == FrictionKind::roll ? Vec3<>{0.0, moment.y, moment.z}
                                                       : Vec3<>{moment.x, 0.0, 0.0};
      const double hold = norm(load);
      if (!(hold > 0.0)) return false;
      breaks_away_[c][kind] = true;
      candidate.contact.direction_of(kind) = candidate.touch.X_AC.rotation * (load / -hold);
    } else {
      closed_[c] = 0;
    }
    return true;
  }
  return false;
}

/// Modes in which no point of an edge moves into its face, including those between the vertices of its polygon: a
/// polygon is rotated until one of its vertices is where the end tips, or until the end stays flat.
bool ActiveSet::solve_with_edges(std::span<const LimitSide> sides, MotionState& state, std::span<double> vdot,
                                 ModeChangeReport& report) {
  EdgeContacts::TippingSearch search;
  for (int k = 0; k < kMaxTurns; ++k) {
    if (!solve_modes(sides, state, vdot, report)) return false;
    if (!edges_.rotate_to_tipping(rows_.contacts(), solver_, search)) break;
  }
  return true;
}

bool ActiveSet::solve_modes(std::span<const LimitSide> sides, MotionState& state, std::span<double> vdot,
                            ModeChangeReport& report) {
  if (!open_all(state, vdot, report)) return false;
  const std::size_t friction_rows = choose(sides, state);
  if (rows_.empty()) return true;
  if (!assemble(state, vdot, report)) return false;
  const ContactReport solved = solve_rows();
  report.residual = max(report.residual, solved.residual);
  report.work += solved.work;
  if (solved.wedges >= 0)
    return impacts_.resolve_without_collision(rows_.contacts()[size(solved.wedges)], state, report) &&
           solve_modes(sides, state, vdot, report);
  if (!solved.converged) return false;
  activate_contacts();
  activate_joints(sides, friction_rows);
  return true;
}

/// The accelerations without contacts and active constraints: every dof that moves slides in its direction, a released
/// one in the direction of its load.
bool ActiveSet::open_all(const MotionState& state, std::span<double> vdot, ModeChangeReport& report) {
  const std::span<const double> joint_friction = system_.friction_limits();
  system_.contacts().active().clear();
  for (std::size_t i = 0; i < joint_friction.size(); ++i) {
    modes_.hold[i] = ActiveConstraint::none;
    const double motion = state.v[i] != 0.0 ? state.v[i] : released_joint_[i];
    modes_.slide[i] = joint_friction[i] > 0.0 ? sign(motion) : 0;
  }
  system_.set_modes(modes_);
  return accelerate(state, vdot, report);
}

/// The candidates and dofs that may be held, dofs with their bounds: first by friction (returns how many), then by
/// limits.
std::size_t ActiveSet::choose(std::span<const LimitSide> sides, const MotionState& state) {
  const std::span<const double> joint_friction = system_.friction_limits();
  const std::span<const unsigned char> prescribed = system_.prescribed();
  rows_.clear();
  for (std::size_t c = 0; c < candidates_.count(); ++c)
    if (closed_[c] != 0) rows_.add_contact(c, candidates_[c].touch);
  const auto add = [&](std::size_t i, double lower, double upper) {
    lower_[rows_.joints().size()] = lower;
    upper_[rows_.joints().size()] = upper;
    rows_.add_joint(i, 1.0);
  };
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (prescribed[i] != 0 || state.v[i] != 0.0 || released_joint_[i] != 0 || !(joint_friction[i] > 0.0)) continue;
    add(i, -joint_friction[i], joint_friction[i]);
  }
  const std::size_t friction_rows = rows_.joints().size();
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (prescribed[i] != 0 || sides[i] == LimitSide::none) continue;
    const bool low = at_lower_limit(sides[i]) && !(state.v[i] > 0.0) && released_joint_[i] <= 0;
    const bool high = at_upper_limit(sides[i]) && !(state.v[i] < 0.0) && released_joint_[i] >= 0;
    if (low || high) add(i, high ? -kInfinity<double> : 0.0, low ? kInfinity<double> : 0.0);
  }
  return friction_rows;
}

/// A, b and the friction laws of those that may be held, at the accelerations without them. False: a joint has no
/// inertia to move.
bool ActiveSet::assemble(const MotionState& state, std::span<const double> vdot, ModeChangeReport& report) {
  kinematics(system_.model(), state.q, state.v, vdot, candidates_.places());
  const DynamicsReport assembled = rows_.assemble(candidates_.places(), state.q, RowDerivatives::wanted);
  report.joint = assembled.singular_joint;
  if (!assembled.ok()) return false;
  turns_.clear();
  for (std::size_t a = 0; a < rows_.contacts().size(); ++a) set_friction(a);
  const std::span<double> b = rows_.b();
  const std::size_t contact_rows = rows_.jacobian().rows;
  for (std::size_t row = 0; row < contact_rows; ++row) b[row] = rows_.jacobian().rate[row];
  for (std::size_t s = 0; s < rows_.joints().size(); ++s) b[contact_rows + s] = vdot[size(rows_.joints()[s].dof)];
  return true;
}

/// The friction laws at a contact: what slides or rotates against friction, or has to, does so in a known direction.
void ActiveSet::set_friction(std::size_t a) {
  const std::size_t c = rows_.contacts()[a];
  ContactCandidate& candidate = candidates_[c];
  const Surface& surface = candidates_.surface(c);
  const Twist<> V = contact_velocity(candidates_.places(), candidate.touch);
  const auto direction = [&](FrictionKind kind, const Vec3<>& moving, double slowest_speed) {
    Vec3<>& known = candidate.contact.direction_of(kind);
    const double speed = norm(moving);
    const bool moves = !candidate.rests[kind] && speed > slowest_speed;
    if (moves) known = candidate.touch.X_AC.rotation * (moving / speed);
    return moves || breaks_away_[c][kind] ? transpose_times(candidate.touch.X_AC.rotation, known)
                                          : Vec3<>{0.0, 0.0, 0.0};
  };
  const Vec3<> slip = direction(FrictionKind::slip, {0.0, V.linear.y, V.linear.z}, candidates_.slowest(c));
  laws_[a] = {surface.static_friction, surface.friction, {slip.y, slip.z}, 0.0};
  if (candidate.touch.spins) {
    const Vec3<> spin = direction(FrictionKind::spin, {V.angular.x, 0.0, 0.0}, candidates_.slowest_turn(c));
    turns_.push_back({a, 1, surface.spinning_friction, {spin.x, 0.0}});
  }
  if (candidate.touch.rolls) {
    const Vec3<> roll = direction(FrictionKind::roll, {0.0, V.angular.y, V.angular.z}, candidates_.slowest_turn(c));
    turns_.push_back({a, 2, surface.rolling_friction, {roll.y, roll.z}});
  }
}

/// The forces f of the rows; their accelerations w are in solver_.
ContactReport ActiveSet::solve_rows() {
  const std::span<double> f = rows_.f();
  for (double& number : f) number = 0.0;
  return solve_contacts({rows_.A(), rows_.b(), std::span(laws_).first(rows_.contacts().size()),
                         std::span(lower_).first(rows_.joints().size()), std::span(upper_).first(rows_.joints().size()),
                         turns_, kMaxSweeps},
                        solver_, f);
}

/// The active contacts of the system are those that the solver found closed: each sticks or slides.
void ActiveSet::activate_contacts() {
  for (std::size_t a = 0; a < rows_.contacts().size(); ++a) {
    ContactCandidate& candidate = candidates_[rows_.contacts()[a]];
    const double* const w = solver_.w.data() + 3 * a;
    const double scale = max(solver_.scale[3 * a], max(solver_.scale[3 * a + 1], solver_.scale[3 * a + 2]));
    const double none = max(kHeld * scale, kAtRest * rows_.jacobian().size[a]);  // within rounding
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
    activate_turning(a, active);
    candidate.contact = active;
    system_.contacts().active().push_back(active);
  }
}

/// Whether rolling and spinning friction sticks at a contact, else the axis of its rotation.
void ActiveSet::activate_turning(std::size_t a, ActiveContact& active) const {
  const ContactCandidate& candidate = candidates_[rows_.contacts()[a]];
  std::size_t row = 3 * rows_.contacts().size();
  for (const MomentLaw& law : turns_) {
    const double* const w = solver_.w.data() + row;
    const double* const scale = solver_.scale.data() + row;
    row += law.rows;
    if (law.contact != a) continue;
    const bool spins = law.rows == 1;
    TurnMode& turn = spins ? active.spin : active.roll;
    const Vec3<> rate = spins ? Vec3<>{w[0], 0.0, 0.0} : Vec3<>{0.0, w[0], w[1]};
    const double turning = norm(rate), max_scale = spins ? scale[0] : max(scale[0], scale[1]);
    const double extent = system_.contacts().extent(size(active.pair));
    const bool known = law.direction[0] != 0.0 || law.direction[1] != 0.0;
    turn.mode = ContactMode::slides;
    if (!known && turning <= max(kHeld * max_scale, kAtRest * rows_.jacobian().size[a] / extent))
      turn.mode = ContactMode::sticks;
    if (!known && turning > 0.0) turn.about_A = candidate.touch.X_AC.rotation * (rate / turning);
  }
}

/// The modes of the joints: the first rows of joints are those of friction.
void ActiveSet::activate_joints(std::span<const LimitSide> sides, std::size_t friction_rows) {
  for (std::size_t s = 0; s < rows_.joints().size(); ++s) {
    const std::size_t row = rows_.jacobian().rows + s, i = size(rows_.joints()[s].dof);
    const bool held = std::abs(solver_.w[row]) <= kHeld * solver_.scale[row] || system_.is_rounding(i, solver_.w[row]);
    if (s < friction_rows) {
      if (held) modes_.hold[i] = ActiveConstraint::friction;
      if (!held) modes_.slide[i] = sign(solver_.w[row]);
    } else if (held) {
      modes_.hold[i] = hold_at(sides[i]);
    }
  }
  system_.set_modes(modes_);
}

}  // namespace pintle
