#include "pintle/simulation/stepper.h"

#include <optional>

#include "pintle/base/usage_error.h"
#include "pintle/math/number_arrays.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/simulation/dormand_prince.h"
#include "pintle/simulation/sdirk.h"
#include "pintle/simulation/symplectic_midpoint.h"

namespace pintle {
namespace {

MotionSizes sizes_of(const MotionSystem& system) {
  return {system.model().nq(), system.model().nv(), system.extra_count()};
}

/// Of states with the same sizes; gives whether all numbers are finite.
bool copy_state(const MotionState& from, MotionState& to) {
  to.t = from.t;
  const bool q = copy_finite(from.q.data(), to.q), v = copy_finite(from.v.data(), to.v),
             extra = copy_finite(from.extra.data(), to.extra);
  return q && v && extra;
}

/// UsageError unless a state has the sizes of another.
void require_sizes(const char* name, const MotionState& state, const MotionState& like) {
  require_size("Stepper::step", name, state.q.size(), like.q.size());
  require_size("Stepper::step", name, state.v.size(), like.v.size());
  require_size("Stepper::step", name, state.extra.size(), like.extra.size());
}

/// Whether a method is one of fixed_step_impl.h.
bool is_fixed(Method method) {
  return method == Method::rk4 || method == Method::rk4_seed || method == Method::semi_implicit_euler;
}

}  // namespace

/// Room for the method in use, and the last step for the interpolant.
struct StepperMemory {
  StepperMemory(MotionSystem& system, Method method)
      : field(system),
        fixed(sizes_of(system)),
        z0(field.size()),
        z1(field.size()),
        error(field.size()),
        sizes(field.size()),
        rate0(field.size()),
        rate1(field.size()),
        start(neutral_state(system)),
        end(start) {
    if (method == Method::dormand_prince) explicit_method.emplace(field.size());
    if (method == Method::sdirk) implicit_method.emplace(field.size(), field.depended_on());
    if (method == Method::symplectic_midpoint) symplectic.emplace(system);
  }

