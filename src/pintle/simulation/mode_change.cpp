#include "pintle/simulation/mode_change.h"

namespace pintle {
namespace {

MotionInstant instant(const MotionState& state) {
  return {state.t, state.q, state.v, state.extra};
}

StopSide side_of(Hold hold) {
  switch (hold) {
    case Hold::lower_stop:
      return StopSide::lower;
    case Hold::upper_stop:
      return StopSide::upper;
    case Hold::both_stops:
      return StopSide::both;
    case Hold::none:
    case Hold::friction:
      break;
  }
  return StopSide::none;
}

Hold hold_at(StopSide side) {
  switch (side) {
    case StopSide::lower:
      return Hold::lower_stop;
    case StopSide::upper:
      return Hold::upper_stop;
    case StopSide::both:
      return Hold::both_stops;
    case StopSide::none:
      break;
  }
  return Hold::none;
}

signed char sign(double x) {
  return x > 0.0 ? 1 : x < 0.0 ? -1 : 0;
}

bool into(StopSide side, double v) {
  return (at_lower_stop(side) && v < 0.0) || (at_upper_stop(side) && v > 0.0);
}

}  // namespace

ModeChange::ModeChange(SceneSystem& system)
    : system_(system),
      space_(system.model()),
      modes_(system.modes()),
      sides_(modes_.hold.size()),
      sticks_(sides_.size()),
      turns_(sides_.size()),
      gives_way_(sides_.size()),
      restitution_(sides_.size()),
      v_before_(sides_.size()),
      vdot_(sides_.size()),
      blow_work_(sides_.size()),
      impact_(system.model()),
      hold_(system.model()) {}

ModeChangeReport ModeChange::apply(std::span<const Cause> causes, MotionState& state) {
  ModeChangeReport report;
  for (double& work : blow_work_) work = 0.0;
  for (double& impulse : impact_.impulses) impulse = 0.0;
  modes_ = system_.modes();
  read_causes(causes, state);
  for (std::size_t i = 0; i < sides_.size(); ++i) report.impact = report.impact || into(sides_[i], state.v[i]);
  report.ok = report.impact ? strike(state, report) : decide(state, report);
  return report;
}

/// Sides, and who gives way where to (the constraint efforts are those of this instant); positions and velocities that
/// arrived are put where they arrived.
void ModeChange::read_causes(std::span<const Cause> causes, MotionState& state) {
  for (std::size_t i = 0; i < causes.size(); ++i) {
    sides_[i] = side_of(modes_.hold[i]);
    gives_way_[i] = 0;
    turns_[i] = 0;
    switch (causes[i]) {
      case Cause::none:
        break;
      case Cause::lower_stop:
      case Cause::upper_stop: {
        const bool low = causes[i] == Cause::lower_stop;
        sides_[i] = space_.lower[i] == space_.upper[i] ? StopSide::both : low ? StopSide::lower : StopSide::upper;
        state.q[static_cast<std::size_t>(space_.q_number[i])] = low ? space_.lower[i] : space_.upper[i];
        break;
      }
      case Cause::rest:
        state.v[i] = 0.0;
        break;
      case Cause::turn:
        turns_[i] = 1;
        break;
      case Cause::gives_way: {
        const SceneSystem::HoldRange range = system_.hold_range(i);
        const double effort = system_.constraint_efforts()[i];
        gives_way_[i] = effort - range.lower > range.upper - effort ? -1 : 1;
        break;
      }
    }
  }
}

/// Blows, until no rebound is so short that it is a rest.
bool ModeChange::strike(MotionState& state, ModeChangeReport& report) {
  const Model& model = system_.model();
  v_before_ = state.v;
  for (std::size_t i = 0; i < restitution_.size(); ++i) restitution_[i] = system_.scene().restitution()[i];
  for (;;) {
    const StopImpulseReport impact = stop_impulses(model, state.q, v_before_, sides_, restitution_, impact_, state.v,
                                                   {.given = system_.prescribed()});
    report.joint = impact.dynamics.singular_joint;
    report.cut_short = impact.cut_short;
    report.residual = impact.residual;
    if (!impact.ok() || !decide(state, report)) return false;
    report.energy_lost = impact.energy_lost;
    if (!rests_soon(state)) break;
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < blow_work_.size(); ++i) {
    blow_work_[i] = 0.5 * impact_.impulses[i] * (v_before_[i] + state.v[i]);
    sum += blow_work_[i];
  }
  // Of a single blow, or several at once, these are the works; of blows in turn they share what was lost.
  if (sum < 0.0)
    for (double& work : blow_work_) work *= -report.energy_lost / sum;
  for (std::size_t i = 0; i < blow_work_.size(); ++i) blow_work_[i] += impact_.given_impulses[i] * state.v[i];
  return true;
}

/// Whether some rebound would be over within the rest time; its restitution is then nothing.
bool ModeChange::rests_soon(const MotionState& state) {
  const double rest_time = system_.scene().run().rest_time;
  bool any = false;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const bool struck = into(sides_[i], v_before_[i]) && restitution_[i] > 0.0;
    if (!struck || !into(sides_[i], vdot_[i])) continue;
    if (2.0 * (state.v[i] < 0.0 ? -state.v[i] : state.v[i]) > rest_time * (vdot_[i] < 0.0 ? -vdot_[i] : vdot_[i]))
      continue;
    restitution_[i] = 0.0;
    any = true;
  }
  return any;
}

