#include "pintle/simulation/elements/joint_coordinate.h"

#include "pintle/base/usage_error.h"
#include "pintle/model/links/configuration_impl.h"

namespace pintle {

JointCoordinate joint_coordinate(const Model& model, int joint, int dof) {
  require(joint >= 0 && joint < static_cast<int>(model.joints().size()), "joint_coordinate", "joint",
          "there is no such joint");
  const ModelJoint& found = model.joints()[static_cast<std::size_t>(joint)];
  require(dof >= 0 && dof < facts(found.kind).nv, "joint_coordinate", "dof", "the joint has no such dof");
  JointCoordinate coordinate;
  coordinate.joint = joint;
  coordinate.dof = dof;
  coordinate.v = model.v_sources()[static_cast<std::size_t>(found.v + dof)];
  if (quaternion_place(found.kind) < 0) coordinate.q = model.q_sources()[static_cast<std::size_t>(found.q + dof)];
  return coordinate;
}

double position(const JointCoordinate& coordinate, std::span<const double> q) {
  if (!coordinate.has_position()) return __builtin_nan("");
  const CoordinateSource& from = coordinate.q;
  return from.ratio * q[static_cast<std::size_t>(from.source)] + from.offset;
}

double speed(const JointCoordinate& coordinate, std::span<const double> v) {
  return coordinate.v.ratio * v[static_cast<std::size_t>(coordinate.v.source)];
}

void add_effort(const JointCoordinate& coordinate, double effort, std::span<double> tau) {
  tau[static_cast<std::size_t>(coordinate.v.source)] += coordinate.v.ratio * effort;
}

int driver_of(const Model& model, int joint) {
  for (const ModelCoupling& coupling : model.couplings())
    if (coupling.joint == joint) return coupling.driver;
  return -1;
}

}  // namespace pintle
