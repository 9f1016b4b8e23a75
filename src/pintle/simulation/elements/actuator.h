// Actuator: what motors and controllers have in common: a gear, an effort limit, and sampling.
#pragma once

#include <string>

#include "pintle/simulation/elements/element_checker.h"
#include "pintle/simulation/elements/sample_hold.h"
#include "pintle/simulation/system/force_element.h"

namespace pintle {

/// The side of its limits that an element is on within a step.
enum class LimitSide : signed char {
  lower = -1,
  within = 0,
  upper = 1,
  by_value,  ///< not chosen: by the value itself
};

/// The side of a value between -limit and limit.
LimitSide side_of(double value, double limit);

/// An actuator that drives a joint coordinate through a gear. The effort at the motor is `wanted`, clipped at +-limit;
/// at the joint it is gear times that.  [eq. actuator]
class Actuator : public ForceElement {
 public:
  /// `further` values are kept in memory with the samples.
  Actuator(std::string name, const JointCoordinate& coordinate, double gear, double effort_limit,
           const Sampling& sampling, double start, std::size_t further);

  std::string_view name() const override { return name_; }
  ForcePower apply(const Model& model, const ForceInput& in, const ForceOutput& out) override;
  bool has_limit() const override { return effort_limit_ < __builtin_inf(); }
  int switch_count() const override { return switches_effort() ? 2 : 0; }
  void switches(const Model& model, const ForceInput& in, std::span<double> values) override;
  void choose_sides(const Model& model, const ForceInput& in) override;
  double next_sample(double t) const override { return hold_.next(t); }
  void sample(const Model& model, const ForceInput& in) override;
  std::span<double> memory() override;
  void reset() override;

 protected:
  /// The arguments of its law at one instant.
  struct Instant {
    const ForceInput& in;
    double q, qd;     ///< of its own joint coordinate
    double integral;  ///< of a controller's error: a state, or kept with the samples
  };

  /// The effort [N m or N] at the motor before it is clipped.
  virtual double wanted(const Instant& at) = 0;
  /// Writes the time derivatives of its states, if it has any.
  virtual void write_derivatives(const Instant&, double /*wanted*/, std::span<double> /*derivatives*/) {}
  /// Called after each sample.
  virtual void sampled(const Instant&, double /*wanted*/) {}

  Instant instant(const ForceInput& in) const;
  /// The side on which the effort is clipped; within a step it does not change.
  LimitSide effort_side(double wanted) const;
  bool switches_effort() const { return hold_.continuous() && has_limit(); }
  double effort_limit() const { return effort_limit_; }
  SampleHold& hold() { return hold_; }
  const SampleHold& hold() const { return hold_; }

 private:
  std::string name_;
  JointCoordinate coordinate_;
  double gear_;
  double effort_limit_;
  SampleHold hold_;
  LimitSide side_ = LimitSide::by_value;
};

/// Adds the problems of a gear, a rotor, an effort limit and a sampling.
void check_actuator(ElementChecker& check, double gear, double rotor_inertia, double effort_limit,
                    const Sampling& sampling);

}  // namespace pintle
