// reorder: numbers of joints in an order of one's own (another program's, a message's) to and from the model's arrays.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/model/compiled/model.h"

namespace pintle {

/// Where the numbers of joints in an order of one's own are in the arrays of a model: those of the first joint first,
/// each joint's in the order of docs/joints.md.
struct JointOrder {
  std::vector<int> q{};  ///< in a configuration
  std::vector<int> v{};  ///< in a velocity, in accelerations and efforts
};

/// The order of joints by their names. Fixed joints have no numbers and may be named; joints that are not named are
/// left out. A name that does not exist (`joint-unknown`, with the nearest), that is there twice (`order-twice`), or
/// that is of a coupled joint, which has no numbers of its own (`order-coupled`), is an error; all of them are told.
Result<JointOrder> joint_order(const Model& model, std::span<const std::string> joints);

/// array[order[i]] = given[i]: into the model's order, the other numbers of the array are left alone. `given` has the
/// size of `order`, and the array all numbers that `order` names, else UsageError.
void reorder(std::span<const int> order, std::span<const double> given, std::span<double> array);

/// result[i] = array[order[i]]: back into one's own order.
void reorder_back(std::span<const int> order, std::span<const double> array, std::span<double> result);

}  // namespace pintle
