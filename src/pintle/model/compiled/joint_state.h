// The coordinates, velocities and efforts of a joint, by its name, within the arrays of a whole model.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "pintle/model/compiled/model.h"

namespace pintle {

/// The values of one joint, at most seven.
struct JointValues {
  std::array<double, 7> values{};
  int count = 0;

  std::size_t size() const { return static_cast<std::size_t>(count); }
  double operator[](std::size_t i) const { return values[i]; }
  const double* begin() const { return values.data(); }
  const double* end() const { return values.data() + count; }
  operator std::span<const double>() const;  // in the .cpp: inline it costs readers of this header 2 % of pintle.h
};

/// Returns the position of a joint in a configuration (docs/joints.md); for a coupled joint, the position that its
/// driver implies. Here and below the array has the model's size and the joint exists, else UsageError.
JointValues joint_position(const Model& model, std::span<const double> q, std::string_view joint);

/// Returns its velocity (or acceleration); for a coupled joint likewise.
JointValues joint_velocity(const Model& model, std::span<const double> v, std::string_view joint);

/// Returns its effort. A coupled joint has none of its own: throws UsageError that names its driver.
JointValues joint_effort(const Model& model, std::span<const double> tau, std::string_view joint);

/// The joint's own elements of the array, for writing: position_in(model, q, "elbow")[0] = 0.3. Throws UsageError for a
/// coupled joint, which has none: write its driver's.
std::span<double> position_in(const Model& model, std::span<double> q, std::string_view joint);
std::span<double> velocity_in(const Model& model, std::span<double> v, std::string_view joint);
std::span<double> effort_in(const Model& model, std::span<double> tau, std::string_view joint);

/// The array elements that belong to a joint.
struct JointNumbering {
  std::string_view joint;  ///< valid as long as the model
  JointKind kind;
  int first_q, nq;          ///< in a configuration; for a coupled joint those of its driver
  int first_v, nv;          ///< in a velocity or in efforts, likewise
  std::string_view driver;  ///< empty unless the joint is coupled
};

/// All joints that move, in the order of the model's joints.
std::vector<JointNumbering> joint_numbering(const Model& model);

}  // namespace pintle
