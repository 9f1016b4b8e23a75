#include "pintle/constraints/limit_impulses.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

void check_arguments(const Model& model, std::span<const double> q, std::span<const double> v,
                     std::span<const LimitSide> sides, std::span<const double> restitution,
                     std::span<const double> v_after, const LimitImpulseOptions& options) {
  const char* const function = "limit_impulses";
  const std::size_t nv = size(model.nv());
  require_size(function, "q", q.size(), size(model.nq()));
  require_size(function, "v", v.size(), nv);
  require_size(function, "sides", sides.size(), nv);
  if (!restitution.empty()) require_size(function, "restitution", restitution.size(), nv);
  require_size(function, "v_after", v_after.size(), nv);
  for (const double e : restitution) require(e >= 0.0 && e <= 1.0, function, "restitution", "it must be within [0, 1]");
  if (!options.given.empty()) require_size(function, "options.given", options.given.size(), nv);
  require(options.max_rounds >= 0, function, "options.max_rounds", "it must not be negative");
}

bool into_limit(LimitSide side, double v) {
  return (at_lower_limit(side) && v < 0.0) || (at_upper_limit(side) && v > 0.0);
}

/// The kind of a round of impacts.
enum class Round : unsigned char {
  shut,     ///< moving dofs with equal limits come to rest
  impacts,  ///< dofs that move into their limit rebound; those that rest at one are held out of it
  last,     ///< all dofs at a joint limit are held out of it, without a rebound
};

bool is_shut_and_moves(LimitSide side, double v) {
  return side == LimitSide::both && v != 0.0;
}

/// The rows of a round, their minimum velocities, and b. Prescribed dofs have no rows.
void collect_rows(Round round, std::span<const double> v, std::span<const LimitSide> sides,
                  std::span<const double> restitution, LimitImpulseWorkspace& work) {
  work.rows.clear();
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (work.response.given[i] != 0) continue;
    bool low = at_lower_limit(sides[i]), high = at_upper_limit(sides[i]);
    if (round == Round::shut) {
      low = high = sides[i] == LimitSide::both;
    } else if (round == Round::impacts) {
      low = low && !(v[i] > 0.0);
      high = high && !(v[i] < 0.0);
    }
    if (!low && !high) continue;
    const bool rebounds = round == Round::impacts && v[i] != 0.0 && !restitution.empty();
    const std::size_t row = work.rows.count();
    work.rows.add(static_cast<int>(i), high ? -kInfinity<double> : 0.0, low ? kInfinity<double> : 0.0);
    work.target[row] = rebounds ? -restitution[i] * v[i] : 0.0;
    work.b[row] = v[i] - work.target[row];
  }
}

/// The impulses of the prescribed dofs in the last jump, and their work: their velocity stays.
void record_prescribed_work(const Model& model, std::span<const double> v, LimitImpulseWorkspace& work,
                            LimitImpulseReport& report) {
  response_efforts(model, work.response, work.jump, {}, work.carried);
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (work.response.given[i] == 0) continue;
    work.given_impulses[i] += work.carried[i];
    report.given_work = fma(work.carried[i], v[i], report.given_work);
  }
}

/// Solves for the impulses of the rows and applies them to v; returns the dissipated energy. With m the impulses, u-
/// and u+ the velocities of their rows, it is -m'(u+ + u-)/2, and u+ is the target wherever there is an impulse. Where
/// all targets are zero, that equals m'A m/2, which cannot be negative whatever u- is.
double hit(const Model& model, Round round, LimitImpulseWorkspace& work, std::span<double> v,
           LimitImpulseReport& report) {
  const std::size_t n = work.rows.count();
  const std::span<double> A(work.A.data(), n * n), b(work.b.data(), n), impulses(work.multipliers.data(), n);
  delassus(model, work.rows, work.response, work.delassus, A);
  const BoxReport box = solve_box({A, b, work.rows.lower, work.rows.upper}, work.box, impulses);
  report.converged = report.converged && box.converged;
  if (!(box.residual <= report.residual)) report.residual = box.residual;
  report.pivots += box.pivots;

  double lost = 0.0;
  for (std::size_t row = 0; row < n; ++row) {
    const double before = v[size(work.rows.dof[row])];
    double taken = before + work.target[row];
    if (round != Round::impacts) {
      taken = 0.0;
      for (std::size_t other = 0; other < n; ++other) taken = fma(A[row * n + other], -impulses[other], taken);
    }
    work.work[size(work.rows.dof[row])] += 0.5 * impulses[row] * taken;
    lost -= 0.5 * impulses[row] * taken;
  }
  for (double& effort : work.efforts) effort = 0.0;
  add_row_efforts(work.rows, impulses, work.efforts);
  apply_mass_inverse(model, work.response, work.efforts, {}, {}, work.jump);
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] += work.jump[i];
    work.impulses[i] += work.efforts[i];
  }
  for (std::size_t row = 0; row < n; ++row)
    if (work.box.state[row] == RowState::held) v[size(work.rows.dof[row])] = work.target[row];
  return max(lost, 0.0);
}

}  // namespace

LimitImpulseWorkspace::LimitImpulseWorkspace(const Model& model, std::size_t max_dofs)
    : impulses(size(model.nv())),
      work(impulses.size()),
      given_impulses(impulses.size()),
      response(model),
      rows(max_dofs),
      delassus(model, max_dofs),
      box(max_dofs),
      A(box.max_rows * box.max_rows),
      b(box.max_rows),
      multipliers(box.max_rows),
      target(box.max_rows),
      efforts(impulses.size()),
      jump(impulses.size()),
      carried(impulses.size()) {}

LimitImpulseReport limit_impulses(const Model& model, std::span<const double> q, std::span<const double> v,
                                  std::span<const LimitSide> sides, std::span<const double> restitution,
                                  LimitImpulseWorkspace& work, std::span<double> v_after,
                                  const LimitImpulseOptions& options) {
  check_arguments(model, q, v, sides, restitution, v_after, options);
  for (std::size_t i = 0; i < v.size(); ++i) v_after[i] = v[i];
  for (double& impulse : work.impulses) impulse = 0.0;
  for (double& each : work.work) each = 0.0;
  for (double& impulse : work.given_impulses) impulse = 0.0;
  const auto any = [&](auto holds) {
    for (std::size_t i = 0; i < v_after.size(); ++i) {
      const bool given = !options.given.empty() && options.given[i] != 0;
      if (!given && holds(sides[i], v_after[i])) return true;
    }
    return false;
  };
  LimitImpulseReport report;
  if (!any(into_limit)) return report;
  report.dynamics = prepare_response(model, q, work.response, options.given);
  if (!report.dynamics.ok()) return report;
  while (report.converged && !report.cut_short && any(into_limit)) {
    const Round round = any(is_shut_and_moves)               ? Round::shut
                        : report.rounds < options.max_rounds ? Round::impacts
                                                             : Round::last;
    collect_rows(round, v_after, sides, restitution, work);
    report.energy_lost += hit(model, round, work, v_after, report);
    if (!options.given.empty()) record_prescribed_work(model, v_after, work, report);
    report.cut_short = round == Round::last;
    ++report.rounds;
  }
  return report;
}

}  // namespace pintle
