// The columns of a model's own values: its configuration, velocity, acceleration and efforts.
#pragma once

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

}  // namespace pintle