  ChartField field;
  FixedStepMemory<double> fixed;
  std::optional<DormandPrince> explicit_method;
  std::optional<Sdirk> implicit_method;
  std::optional<SymplecticMidpoint> symplectic;
  std::vector<double> z0, z1, error, sizes, rate0, rate1;
  MotionState start;  ///< of the last step
  MotionState end;    ///< likewise
  double h = 0.0;
  bool rates_known = false;  ///< at both ends of the last step
};

Stepper::Stepper(MotionSystem& system, Method method, const Tolerances& tolerances)
    : system_(system), method_(method), tolerances_(tolerances), memory_(nullptr) {
  require(method != Method::symplectic_midpoint || system.imposed().empty(), "Stepper", "method",
          "symplectic-midpoint is for systems that impose nothing: it works in momenta, so no velocity can be given; "
          "take another method");
  memory_ = new StepperMemory(system, method);
}

Stepper::~Stepper() {
  delete memory_;
}

StepReport Stepper::step(const MotionState& from, double h, MotionState& to) {
  StepperMemory& work = *memory_;
  require_sizes("from", from, work.start);
  require_sizes("to", to, work.start);
  require(&from != &to, "Stepper::step", "to", "it is the same state as 'from'");
  copy_state(from, work.start);
  work.h = h;
  work.rates_known = false;
  ChartField& field = work.field;
  field.start_at(work.start);
  if (!is_fixed(method_)) field.start_numbers(work.z0);
  StepReport report;
  switch (method_) {
    case Method::semi_implicit_euler:
    case Method::rk4:
    case Method::rk4_seed:
      copy_state(from, to);
      if (!(method_ == Method::rk4 && system_.rk4_step(h, to.q, to.v, to.extra)) && !fixed_step(h, to))
        report.outcome = StepOutcome::no_rates;
      to.t = from.t + h;
      break;
    case Method::dormand_prince:
      if (!work.explicit_method->step(field, h, work.z0, work.z1, work.error)) report.outcome = StepOutcome::no_rates;
      break;
    case Method::symplectic_midpoint:
      report.outcome = work.symplectic->step(field, h, work.z0, work.z1);
      break;
    case Method::sdirk:
      for (std::size_t i = 0; i < work.sizes.size(); ++i) {
        work.sizes[i] = field.scale_of(i, work.z0[i]) + tolerances_.absolute / tolerances_.relative;
      }
      report.outcome = work.implicit_method->step(field, h, work.z0, work.sizes, work.z1, work.error);
      break;
  }
  if (!report.ok()) return report;
  if (!is_fixed(method_)) field.state_of(from.t + h, work.z1, to);
  if (!copy_state(to, work.end)) report.outcome = StepOutcome::not_finite;
  if (facts(method_).estimates_error) report.error = weighted_error();
  return report;
}

/// `to`, the start, moved by one step of a method of fixed_step_impl.h.
bool Stepper::fixed_step(double h, MotionState& to) {
  StepperMemory& work = *memory_;
  const std::size_t nq = to.q.size(), nv = to.v.size(), further = to.extra.size();
  const auto rates = [&](double t, const double* q, const double* v, const double* extra, double* vdot,
                         double* extra_rate) {
    return system_.rates(t, {q, nq}, {v, nv}, {extra, further}, {vdot, nv}, {extra_rate, further});
  };
  const auto run = [&](auto one_step, auto& impose) {
    return one_step(work.field.turning(), rates, to.t, h, to.q.data(), to.v.data(), to.extra.data(), work.fixed,
                    impose);
  };
  using Rates = decltype(rates)&;
  const auto run_method = [&](auto impose) {
    using Impose = decltype(impose)&;
    if (method_ == Method::rk4) return run(rk4_step<double, Rates, Impose>, impose);
    if (method_ == Method::rk4_seed) return run(rk4_seed_step<double, Rates, Impose>, impose);
    return run(semi_implicit_euler_step<double, Rates, Impose>, impose);
  };
  if (system_.imposed().empty()) return run_method(NothingImposed());
  return run_method([&](double t, double* q, double* v, const double* extra) {
    system_.impose(t, {q, nq}, {v, nv}, {extra, further});
  });
}

/// The root of the mean square of the errors of all that is integrated, each against what is tolerable.
double Stepper::weighted_error() const {
  const StepperMemory& work = *memory_;
  double sum = 0.0;
  int count = 0;
  for (std::size_t i = 0; i < work.error.size(); ++i) {
    if (!work.field.counts_for_error(i)) continue;
    ++count;
    const double size = max(work.field.scale_of(i, work.z0[i]), work.field.scale_of(i, work.z1[i]));
    const double part = work.error[i] / (tolerances_.absolute + tolerances_.relative * size);
    sum += part * part;
  }
  return count == 0 ? 0.0 : std::sqrt(sum / count);
}

/// z0 and z1 of a step that was made without the chart's numbers.
void Stepper::find_chart_numbers() {
  StepperMemory& work = *memory_;
  const std::size_t nv = work.end.v.size();
  work.field.start_numbers(work.z0);
  for (const IndependentJoint& joint : work.field.joints()) {
    difference_joint(joint.kind, work.start.q.data() + joint.q, work.end.q.data() + joint.q, work.z1.data() + joint.v);
  }
  for (std::size_t i = 0; i < nv; ++i) work.z1[nv + i] = work.end.v[i];
  for (std::size_t i = 0; i < work.end.extra.size(); ++i) work.z1[2 * nv + i] = work.end.extra[i];
}

bool Stepper::interpolate(double theta, MotionState& at) {
  StepperMemory& work = *memory_;
  require_size("Stepper::interpolate", "at", at.q.size(), work.start.q.size());
  require_size("Stepper::interpolate", "at", at.v.size(), work.start.v.size());
  require_size("Stepper::interpolate", "at", at.extra.size(), work.start.extra.size());
  const double t = work.start.t + theta * work.h;
  if (method_ == Method::dormand_prince) {
    work.explicit_method->interpolate(theta, work.sizes);
    work.field.state_of(t, work.sizes, at);
    return true;
  }
  if (!work.rates_known) {
    if (is_fixed(method_)) find_chart_numbers();
    if (!work.field(work.start.t, work.z0, work.rate0)) return false;
    if (!work.field(work.start.t + work.h, work.z1, work.rate1)) return false;
    work.rates_known = true;
  }
  // Hermite's cubic through both ends and their rates.
  const double rest = 1.0 - theta;
  for (std::size_t i = 0; i < work.z0.size(); ++i) {
    const double difference = work.z1[i] - work.z0[i];
    const double bend = rest * (work.h * work.rate0[i] - difference) - theta * (work.h * work.rate1[i] - difference);
    work.sizes[i] = work.z0[i] + theta * (difference + rest * bend);
  }
  work.field.state_of(t, work.sizes, at);
  return true;
}

}  // namespace pintle
