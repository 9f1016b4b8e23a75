#include "pintle/simulation/integrators/stepper.h"

#include <optional>

#include "pintle/base/usage_error.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/math/number_arrays.h"
#include "pintle/simulation/integrators/dormand_prince.h"
#include "pintle/simulation/integrators/sdirk.h"
#include "pintle/simulation/integrators/symplectic_midpoint.h"

namespace pintle {
namespace {

MotionSizes sizes_of(const MotionSystem& system) {
  return {system.model().nq(), system.model().nv(), system.auxiliary_count(), system.controlled_auxiliary_count(),
          system.staged_auxiliary_count()};
}

/// UsageError unless a state has these sizes.
void require_sizes(const char* function, const char* name, const MotionState& state, const MotionSizes& sizes) {
  require_size(function, name, state.q.size(), static_cast<std::size_t>(sizes.nq));
  require_size(function, name, state.v.size(), static_cast<std::size_t>(sizes.nv));
  require_size(function, name, state.auxiliary.size(), static_cast<std::size_t>(sizes.auxiliary));
}

/// Whether a method is one of fixed_step_impl.h.
bool is_fixed(Method method) {
  return method == Method::rk4 || method == Method::rk4_quaternion || method == Method::semi_implicit_euler ||
         method == Method::explicit_euler;
}

/// The derivatives of a system as fixed_step_impl.h calls them.
struct FixedStepDerivatives {
  MotionSystem& system;
  const MotionSizes& sizes;

  bool operator()(double t, const double* q, const double* v, const double* auxiliary, double* vdot,
                  double* rates) const {
    return system.derivatives(t, {q, n(sizes.nq)}, {v, n(sizes.nv)}, {auxiliary, n(sizes.auxiliary)},
                              {vdot, n(sizes.nv)}, {rates, n(sizes.auxiliary)});
  }
  bool at_stage(double t, const double* q, const double* v, const double* auxiliary, double* vdot,
                double* rates) const {
    return system.stage_derivatives(t, {q, n(sizes.nq)}, {v, n(sizes.nv)}, {auxiliary, n(sizes.auxiliary)},
                                    {vdot, n(sizes.nv)}, {rates, n(sizes.auxiliary)});
  }

 private:
  static std::size_t n(int count) { return static_cast<std::size_t>(count); }
};

}  // namespace

/// Memory for the method in use, and what the interpolant needs of the last step.
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
        node(field.size()),
        node_rate(field.size()) {
    if (method == Method::dormand_prince) explicit_method.emplace(field.size());
    if (method == Method::sdirk) implicit_method.emplace(field.size(), field.depended_on());
    if (method == Method::symplectic_midpoint) symplectic.emplace(system);
  }

  /// Hermite's cubic through both ends of the last step and their derivatives.
  void interpolate(double theta, std::vector<double>& z) const {
    const double rest = 1.0 - theta;
    for (std::size_t i = 0; i < z0.size(); ++i) {
      const double difference = z1[i] - z0[i];
      const double bend = rest * (h * rate0[i] - difference) - theta * (h * rate1[i] - difference);
      z[i] = z0[i] + theta * (difference + rest * bend);
    }
  }

  /// Replaces, in `z`, the integrals on which the motion does not depend by those along the cubic, by Gauss's rule with
  /// two nodes: the steps of an error control resolve the motion, but not the power, whose degree is higher. False:
  /// there are no derivatives.
  bool integrate_along(double theta, std::vector<double>& z) {
    constexpr double kNode = 0.21132486540518712;  // (1 - 1/sqrt(3))/2
    const std::size_t first = field.depended_on();
    if (first == z.size()) return true;
    for (std::size_t i = first; i < z.size(); ++i) z[i] = z0[i];
    for (const double place : {kNode, 1.0 - kNode}) {
      interpolate(theta * place, node);
      if (!field(t + theta * place * h, node, node_rate)) return false;
      for (std::size_t i = first; i < z.size(); ++i) z[i] = fma(0.5 * theta * h, node_rate[i], z[i]);
    }
    return true;
  }

  ChartField field;
  FixedStepMemory<double> fixed;
  std::optional<DormandPrince> explicit_method;
  std::optional<Sdirk> implicit_method;
  std::optional<SymplecticMidpoint> symplectic;
  std::vector<double> z0, z1, error, sizes, rate0, rate1, node, node_rate;
  double t = 0.0, h = __builtin_nan("");  ///< start and length of the last step
  bool derivatives_known = false;         ///< at both ends of the last step
};

Stepper::Stepper(MotionSystem& system, Method method, const Tolerances& tolerances)
    : system_(system), method_(method), tolerances_(tolerances), memory_(nullptr) {
  require(method != Method::symplectic_midpoint || system.imposed().empty(), "Stepper", "method",
          "symplectic-midpoint cannot run prescribed motions: it integrates momenta, so no velocity can be prescribed; "
          "choose another method");
  memory_ = new StepperMemory(system, method);
}

Stepper::~Stepper() {
  delete memory_;
}

