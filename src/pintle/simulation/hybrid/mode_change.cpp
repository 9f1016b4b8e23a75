#include "pintle/simulation/hybrid/mode_change.h"

#include <cmath>

#include "pintle/math/sign.h"
#include "pintle/simulation/events/event_finder.h"
#include "pintle/simulation/hybrid/limit_modes.h"
#include "pintle/simulation/hybrid/zeno_truncation.h"

namespace pintle {
namespace {

/// A rebound of no more than so many units in the last place of the position cannot be distinguished from rest.
constexpr double kMinJointRebound = 4.0;

}  // namespace

ModeChange::ModeChange(SceneSystem& system)
    : system_(system),
      space_(system.model()),
      modes_(system.modes()),
      sides_(modes_.hold.size()),
      shut_(sides_.size()),
      carry_(sides_.size()),
      sticks_(sides_.size()),
      released_(sides_.size()),
      v_before_(sides_.size()),
      vdot_(sides_.size()),
      auxiliary_derivative_(static_cast<std::size_t>(system.auxiliary_count())),
      impact_work_(sides_.size()),
      impulses_(sides_.size()),
      impact_(system.model(), limited_dofs(system.model())),
      hold_(system.model(), limited_dofs(system.model())),
      candidates_(system),
      rows_(system),
      edges_(system, candidates_),
      contact_impacts_(system, candidates_, rows_, edges_),
      active_set_(system, candidates_, rows_, edges_, contact_impacts_) {}

ModeChangeReport ModeChange::apply(std::span<const Guard> causes, std::span<const FrictionMarks> contact_rests,
                                   MotionState& state) {
  ModeChangeReport report;
  for (double& work : impact_work_) work = 0.0;
  for (double& impulse : impulses_) impulse = 0.0;
  arrive(causes, state);
  if (system_.contacts().any_pairs()) return apply_with_contacts(contact_rests, state);
  bool hits = false;
  for (std::size_t i = 0; i < sides_.size(); ++i) hits = hits || moves_into(sides_[i], state.v[i]);
  report.ok = (!hits || hit(sides_, state, report)) && solve_active_set(state, report);
  shut_ = sides_;
  while (report.ok && end_short_moves(state)) report.ok = hit(shut_, state, report) && solve_active_set(state, report);
  return report;
}

/// The remaining velocities of slips that have ended are projected out: too small for their direction to mean anything.
void ModeChange::limit_rests(std::span<const FrictionMarks> contact_rests, MotionState& state) {
  bool any = false;
  for (std::size_t c = 0; c < contact_rests.size(); ++c) {
    ActiveContact& contact = system_.contacts().active()[c];
    for (const FrictionKind kind : kFrictionKinds) {
      if (!contact_rests[c][kind]) continue;
      contact.set_mode(kind, ContactMode::sticks);
      any = true;
    }
  }
  if (any) system_.stabilise_contacts(state);
}

/// Finds what touches, and allocates memory for it at a new maximum.
void ModeChange::collect_contacts(std::span<const FrictionMarks> contact_rests, const MotionState& state) {
  candidates_.collect(state, contact_rests);
  if (!rows_.make_room(candidates_.count())) return;
  contact_impacts_.make_room();
  active_set_.make_room();
}

/// The same if bodies may touch, because contacts and joints are coupled: first the impacts, then the active set; and
/// again from the start if one of them separates too slowly to be distinguished from rest.
ModeChangeReport ModeChange::apply_with_contacts(std::span<const FrictionMarks> contact_rests, MotionState& state) {
  ModeChangeReport report;
  limit_rests(contact_rests, state);
  collect_contacts(contact_rests, state);
  v_before_ = state.v;
  shut_ = sides_;
  bool truncated = false;
  do {
    state.v = v_before_;
    contact_impacts_.clear();
    report = {.work = report.work};
    report.ok = contact_impacts_.resolve(shut_, state, report) && active_set_.solve(sides_, state, vdot_, report);
    truncated = report.ok && truncate_rebounds(system_, state, vdot_, candidates_);
    truncated = (report.ok && end_short_moves(state)) || truncated;
  } while (truncated);
  for (std::size_t i = 0; i < impact_work_.size(); ++i) {
    impact_work_[i] = contact_impacts_.joint_work()[i];
    impulses_[i] = contact_impacts_.limit_impulses()[i];
  }
  return report;
}

/// Finds the dofs at a joint limit. Sets positions at or beyond a limit to it, and velocities that came to rest to
/// zero.
void ModeChange::arrive(std::span<const Guard> causes, MotionState& state) {
  for (std::size_t i = 0; i < causes.size(); ++i) {
    sides_[i] = LimitSide::none;
    if (causes[i] == Guard::rest) state.v[i] = 0.0;
    if (space_.q_number[i] < 0 || system_.prescribed()[i] != 0) continue;
    double& q = state.q[static_cast<std::size_t>(space_.q_number[i])];
    const bool low = q <= space_.lower[i], high = q >= space_.upper[i];
    if (low) q = space_.lower[i];
    if (high) q = space_.upper[i];
    if (low || high)
      sides_[i] = space_.lower[i] == space_.upper[i] ? LimitSide::both : low ? LimitSide::lower : LimitSide::upper;
  }
}

/// The impacts of dofs that move into their limits, with the work and impulse of each.
bool ModeChange::hit(std::span<const LimitSide> sides, MotionState& state, ModeChangeReport& report) {
  v_before_ = state.v;
  const LimitImpulseReport impact =
      limit_impulses(system_.model(), state.q, v_before_, sides, system_.scene().restitution(), impact_, state.v,
                     {.given = system_.prescribed()});
  report.impact = true;
  report.joint = impact.dynamics.singular_joint;
  report.cut_short = report.cut_short || impact.cut_short;
  if (!(impact.residual <= report.residual)) report.residual = impact.residual;
  report.energy_lost += impact.energy_lost;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (sides_[i] != LimitSide::none) impulses_[i] += impact_.impulses[i];
    impact_work_[i] += impact_.work[i] + impact_.given_impulses[i] * state.v[i];
  }
  return impact.ok();
}

