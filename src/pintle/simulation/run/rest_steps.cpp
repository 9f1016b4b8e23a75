#include "pintle/simulation/run/rest_steps.h"

#include <cmath>

#include "pintle/math/scalar.h"

namespace pintle {
namespace {

/// [m/s, rad/s] What moves faster is not at rest: there is no need to look at its forces.
constexpr double kMoves = 1e-9;

}  // namespace

RestSteps::RestSteps(SceneMotion& motion, const ModeWitnesses& witnesses, StepClock& clock)
    : motion_(motion),
      witnesses_(witnesses),
      clock_(clock),
      vdot_(motion.state.v.size()),
      auxiliary_derivative_(motion.state.auxiliary.size()),
      q_(motion.state.q),
      v_(motion.state.v) {}

std::int64_t RestSteps::advance(double end, std::int64_t max_steps, bool asleep) {
  MotionState& state = motion_.state;
  if (asleep ? !is_undisturbed() : !may_rest()) return 0;
  if (!known_ || state.q != q_ || state.v != v_) {
    known_ = rests(asleep);
    if (!known_) return 0;
    q_ = state.q;
    v_ = state.v;
  }
  std::int64_t made = 0;
  for (; made < max_steps && state.t < end; ++made) {
    const auto [target, on_grid] = clock_.next_target(end);
    for (std::size_t i = 0; i < auxiliary_derivative_.size(); ++i)
      state.auxiliary[i] = fma(target - state.t, auxiliary_derivative_[i], state.auxiliary[i]);
    state.t = target;
    if (on_grid) clock_.pass_grid(1);
  }
  return made;
}

/// Whether nothing happens but contact.
bool RestSteps::is_undisturbed() const {
  if (motion_.momentum || !motion_.system.is_autonomous()) return false;
  for (const WitnessRole& role : witnesses_.roles())
    if (role.kind == WitnessKind::user) return false;
  return true;
}

/// What can be seen without forces.
bool RestSteps::may_rest() const {
  const SceneSystem& system = motion_.system;
  if (system.contacts().active().empty() || system.has_mean_forces() || !is_undisturbed()) return false;
  for (const double speed : motion_.state.v)
    if (!(std::abs(speed) <= kMoves)) return false;
  std::size_t rows = 0;
  for (const ActiveContact& contact : system.contacts().active()) {
    const std::size_t pair = static_cast<std::size_t>(contact.pair);
    for (const FrictionKind kind : kFrictionKinds) {
      if (!system.contacts().has(kind, pair)) continue;
      if (contact.mode_of(kind) != ContactMode::sticks) return false;
      rows += kind == FrictionKind::spin ? 1 : 2;
    }
    rows += 1;
  }
  return rows >= system.free_dofs();
}

/// Whether what is held leaves no dof, and is held within its laws.
bool RestSteps::rests(bool asleep) {
  SceneSystem& system = motion_.system;
  const MotionState& state = motion_.state;
  system.contact_forces().forget_ranks();
  if (!system.derivatives(state.t, state.q, state.v, state.auxiliary, vdot_, auxiliary_derivative_)) return false;
  if (asleep) return true;
  if (system.contact_forces().rank() < system.free_dofs() || system.contact_margin() < 0.0) return false;
  for (std::size_t i = 0; i < vdot_.size(); ++i)
    if (system.modes().hold[i] != ActiveConstraint::none && system.constraint_margin(i).left < 0.0) return false;
  return true;
}

}  // namespace pintle
