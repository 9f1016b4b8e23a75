#include "pintle/model/edit/model_builder.h"

#include <utility>

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

[[noreturn]] void throw_out_of_order(std::string_view call, const std::string& what_and_fix) {
  throw UsageError("ModelBuilder::" + std::string(call) + ": " + what_and_fix);
}

/// The entry of one dof of a joint, after expanding one entry for all dofs to one for each.
template <class Entry>
Entry& entry_of(std::vector<Entry>& entries, const JointSpec& joint, int dof, const char* option) {
  const int nv = facts(joint.kind).nv;
  if (dof < 0 || dof >= nv) {
    throw_out_of_order(option, "joint '" + joint.name + "' (" + std::string(facts(joint.kind).name) + ") has " +
                                   std::to_string(nv) + " dofs, counted from 0; there is no dof " +
                                   std::to_string(dof));
  }
  entries.resize(static_cast<std::size_t>(nv), entries.empty() ? Entry{} : Entry(entries[0]));
  return entries[static_cast<std::size_t>(dof)];
}

}  // namespace

ModelBuilder::ModelBuilder(std::string name) {
  spec_.name = std::move(name);
}

ModelBuilder& ModelBuilder::gravity(const Vec3<>& g) {
  spec_.gravity = g;
  return *this;
}

ModelBuilder& ModelBuilder::body(std::string name, const SpatialInertia<>& inertia) {
  BodySpec& added = spec_.bodies.emplace_back();
  added.name = std::move(name);
  added.inertia = inertia;
  last_body_has_joint_ = false;
  return *this;
}

// ---- joints

JointSpec& ModelBuilder::add_joint(JointKind kind, std::string name) {
  const std::string_view call = facts(kind).name;
  if (spec_.bodies.empty()) throw_out_of_order(call, "there is no body yet; call body(name, inertia) first");
  const std::string& child = spec_.bodies.back().name;
  if (last_body_has_joint_) {
    throw_out_of_order(call, "body '" + child + "' is already the child of joint '" + spec_.joints.back().name +
                                 "'; call body(name, inertia) first to add the next body");
  }
  last_body_has_joint_ = true;
  const std::size_t bodies = spec_.bodies.size();
  JointSpec& joint = spec_.joints.emplace_back();
  joint.name = name.empty() ? child : std::move(name);
  joint.kind = kind;
  joint.parent = bodies == 1 ? kWorld : spec_.bodies[bodies - 2].name;
  joint.child = child;
  return joint;
}

ModelBuilder& ModelBuilder::fixed(std::string joint) {
  add_joint(JointKind::fixed, std::move(joint));
  return *this;
}
ModelBuilder& ModelBuilder::revolute(const Vec3<>& axis, std::string joint) {
  add_joint(JointKind::revolute, std::move(joint)).axis = axis;
  return *this;
}
ModelBuilder& ModelBuilder::prismatic(const Vec3<>& axis, std::string joint) {
  add_joint(JointKind::prismatic, std::move(joint)).axis = axis;
  return *this;
}
ModelBuilder& ModelBuilder::screw(const Vec3<>& axis, double pitch_m_per_rad, std::string joint) {
  JointSpec& added = add_joint(JointKind::screw, std::move(joint));
  added.axis = axis;
  added.pitch_m_per_rad = pitch_m_per_rad;
  return *this;
}
ModelBuilder& ModelBuilder::cylindrical(const Vec3<>& axis, std::string joint) {
  add_joint(JointKind::cylindrical, std::move(joint)).axis = axis;
  return *this;
}
ModelBuilder& ModelBuilder::universal(const Vec3<>& parent_axis, const Vec3<>& child_axis, std::string joint) {
  JointSpec& added = add_joint(JointKind::universal, std::move(joint));
  added.axis = parent_axis;
  added.second_axis = child_axis;
  return *this;
}
ModelBuilder& ModelBuilder::planar(const Vec3<>& normal, const Vec3<>& x, std::string joint) {
  JointSpec& added = add_joint(JointKind::planar, std::move(joint));
  added.axis = normal;
  added.second_axis = x;
  return *this;
}
ModelBuilder& ModelBuilder::spherical(std::string joint) {
  add_joint(JointKind::spherical, std::move(joint));
  return *this;
}
ModelBuilder& ModelBuilder::translational(std::string joint) {
  add_joint(JointKind::translational, std::move(joint));
  return *this;
}
ModelBuilder& ModelBuilder::free(std::string joint) {
  add_joint(JointKind::free, std::move(joint));
  return *this;
}

