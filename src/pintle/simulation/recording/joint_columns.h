// The columns of a model's own numbers: its configuration, velocity, acceleration and efforts.
#pragma once

#include <vector>

#include "pintle/model/compiled/model.h"
#include "pintle/simulation/recording/column.h"

namespace pintle {

/// A column for each number of a configuration q, in its order: "q.elbow [rad]" for a joint with one number,
/// "q.wrist.qx [1]" for one with several (model/links/joint_parts.h).
std::vector<Column> position_columns(const Model& model);

/// Likewise for the numbers of a velocity ("v.elbow [rad/s]"), of an acceleration ("a.elbow [rad/s^2]") and of efforts
/// ("tau.elbow [N m]").
std::vector<Column> velocity_columns(const Model& model);
std::vector<Column> acceleration_columns(const Model& model);
std::vector<Column> effort_columns(const Model& model);

}  // namespace pintle
