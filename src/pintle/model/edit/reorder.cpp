#include "pintle/model/edit/reorder.h"

#include <set>
#include <string_view>

#include "pintle/base/usage_error.h"
#include "pintle/model/compiled/joint_state.h"
#include "pintle/model/spec/spec_place.h"

namespace pintle {
namespace {

void require_within(const char* function, std::span<const int> order, std::size_t size) {
  for (const int place : order) {
    if (place >= 0 && static_cast<std::size_t>(place) < size) continue;
    throw UsageError(std::string(function) + ": the array has no index " + std::to_string(place) +
                     "; was the order made for another model?");
  }
}

}  // namespace

Result<JointOrder> joint_order(const Model& model, std::span<const std::string> joints) {
  std::vector<std::string> names;
  for (const ModelJoint& joint : model.joints()) names.push_back(joint.name);
  const std::set<std::string_view> known(names.begin(), names.end());
  const std::vector<JointNumbering> numbering = joint_numbering(model);
  JointOrder order;
  std::set<std::string_view> seen;
  Diagnostics problems;
  for (const std::string& name : joints) {
    if (!seen.insert(name).second) {
      problems.push_back(make_error("order-twice", {}, "joint '" + name + "' is listed twice",
                                    "each joint has one place in the order", "list it once"));
    } else if (!known.contains(name)) {
      problems.push_back(unknown_name("joint", name, "the order", names));
    }
    for (const JointNumbering& one : numbering) {
      if (one.joint != name) continue;
      if (!one.driver.empty()) {
        problems.push_back(make_error("order-coupled", {}, "joint '" + name + "' has no coordinates of its own",
                                      "it is coupled to '" + std::string(one.driver) + "'",
                                      "leave it out, and list '" + std::string(one.driver) + "'"));
      }
      for (int i = 0; i < one.nq; ++i) order.q.push_back(one.first_q + i);
      for (int i = 0; i < one.nv; ++i) order.v.push_back(one.first_v + i);
    }
  }
  if (has_errors(problems)) return problems;
  return order;
}

void reorder(std::span<const int> order, std::span<const double> given, std::span<double> array) {
  require_size("reorder", "given", given.size(), order.size());
  require_within("reorder", order, array.size());
  for (std::size_t i = 0; i < order.size(); ++i) array[static_cast<std::size_t>(order[i])] = given[i];
}

void reorder_back(std::span<const int> order, std::span<const double> array, std::span<double> result) {
  require_size("reorder_back", "result", result.size(), order.size());
  require_within("reorder_back", order, array.size());
  for (std::size_t i = 0; i < order.size(); ++i) result[i] = array[static_cast<std::size_t>(order[i])];
}

}  // namespace pintle
