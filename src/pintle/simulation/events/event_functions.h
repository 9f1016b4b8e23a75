// Witness functions for any mechanism: a coordinate, a speed, the time, a formula of all three and of sensors.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/expression/expression.h"
#include "pintle/model/compiled/model.h"
#include "pintle/simulation/recording/state_names.h"
#include "pintle/simulation/recording/state_values.h"
#include "pintle/simulation/system/event_function.h"

namespace pintle {

/// A coordinate of a joint [rad or m] minus a constant. Only for scalar coordinates, so not for spherical and free
/// joints.
class CoordinateEvent : public EventFunction {
 public:
  /// Coordinate `index` of a joint, coupled ones too. UsageError if there is none, or if it is not a scalar coordinate.
  CoordinateEvent(const Model& model, std::string_view joint, double constant, int index = 0);

  double value(const MotionInstant& at) override;
  double rate(const MotionInstant& at, std::span<const double> vdot) override;
  bool rate_needs_accelerations() const override { return false; }
  double size(const MotionInstant& at) override;

 private:
  CoordinateSource q_, v_;
  double constant_;
};

/// The velocity of one dof of a joint [rad/s or m/s] minus a constant.
class SpeedEvent : public EventFunction {
 public:
  /// Dof `index` of a joint, coupled ones too; UsageError if there is none.
  SpeedEvent(const Model& model, std::string_view joint, double constant, int index = 0);

  double value(const MotionInstant& at) override;
  double rate(const MotionInstant& at, std::span<const double> vdot) override;
  double size(const MotionInstant& at) override;

 private:
  CoordinateSource v_;
  double constant_;
};

/// The time minus a constant [s].
class TimeEvent : public EventFunction {
 public:
  explicit TimeEvent(double constant) : constant_(constant) {}

  double value(const MotionInstant& at) override;
  double rate(const MotionInstant& at, std::span<const double> vdot) override;
  bool rate_needs_accelerations() const override { return false; }
  double size(const MotionInstant& at) override;

 private:
  double constant_;
};

/// A formula of the time, coordinates, velocities and sensors, with its exact time derivative; that is unknown where it
/// uses sensors, or coordinates of spherical or free joints.
class ExpressionEvent : public EventFunction {
 public:
  /// How many variables a formula may use.
  static constexpr int kMaxVariables = 64;

  ExpressionEvent(const ExpressionEvent&);
  ExpressionEvent(ExpressionEvent&&) noexcept;
  ExpressionEvent& operator=(const ExpressionEvent&);
  ExpressionEvent& operator=(ExpressionEvent&&) noexcept;
  ~ExpressionEvent() override;

  const Expression& expression() const { return expression_; }
  /// Which of its variables is the time; -1: none.
  int time_variable() const;

  double value(const MotionInstant& at) override;
  double rate(const MotionInstant& at, std::span<const double> vdot) override;
  bool rate_needs_accelerations() const override { return has_rate_ && uses_velocities_; }
  double size(const MotionInstant& at) override;

 private:
  friend Result<ExpressionEvent> expression_event(const Model&, std::string_view, const Origin&,
                                                  std::span<const SensorSpec>);

  ExpressionEvent(const Model& model, Expression expression, std::vector<StateVariable> variables, StateValues sensors);
  void read_sensors(const MotionInstant& at);
  template <class T, class Visit>
  T run(const MotionInstant& at, std::span<const double> vdot, Visit visit) const;

  Model model_;
  Expression expression_;
  std::vector<StateVariable> variables_;  ///< of the expression, the first ones
  StateValues sensors_;                   ///< its other variables
  std::vector<double> sensor_values_, zero_;
  std::vector<KinematicsWorkspace> places_;  ///< one, if the sensors need it
  bool uses_velocities_ = false, has_rate_ = true;
};

/// The event that a formula of the names in StateNames, and of columns of `sensors` (state_values), is zero. At most 64
/// variables are used. `origin` is the place of the first byte of the text.
Result<ExpressionEvent> expression_event(const Model& model, std::string_view text, const Origin& origin = {},
                                         std::span<const SensorSpec> sensors = {});

}  // namespace pintle
