// The columns of a model's own values: its configuration, velocity, acceleration and efforts.
#pragma once

#include <span>
#include <vector>

#include "pintle/model/compiled/model.h"
#include "pintle/simulation/recording/column.h"

namespace pintle {

/// A column for each coordinate of a configuration q, in its order: "q.elbow [rad]" for a joint with one coordinate,
/// "q.wrist.qx [1]" for one with several (model/links/joint_parts.h).
std::vector<Column> position_columns(const Model& model);

/// Likewise for velocities ("v.elbow [rad/s]"), accelerations ("a.elbow [rad/s^2]") and efforts ("tau.elbow [N m]").
std::vector<Column> velocity_columns(const Model& model);
std::vector<Column> acceleration_columns(const Model& model);
std::vector<Column> effort_columns(const Model& model);

/// The columns of the positions and velocities of coupled joints, joint after joint: "q.finger [rad]", "v.finger
/// [rad/s]".
std::vector<Column> coupled_columns(const Model& model);

/// Writes their values.
void coupled_values(const Model& model, std::span<const double> q, std::span<const double> v, std::span<double> values);

}  // namespace pintle
