#include "pintle/simulation/recording/joint_columns.h"

#include "pintle/model/links/joint_parts.h"

namespace pintle {
namespace {

/// The columns of all independent joints; `count` gives the number of values of a kind, `part` their names.
template <class Count, class Part>
std::vector<Column> columns_of(const Model& model, const char* prefix, Count count, Part part) {
  std::vector<Column> columns;
  for (const IndependentJoint& joint : model.independent_joints()) {
    const std::string name = prefix + model.joints()[static_cast<std::size_t>(joint.joint)].name;
    const int n = count(facts(joint.kind));
    for (int i = 0; i < n; ++i) {
      const JointPart number = part(joint.kind, i);
      Column column;
      column.name = n == 1 ? name : name + "." + std::string(number.name);
      column.unit = number.unit;
      columns.push_back(column);
    }
  }
  return columns;
}

constexpr auto kPositions = [](const JointFacts& joint) { return joint.nq; };
constexpr auto kDofs = [](const JointFacts& joint) { return joint.nv; };

}  // namespace

std::vector<Column> position_columns(const Model& model) {
  return columns_of(model, "q.", kPositions, position_part);
}

std::vector<Column> velocity_columns(const Model& model) {
  return columns_of(model, "v.", kDofs, velocity_part);
}

std::vector<Column> acceleration_columns(const Model& model) {
  return columns_of(model, "a.", kDofs, acceleration_part);
}

std::vector<Column> effort_columns(const Model& model) {
  return columns_of(model, "tau.", kDofs, effort_part);
}

}  // namespace pintle
