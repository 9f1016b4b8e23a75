#include "pintle/model/compiled/joint_state.h"

#include <string>

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

const ModelCoupling* coupling_of(const Model& model, int joint) {
  for (const ModelCoupling& coupling : model.couplings())
    if (coupling.joint == joint) return &coupling;
  return nullptr;
}

JointValues values(std::span<const CoordinateSource> sources, int first, int count,
                   std::span<const double> coordinates) {
  JointValues result;
  result.count = count;
  for (int i = 0; i < count; ++i) {
    const CoordinateSource& s = sources[size(first + i)];
    result.values[size(i)] = s.ratio * coordinates[size(s.source)] + s.offset;
  }
  return result;
}

/// The joint, which must have coordinates of its own.
const ModelJoint& own_joint(const Model& model, std::string_view name, const char* function) {
  const int number = model.joint(name);
  if (const ModelCoupling* const coupling = coupling_of(model, number)) {
    throw UsageError(std::string(function) + ": joint '" + std::string(name) +
                     "' is coupled and has no coordinates of its own; use its driver '" +
                     model.joints()[size(coupling->driver)].name + "'");
  }
  return model.joints()[size(number)];
}

std::span<double> own_dofs(const Model& model, std::span<double> v, std::string_view name, const char* function,
                           const char* argument) {
  require_size(function, argument, v.size(), size(model.nv()));
  const ModelJoint& joint = own_joint(model, name, function);
  if (joint.link < 0) return {};
  return v.subspan(size(model.v_sources()[size(joint.v)].source), size(facts(joint.kind).nv));
}

}  // namespace

JointValues::operator std::span<const double>() const {
  return {values.data(), size()};
}

JointValues joint_position(const Model& model, std::span<const double> q, std::string_view joint) {
  require_size("joint_position", "q", q.size(), size(model.nq()));
  const ModelJoint& found = model.joints()[size(model.joint(joint))];
  return values(model.q_sources(), found.q, facts(found.kind).nq, q);
}

JointValues joint_velocity(const Model& model, std::span<const double> v, std::string_view joint) {
  require_size("joint_velocity", "v", v.size(), size(model.nv()));
  const ModelJoint& found = model.joints()[size(model.joint(joint))];
  return values(model.v_sources(), found.v, facts(found.kind).nv, v);
}

JointValues joint_effort(const Model& model, std::span<const double> tau, std::string_view joint) {
  require_size("joint_effort", "tau", tau.size(), size(model.nv()));
  const ModelJoint& found = own_joint(model, joint, "joint_effort");
  return values(model.v_sources(), found.v, facts(found.kind).nv, tau);
}

std::span<double> position_in(const Model& model, std::span<double> q, std::string_view joint) {
  require_size("position_in", "q", q.size(), size(model.nq()));
  const ModelJoint& found = own_joint(model, joint, "position_in");
  if (found.link < 0) return {};
  return q.subspan(size(model.q_sources()[size(found.q)].source), size(facts(found.kind).nq));
}

std::span<double> velocity_in(const Model& model, std::span<double> v, std::string_view joint) {
  return own_dofs(model, v, joint, "velocity_in", "v");
}

std::span<double> effort_in(const Model& model, std::span<double> tau, std::string_view joint) {
  return own_dofs(model, tau, joint, "effort_in", "tau");
}

std::vector<JointNumbering> joint_numbering(const Model& model) {
  std::vector<JointNumbering> list;
  for (std::size_t i = 0; i < model.joints().size(); ++i) {
    const ModelJoint& joint = model.joints()[i];
    if (joint.link < 0) continue;
    JointNumbering entry{.joint = joint.name,
                         .kind = joint.kind,
                         .first_q = model.q_sources()[size(joint.q)].source,
                         .nq = facts(joint.kind).nq,
                         .first_v = model.v_sources()[size(joint.v)].source,
                         .nv = facts(joint.kind).nv,
                         .driver = {}};
    if (const ModelCoupling* const coupling = coupling_of(model, static_cast<int>(i)))
      entry.driver = model.joints()[size(coupling->driver)].name;
    list.push_back(entry);
  }
  return list;
}

}  // namespace pintle