StepReport Stepper::step(const MotionState& from, double h, MotionState& to) {
  StepperMemory& work = *memory_;
  require_sizes("Stepper::step", "from", from, work.fixed.sizes);
  require_sizes("Stepper::step", "to", to, work.fixed.sizes);
  require(&from != &to, "Stepper::step", "to", "it is the same state as 'from'");
  work.t = from.t;
  work.h = h;
  work.derivatives_known = false;
  ChartField& field = work.field;
  field.start_at(from);
  if (!is_fixed(method_)) field.start_numbers(work.z0);
  StepReport report;
  switch (method_) {
    case Method::semi_implicit_euler:
    case Method::rk4:
    case Method::rk4_quaternion:
    case Method::explicit_euler:
      if (!(method_ == Method::rk4 && system_.rk4_step(from, h, to)) && !fixed_step(from, h, to))
        report.outcome = StepOutcome::no_derivatives;
      to.t = from.t + h;
      break;
    case Method::dormand_prince:
      if (!work.explicit_method->step(field, h, work.z0, work.z1, work.error))
        report.outcome = StepOutcome::no_derivatives;
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
  if (!report.ok()) {
    work.h = __builtin_nan("");  // there is nothing to interpolate
    return report;
  }
  if (!is_fixed(method_)) field.state_of(from.t + h, work.z1, to);
  if (!all_finite(to.q, to.v, to.auxiliary)) report.outcome = StepOutcome::not_finite;
  if (facts(method_).estimates_error) report.error = weighted_error();
  return report;
}

/// `from` advanced by one step of a method of fixed_step_impl.h; the caller sets t of `to`.
bool Stepper::fixed_step(const MotionState& from, double h, MotionState& to) {
  StepperMemory& work = *memory_;
  const std::size_t nq = to.q.size(), nv = to.v.size(), further = to.auxiliary.size();
  const FixedStepDerivatives derivatives{system_, work.fixed.sizes};
  const auto run_method = [&](const auto& prescribe) {
    const auto run = [&](auto one_step) {
      return one_step(work.field.joints(), derivatives, from.t, h,
                      {from.q.data(), from.v.data(), from.auxiliary.data()},
                      {to.q.data(), to.v.data(), to.auxiliary.data()}, work.fixed, prescribe);
    };
    using Derivatives = FixedStepDerivatives;
    using Prescribe = std::decay_t<decltype(prescribe)>;
    if (method_ == Method::rk4) return run(rk4_step<double, Derivatives, Prescribe>);
    if (method_ == Method::rk4_quaternion) return run(rk4_quaternion_step<double, Derivatives, Prescribe>);
    if (method_ == Method::explicit_euler) return run(explicit_euler_step<double, Derivatives, Prescribe>);
    return run(semi_implicit_euler_step<double, Derivatives, Prescribe>);
  };
  const bool made = system_.imposed().empty()
                        ? run_method(NothingPrescribed())
                        : run_method([&](double t, double* q, double* v, const double* auxiliary) {
                            system_.prescribe(t, {q, nq}, {v, nv}, {auxiliary, further});
                          });
  if (made && method_ == Method::rk4 && work.fixed.sizes.staged < work.fixed.sizes.auxiliary)
    system_.finish_step(
        {from, h, std::span<const double>(work.fixed.k[0]).subspan(2 * nv, further), {work.fixed.z.data(), nv}}, to);
  return made;
}

/// The root mean square of the errors of all that is integrated, each relative to its tolerance.
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

/// The derivatives at both ends of the last step, computed once.
bool Stepper::find_derivatives(const MotionState& to) {
  StepperMemory& work = *memory_;
  if (work.derivatives_known) return true;
  if (is_fixed(method_)) {  // its step was made without z
    work.field.start_numbers(work.z0);
    work.field.numbers_of(to, work.z1);
  }
  if (!work.field(work.t, work.z0, work.rate0)) return false;
  if (!work.field(work.t + work.h, work.z1, work.rate1)) return false;
  const std::size_t first = 2 * work.field.nv();
  system_.complete_integrals(std::span(work.z0).subspan(first), std::span(work.rate0).subspan(first));
  system_.complete_integrals(std::span(work.z1).subspan(first), std::span(work.rate1).subspan(first));
  work.derivatives_known = true;
  return true;
}

bool Stepper::interpolate(const MotionState& from, const MotionState& to, double theta, MotionState& at) {
  StepperMemory& work = *memory_;
  require_sizes("Stepper::interpolate", "from", from, work.fixed.sizes);
  require_sizes("Stepper::interpolate", "to", to, work.fixed.sizes);
  require_sizes("Stepper::interpolate", "at", at, work.fixed.sizes);
  const double rounding = 4.0 * kEpsilon<double> * (std::abs(work.t) + std::abs(work.h));
  require(from.t == work.t && std::abs(to.t - (work.t + work.h)) <= rounding, "Stepper::interpolate", "from",
          "the last step was not from this state to 'to'");
  require(&at != &from && &at != &to, "Stepper::interpolate", "at", "it is an end of the step");
  work.field.start_at(from);
  const double t = work.t + theta * work.h;
  if (method_ == Method::dormand_prince) {
    work.explicit_method->interpolate(theta, work.sizes);
    work.field.state_of(t, work.sizes, at);
    return true;
  }
  if (!find_derivatives(to)) return false;
  work.interpolate(theta, work.sizes);
  const bool within = theta > 0.0 && theta < 1.0;
  if (method_ == Method::sdirk && within && !work.integrate_along(theta, work.sizes)) return false;
  work.field.state_of(t, work.sizes, at);
  return true;
}

}  // namespace pintle
