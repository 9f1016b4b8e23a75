#include "pintle/simulation/elements/controller.h"

#include <utility>

#include "pintle/math/elementary.h"
#include "pintle/math/number_text.h"
#include "pintle/simulation/elements/actuator.h"
#include "pintle/simulation/elements/bound_command.h"

namespace pintle {
namespace {

/// How far above the effort limit, relative to it, the wanted effort stops the integral.
constexpr double kLimitMargin = 0.1;

/// From 1 at x <= 0 down to 0 at x >= 1, twice continuously differentiable.
double falling(double x) {
  if (!(x > 0.0)) return 1.0;
  if (x >= 1.0) return 0.0;
  return 1.0 - x * x * x * (10.0 + x * (-15.0 + 6.0 * x));
}

class Controller final : public Actuator {
 public:
  Controller(const ControllerSpec& spec, const JointCoordinate& coordinate, BoundCommand target,
             BoundCommand feed_forward, double start)
      : Actuator(spec.name, coordinate, spec.gear, spec.effort_limit, spec.sampling, start, 1),
        spec_(spec),
        target_(std::move(target)),
        feed_forward_(std::move(feed_forward)) {}

  bool needs_places() const override { return target_.needs_places() || feed_forward_.needs_places(); }
  bool counts_events() const override { return target_.counts_events() || feed_forward_.counts_events(); }

  int state_count() const override { return hold().continuous() && spec_.ki > 0.0 ? 1 : 0; }
  int shown_count() const override { return 2; }
  void show(const Model&, const ForceInput& in, std::span<double> values) override;
  int switch_count() const override;
  void switches(const Model& model, const ForceInput& in, std::span<double> values) override;
  void choose_sides(const Model& model, const ForceInput& in) override;
  void reset() override;

 private:
  double wanted(const Instant& at) override;
  void write_derivatives(const Instant& at, double wanted, std::span<double> derivatives) override;
  void sampled(const Instant& at, double wanted) override;

  double error(const Instant& at) { return target_.value(at.in, at.q, at.qd) - at.q; }
  double integral(const Instant& at) const { return hold().continuous() ? at.integral : hold().further(0); }
  bool limits_integral() const { return spec_.integral_limit < __builtin_inf(); }
  /// Whether the integral part is at its limit and e pushes further.
  bool is_full(const Instant& at);

  ControllerSpec spec_;
  BoundCommand target_, feed_forward_;
  LimitSide integral_side_ = LimitSide::by_value;  // upper: full, within: not
  bool pushed_ = false;                            // the effort was clipped or the integral full when sides were chosen
};

double Controller::wanted(const Instant& at) {
  const DriveValue target = target_.has_rate() ? target_.value_and_rate(at.in, at.q, at.qd)
                                               : DriveValue{target_.value(at.in, at.q, at.qd), at.qd, 0.0};
  const double e = target.value - at.q, de = target.rate - at.qd;
  const double feed_forward = feed_forward_.value(at.in, at.q, at.qd);
  return fma(spec_.kp, e, fma(spec_.ki, integral(at), fma(spec_.kd, de, feed_forward)));
}

bool Controller::is_full(const Instant& at) {
  if (integral_side_ != LimitSide::by_value) return integral_side_ == LimitSide::upper;
  const double part = spec_.ki * integral(at);
  return abs(part) >= spec_.integral_limit && part * error(at) > 0.0;
}

void Controller::write_derivatives(const Instant& at, double wanted, std::span<double> derivatives) {
  if (state_count() == 0) return;
  const double e = error(at);
  const LimitSide side = effort_side(wanted);
  double rate = is_full(at) ? 0.0 : e;
  if (side != LimitSide::within && static_cast<double>(side) * e > 0.0)
    rate *= falling((static_cast<double>(side) * wanted - effort_limit()) / (kLimitMargin * effort_limit()));
  derivatives[0] = rate;
}

void Controller::sampled(const Instant& at, double wanted) {
  const double e = error(at);
  double& sum = hold().further(0);
  if (static_cast<double>(side_of(wanted, effort_limit())) * e > 0.0) return;
  sum = fma(spec_.sampling.period, e, sum);
  if (spec_.ki * abs(sum) > spec_.integral_limit) sum = copysign(spec_.integral_limit / spec_.ki, sum);
}

void Controller::show(const Model&, const ForceInput& in, std::span<double> values) {
  const Instant at = instant(in);
  values[0] = target_.value(in, at.q, at.qd);
  values[1] = values[0] - at.q;
}

// The switches: those of the effort; where the integral part reaches its limits; and the sign of e where that decides
// whether the integral is advanced.

int Controller::switch_count() const {
  if (state_count() == 0) return Actuator::switch_count();
  const int further = (limits_integral() ? 2 : 0) + (limits_integral() || has_limit() ? 1 : 0);
  return Actuator::switch_count() + further;
}

void Controller::switches(const Model& model, const ForceInput& in, std::span<double> values) {
  Actuator::switches(model, in, values);
  std::size_t i = static_cast<std::size_t>(Actuator::switch_count());
  if (static_cast<std::size_t>(switch_count()) == i) return;
  const Instant at = instant(in);
  if (limits_integral()) {
    values[i++] = spec_.integral_limit - spec_.ki * at.integral;
    values[i++] = spec_.integral_limit + spec_.ki * at.integral;
  }
  values[i] = pushed_ ? error(at) : 1.0;
}

void Controller::choose_sides(const Model& model, const ForceInput& in) {
  Actuator::choose_sides(model, in);
  if (state_count() == 0) return;
  const Instant at = instant(in);
  integral_side_ = LimitSide::by_value;
  const bool full = is_full(at);
  if (limits_integral()) integral_side_ = full ? LimitSide::upper : LimitSide::within;
  pushed_ = full || effort_side(wanted(at)) != LimitSide::within;
}

void Controller::reset() {
  Actuator::reset();
  integral_side_ = LimitSide::by_value;
  pushed_ = false;
}

}  // namespace

Result<ForceElementPointer> make_controller(const Model& model, const ControllerSpec& spec, double start,
                                            const FormulaNames& known) {
  ElementChecker check("controller", spec.name, spec.origin);
  const JointCoordinate coordinate = check.coordinate(model, spec.joint, spec.dof);
  check.needs_position(model, coordinate, "its error is a position error");
  check.not_negative("gain kp", spec.kp);
  check.not_negative("gain ki", spec.ki);
  check.not_negative("gain kd", spec.kd);
  check.limit("integral limit", spec.integral_limit);
  check_actuator(check, spec.gear, spec.rotor_inertia, spec.effort_limit, spec.sampling);
  if (spec.gear < 0.0) {
    check.add("gear-reversed", ": its gear is " + number_text(spec.gear),
              "a negative gear ratio would make the feedback positive", "give its magnitude");
  }
  BoundCommand target = check.command(spec.target, model, known);
  BoundCommand feed_forward = check.command(spec.feed_forward, model, known);
  if (check.ok() && spec.kd > 0.0 && !target.has_rate()) {
    check.add("controller-target-rate", ": the time derivative of its target is not known",
              "kd acts on it, and that of velocities and sensors would need accelerations",
              "let the target depend on t and coordinates (q.elbow) alone, or leave out kd and damp the joint by a motor");
  }
  if (!check.ok()) return check.problems();
  return ForceElementPointer(new Controller(spec, coordinate, std::move(target), std::move(feed_forward), start));
}

}  // namespace pintle
