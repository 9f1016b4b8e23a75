// reorder: maps joint values between a caller's order (another program's, a message's) and the model's arrays.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/model/compiled/model.h"

namespace pintle {

/// The array indices of the values of joints in a caller's order: those of the first joint first, each joint's in the
/// order of docs/joints.md.
struct JointOrder {
  std::vector<int> q{};  ///< in a configuration
  std::vector<int> v{};  ///< in a velocity, in accelerations and efforts
};

/// Builds the order from joint names. Fixed joints have no values and may be named; joints that are not named are left
/// out. A name that does not exist (`joint-unknown`, with the nearest one), that occurs twice (`order-twice`), or that
/// belongs to a coupled joint, which has no coordinates of its own (`order-coupled`), is an error; all are reported.
Result<JointOrder> joint_order(const Model& model, std::span<const std::string> joints);

/// array[order[i]] = given[i]: to the model's order; other elements of the array are not changed. `given` has the size
/// of `order`, and the array contains all indices in `order`, else UsageError.
void reorder(std::span<const int> order, std::span<const double> given, std::span<double> array);

/// result[i] = array[order[i]]: back to the caller's order.
void reorder_back(std::span<const int> order, std::span<const double> array, std::span<double> result);

}  // namespace pintle
