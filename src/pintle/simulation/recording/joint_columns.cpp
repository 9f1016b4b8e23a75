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

std::vector<Column> coupled_columns(const Model& model) {
  std::vector<Column> columns;
  for (const ModelCoupling& coupling : model.couplings()) {
    const ModelJoint& joint = model.joints()[static_cast<std::size_t>(coupling.joint)];
    const int n = facts(joint.kind).nv;
    for (int i = 0; i < n; ++i) {
      const JointPart q = position_part(joint.kind, i), v = velocity_part(joint.kind, i);
      const std::string part = n == 1 ? "" : "." + std::string(q.name);
      columns.push_back({"q." + joint.name + part, std::string(q.unit)});
      columns.push_back({"v." + joint.name + part, std::string(v.unit)});
    }
  }
  return columns;
}

void coupled_values(const Model& model, std::span<const double> q, std::span<const double> v,
                    std::span<double> values) {
  std::size_t next = 0;
  for (const ModelCoupling& coupling : model.couplings()) {
    const ModelJoint& joint = model.joints()[static_cast<std::size_t>(coupling.joint)];
    for (int i = 0; i < facts(joint.kind).nv; ++i) {
      const CoordinateSource& from_q = model.q_sources()[static_cast<std::size_t>(joint.q + i)];
      const CoordinateSource& from_v = model.v_sources()[static_cast<std::size_t>(joint.v + i)];
      values[next++] = from_q.ratio * q[static_cast<std::size_t>(from_q.source)] + from_q.offset;
      values[next++] = from_v.ratio * v[static_cast<std::size_t>(from_v.source)];
    }
  }
}

}  // namespace pintle