// ---- options

JointSpec& ModelBuilder::last_joint(const char* option) {
  if (last_body_has_joint_) return spec_.joints.back();
  if (spec_.bodies.empty()) {
    throw_out_of_order(
        option, "there is no joint yet; call body(name, inertia) and a kind of joint such as revolute(axis) first");
  }
  throw_out_of_order(option, "body '" + spec_.bodies.back().name +
                                 "' has no joint yet; call a kind of joint such as revolute(axis) first");
}

ModelBuilder& ModelBuilder::on(std::string parent) {
  last_joint("on").parent = std::move(parent);
  return *this;
}
ModelBuilder& ModelBuilder::place(const Pose<>& X_PJ) {
  last_joint("at").X_PJ = X_PJ;
  return *this;
}
ModelBuilder& ModelBuilder::place_on_child(const Pose<>& X_CJ) {
  last_joint("at_child").X_CJ = X_CJ;
  return *this;
}

ModelBuilder& ModelBuilder::set_passive(const char* option, double JointPassive::*property, double value) {
  std::vector<JointPassive>& entries = last_joint(option).passive;
  if (entries.empty()) entries.emplace_back();
  for (JointPassive& entry : entries) entry.*property = value;
  return *this;
}
ModelBuilder& ModelBuilder::armature(double inertia) {
  return set_passive("armature", &JointPassive::armature, inertia);
}
ModelBuilder& ModelBuilder::damping(double effort_per_speed) {
  return set_passive("damping", &JointPassive::damping, effort_per_speed);
}
ModelBuilder& ModelBuilder::friction(double effort) {
  return set_passive("friction", &JointPassive::friction, effort);
}
ModelBuilder& ModelBuilder::spring(double stiffness, double rest) {
  set_passive("spring", &JointPassive::stiffness, stiffness);
  return set_passive("spring", &JointPassive::rest, rest);
}
ModelBuilder& ModelBuilder::passive(const JointPassive& all_dofs) {
  last_joint("passive").passive = {all_dofs};
  return *this;
}
ModelBuilder& ModelBuilder::passive(int dof, const JointPassive& one) {
  JointSpec& joint = last_joint("passive");
  entry_of(joint.passive, joint, dof, "passive") = one;
  return *this;
}

ModelBuilder& ModelBuilder::limits(double lower, double upper) {
  std::vector<JointLimits>& entries = last_joint("limits").limits;
  if (entries.empty()) entries.emplace_back();
  for (JointLimits& entry : entries) {
    entry.lower = lower;
    entry.upper = upper;
  }
  return *this;
}
ModelBuilder& ModelBuilder::limits(const JointLimits& all_dofs) {
  last_joint("limits").limits = {all_dofs};
  return *this;
}
ModelBuilder& ModelBuilder::limits(int dof, const JointLimits& one) {
  JointSpec& joint = last_joint("limits");
  entry_of(joint.limits, joint, dof, "limits") = one;
  return *this;
}

ModelBuilder& ModelBuilder::coupled_to(std::string driver, double ratio, double offset) {
  const std::string& follower = last_joint("coupled_to").name;
  CouplingSpec& coupling = spec_.couplings.emplace_back();
  coupling.joint = follower;
  coupling.driver = std::move(driver);
  coupling.ratio = ratio;
  coupling.offset = offset;
  return *this;
}

ModelBuilder& ModelBuilder::prescribed() {
  last_joint("prescribed").prescribed = true;
  return *this;
}

ModelBuilder& ModelBuilder::add_frame(std::string name, const Pose<>& X_BF) {
  FrameSpec& added = spec_.frames.emplace_back();
  added.name = std::move(name);
  added.body = spec_.bodies.empty() ? kWorld : spec_.bodies.back().name;
  added.X_BF = X_BF;
  return *this;
}

Result<Model> ModelBuilder::compile() const {
  return pintle::compile(spec_);
}

}  // namespace pintle