/// Every freedom that moves slides the way it moves; one that gives way slides where its load drives it,
/// and a prescribed one that turns back slides the other way.
void ModeChange::slide_as_moving(const MotionState& state) {
  const std::span<const double> friction = system_.friction_limits();
  const std::span<const unsigned char> prescribed = system_.prescribed();
  system_.given_accelerations(instant(state), vdot_);
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    if (gives_way_[i] != 0) {
      modes_.slide[i] = friction[i] > 0.0 ? gives_way_[i] : 0;
    } else {
      const bool turns = prescribed[i] != 0 && (turns_[i] != 0 || state.v[i] == 0.0);
      modes_.slide[i] = friction[i] > 0.0 ? sign(turns ? vdot_[i] : state.v[i]) : 0;
    }
  }
}

bool ModeChange::decide(const MotionState& state, ModeChangeReport& report) {
  const std::span<const double> friction = system_.friction_limits();
  const std::span<const unsigned char> prescribed = system_.prescribed();
  slide_as_moving(state);
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    sticks_[i] = prescribed[i] == 0 && gives_way_[i] == 0 && friction[i] > 0.0 && state.v[i] == 0.0 ? 1 : 0;
    modes_.hold[i] = Hold::none;
    if (gives_way_[i] != 0) sides_[i] = StopSide::none;
  }
  system_.set_modes(modes_);
  const MotionInstant at = instant(state);
  if (!system_.applied(at)) return false;
  system_.given_accelerations(at, vdot_);
  const ConstrainedReport hold =
      constrained_dynamics(system_.model(), state.q, state.v, system_.tau(),
                           {.sticks = sticks_, .stops = sides_, .given = prescribed}, hold_, vdot_, system_.options());
  report.joint = hold.dynamics.singular_joint;
  if (!(hold.box.residual <= report.residual)) report.residual = hold.box.residual;
  if (!hold.ok()) return false;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    if (hold_.stop_state[i] == StopState::rests) modes_.hold[i] = hold_at(sides_[i]);
    if (hold_.friction_state[i] == FrictionState::sticks && modes_.hold[i] == Hold::none)
      modes_.hold[i] = Hold::friction;
    if (hold_.friction_state[i] == FrictionState::breaks_away && modes_.hold[i] == Hold::none)
      modes_.slide[i] = static_cast<signed char>(-sign(hold_.friction[i]));
  }
  system_.set_modes(modes_);
  return true;
}

}  // namespace pintle
