#include "pintle/constraints/constrained_dynamics.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/solve_motion.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

void check_sizes(const Model& model, std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                 const JointConstraints& holds, std::span<const double> vdot, const DynamicsOptions& options) {
  const char* const function = "constrained_dynamics";
  const std::size_t nv = size(model.nv());
  require_size(function, "q", q.size(), size(model.nq()));
  require_size(function, "v", v.size(), nv);
  require_size(function, "tau", tau.size(), nv);
  require_size(function, "vdot", vdot.size(), nv);
  if (!holds.sticks.empty()) require_size(function, "holds.sticks", holds.sticks.size(), nv);
  if (!holds.limits.empty()) require_size(function, "holds.limits", holds.limits.size(), nv);
  if (!holds.given.empty()) require_size(function, "holds.given", holds.given.size(), nv);
  if (!options.external.empty()) {
    require_size(function, "options.external", options.external.size(), model.bodies().size());
  }
}

/// Rows for the effective flags: not those of prescribed dofs.
void collect_rows(std::span<const double> v, const JointConstraints& holds, bool friction,
                  ConstrainedDynamicsWorkspace& work) {
  work.rows.clear();
  for (std::size_t i = 0; i < v.size(); ++i) {
    work.friction[i] = work.limit[i] = work.given_effort[i] = 0.0;
    work.friction_state[i] = FrictionState::none;
    work.limit_state[i] = LimitState::none;
    const bool may_stick = friction && !holds.sticks.empty() && holds.sticks[i] != 0 && work.forward.given[i] == 0;
    if (may_stick && v[i] == 0.0 && work.limits[i] > 0.0)
      work.rows.add(static_cast<int>(i), -work.limits[i], work.limits[i]);
  }
  work.friction_rows = work.rows.count();
  for (std::size_t i = 0; i < holds.limits.size(); ++i) {
    if (work.forward.given[i] != 0) continue;
    const bool low = at_lower_limit(holds.limits[i]) && !(v[i] > 0.0);
    const bool high = at_upper_limit(holds.limits[i]) && !(v[i] < 0.0);
    if (low || high) work.rows.add(static_cast<int>(i), high ? -kInfinity<double> : 0.0, low ? kInfinity<double> : 0.0);
  }
}

/// The final state of each row, and the efforts of those that are not held. The held dofs are prescribed from now on:
/// vdot = 0.
void read_states(ConstrainedDynamicsWorkspace& work, std::span<double> vdot) {
  for (std::size_t row = 0; row < work.rows.count(); ++row) {
    const std::size_t i = size(work.rows.dof[row]);
    const bool held = work.box.state[row] == RowState::held;
    if (held) {
      work.forward.given[i] = 1;
      vdot[i] = 0.0;
    }
    if (row < work.friction_rows) {
      work.friction_state[i] = held ? FrictionState::sticks : FrictionState::breaks_away;
      work.friction[i] = work.multipliers[row];
    } else {
      work.limit_state[i] = held ? LimitState::rests : LimitState::leaves;
      work.limit[i] = work.multipliers[row];
    }
  }
}

double within(const ConstraintRows& rows, std::size_t row, double effort) {
  return min(max(effort, rows.lower[row]), rows.upper[row]);
}

/// The efforts of the held dofs: those of inverse dynamics, `needed`, minus tau, within the bounds. Where a joint limit
/// is active too, friction keeps its share, and provides what the joint limit cannot.
void split_efforts(std::span<const double> tau, std::span<const double> needed, ConstrainedDynamicsWorkspace& work) {
  const auto held = [&](std::size_t row) { return work.box.state[row] == RowState::held; };
  for (std::size_t row = work.friction_rows; row < work.rows.count(); ++row) {
    const std::size_t i = size(work.rows.dof[row]);
    if (held(row)) work.limit[i] = within(work.rows, row, needed[i] - tau[i] - work.friction[i]);
  }
  for (std::size_t row = 0; row < work.friction_rows; ++row) {
    const std::size_t i = size(work.rows.dof[row]);
    if (held(row)) work.friction[i] = within(work.rows, row, needed[i] - tau[i] - work.limit[i]);
  }
}

}  // namespace

ConstrainedDynamicsWorkspace::ConstrainedDynamicsWorkspace(const Model& model, std::size_t max_dofs)
    : friction(size(model.nv())),
      limit(friction.size()),
      given_effort(friction.size()),
      friction_state(friction.size()),
      limit_state(friction.size()),
      forward(model),
      response(model),
      rows(2 * max_dofs),
      delassus(model, 2 * max_dofs),
      box(2 * max_dofs),
      limits(friction.size()),
      A(box.max_rows * box.max_rows),
      b(box.max_rows),
      multipliers(box.max_rows),
      efforts(friction.size()) {
  friction_limits(model, limits);
}

void friction_limits(const Model& model, std::span<double> limits) {
  require_size("friction_limits", "limits", limits.size(), size(model.nv()));
  for (double& limit : limits) limit = 0.0;
  const std::span<const CoordinateSource> sources = model.v_sources();
  for (std::size_t k = 0; k < sources.size(); ++k)
    limits[size(sources[k].source)] += abs(sources[k].ratio) * model.dofs()[k].passive.friction;
}

ConstrainedReport constrained_dynamics(const Model& model, std::span<const double> q, std::span<const double> v,
                                       std::span<const double> tau, const JointConstraints& holds,
                                       ConstrainedDynamicsWorkspace& work, std::span<double> vdot,
                                       const DynamicsOptions& options) {
  check_sizes(model, q, v, tau, holds, vdot, options);
  bool any_given = false;
  for (std::size_t i = 0; i < vdot.size(); ++i) {
    work.forward.given[i] = holds.given.empty() ? 0 : holds.given[i];
    any_given = any_given || work.forward.given[i] != 0;
  }
  collect_rows(v, holds, options.passive, work);
  ConstrainedReport report;
  report.dynamics = solve_motion(model, q, v, tau, any_given, work.forward, vdot, options);
  const std::size_t n = work.rows.count();
  if (!report.dynamics.ok() || (n == 0 && !any_given)) return report;
  if (n > 0) {
    report.dynamics = prepare_response(model, q, work.response, holds.given);
    if (!report.dynamics.ok()) return report;
    const std::span<double> A(work.A.data(), n * n), b(work.b.data(), n), multipliers(work.multipliers.data(), n);
    delassus(model, work.rows, work.response, work.delassus, A);
    along_rows(work.rows, vdot, b);
    report.box = solve_box({A, b, work.rows.lower, work.rows.upper}, work.box, multipliers);

    // With the held dofs known, their accelerations are prescribed and all else follows: exactly zero where they rest.
    read_states(work, vdot);
    for (std::size_t i = 0; i < vdot.size(); ++i) {
      work.efforts[i] = tau[i] + (work.friction[i] + work.limit[i]);
      any_given = any_given || work.forward.given[i] != 0;
    }
    report.dynamics = solve_motion(model, q, v, work.efforts, any_given, work.forward, vdot, options);
    if (!report.dynamics.ok() || !any_given) return report;
  }
  inverse_dynamics(model, q, v, vdot, work.forward.inverse, work.efforts, options);
  split_efforts(tau, work.efforts, work);
  for (std::size_t i = 0; i < holds.given.size(); ++i)
    if (holds.given[i] != 0) work.given_effort[i] = work.efforts[i];
  return report;
}

}  // namespace pintle