/// Marks, in shut_, the dofs that move too little: those that leave their limit but would be back within the minimum
/// rebound time or do not rise above rounding, and those that slide but would come to rest at the same instant. False:
/// no new ones.
bool ModeChange::end_short_moves(const MotionState& state) {
  const double min_rebound_time = system_.scene().run().min_rebound_time;
  bool any = false;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const double v = std::abs(state.v[i]), a = std::abs(vdot_[i]);
    const bool turns_back = state.v[i] < 0.0 ? vdot_[i] > 0.0 : state.v[i] > 0.0 && vdot_[i] < 0.0;
    if (shut_[i] == LimitSide::both || !turns_back) continue;
    const bool slides = system_.friction_limits()[i] > 0.0 && system_.prescribed()[i] == 0;
    bool ends = slides && v <= event_time_tolerance(state.t) * a;
    if (moves_into(sides_[i], vdot_[i])) {
      const double q = std::abs(state.q[static_cast<std::size_t>(space_.q_number[i])]);
      const double resolution = std::nextafter(q, __builtin_inf()) - q;
      ends = ends || 2.0 * v <= min_rebound_time * a || v * v <= 2.0 * kMinJointRebound * resolution * a;
    }
    if (ends) shut_[i] = LimitSide::both;
    any = any || ends;
  }
  return any;
}

/// Which dofs are held, and in which direction the others slide. The solver counts constraints as active that are just
/// too weak, up to rounding; in the end no constraint carries more than it can, so that the witness functions start on
/// the right side.
bool ModeChange::solve_active_set(const MotionState& state, ModeChangeReport& report) {
  for (signed char& direction : released_) direction = 0;
  do {
    if (!solve(state, report)) return false;
    if (!system_.derivatives(state.t, state.q, state.v, state.auxiliary, vdot_, auxiliary_derivative_)) {
      report.joint = system_.derivatives_error().joint;
      return false;
    }
  } while (release_overloaded());
  return true;
}

/// With the accelerations of the modes found: whether a held dof must be released.
bool ModeChange::release_overloaded() {
  bool any = false;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    if (modes_.hold[i] == ActiveConstraint::none) continue;
    const SceneSystem::ConstraintMargin margin = system_.constraint_margin(i);
    if (!(margin.left < 0.0)) continue;
    released_[i] = margin.direction;
    any = true;
  }
  return any;
}

/// The modes of the system, and its accelerations: every dof that moves slides in its direction, a released one in the
/// direction of its load, a prescribed one at rest in the direction of its future motion.
bool ModeChange::solve(const MotionState& state, ModeChangeReport& report) {
  const std::span<const double> friction = system_.friction_limits();
  const std::span<const unsigned char> prescribed = system_.prescribed();
  const MotionInstant at = instant(state);
  system_.given_accelerations(at, vdot_);
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const bool rests = state.v[i] == 0.0, free = prescribed[i] == 0;
    const double motion = !rests ? state.v[i] : free ? released_[i] : vdot_[i];
    modes_.hold[i] = ActiveConstraint::none;
    modes_.slide[i] = friction[i] > 0.0 ? sign(motion) : 0;
    sticks_[i] = rests && free && released_[i] == 0 && friction[i] > 0.0 ? 1 : 0;
    carry_[i] = moves_into(sides_[i], -released_[i]) ? LimitSide::none : sides_[i];
  }
  system_.set_modes(modes_);
  if (!system_.applied(at)) return false;
  const ConstrainedReport hold =
      constrained_dynamics(system_.model(), state.q, state.v, system_.tau(),
                           {.sticks = sticks_, .limits = carry_, .given = prescribed}, hold_, vdot_, system_.options());
  report.joint = hold.dynamics.singular_joint;
  if (!(hold.box.residual <= report.residual)) report.residual = hold.box.residual;
  if (!hold.ok()) return false;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const bool stays = carry_[i] != LimitSide::none && state.v[i] == 0.0 && system_.is_rounding(i, vdot_[i]);
    if (hold_.limit_state[i] == LimitState::rests || stays) {
      modes_.hold[i] = hold_at(sides_[i]);
    } else if (hold_.friction_state[i] == FrictionState::sticks) {
      modes_.hold[i] = ActiveConstraint::friction;
    } else if (hold_.friction_state[i] == FrictionState::breaks_away) {
      modes_.slide[i] = static_cast<signed char>(-sign(hold_.friction[i]));
    }
  }
  system_.set_modes(modes_);
  return true;
}

}  // namespace pintle
