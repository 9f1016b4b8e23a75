#include "pintle/io/urdf/urdf_scene.h"

#include <algorithm>
#include <map>
#include <set>

#include "pintle/io/urdf/urdf_shapes.h"
#include "pintle/math/scalar.h"
#include "pintle/model/links/joint_parts.h"
#include "pintle/spatial/exp_log.h"

namespace pintle {
namespace {

JointKind kind_of(const UrdfJoint& joint) {
  switch (joint.type.value) {
    case UrdfJointType::fixed:
      return JointKind::fixed;
    case UrdfJointType::revolute:
    case UrdfJointType::continuous:
      return joint.screw ? JointKind::screw : JointKind::revolute;
    case UrdfJointType::prismatic:
      return JointKind::prismatic;
    case UrdfJointType::planar:
      return JointKind::planar;
    case UrdfJointType::floating:
      return JointKind::free;
    case UrdfJointType::screw:
      break;
  }
  return JointKind::screw;
}

/// A direction perpendicular to the normal of a planar joint: its frame's x axis, or y if the normal is mostly along x.
Vec3<> across(const Vec3<>& normal) {
  const bool along_x = abs(normal.x) >= abs(normal.y) && abs(normal.x) >= abs(normal.z);
  return along_x ? Vec3<>{0.0, 1.0, 0.0} : Vec3<>{1.0, 0.0, 0.0};
}

std::size_t dofs(const JointSpec& joint) {
  return static_cast<std::size_t>(facts(joint.kind).nv);
}

class SceneMaker {
 public:
  SceneMaker(const UrdfRobot& robot, const UrdfSceneSettings& settings, MeshFiles& files, LossReport& losses)
      : robot_(robot), settings_(settings), losses_(losses), shapes_(robot, settings, files, losses, scene_.spec) {}

  UrdfScene make() {
    scene_.spec.model.name = robot_.name.value;
    find_tree();
    if (roots_.size() == 1) set_base(robot_.links[roots_[0]]);
    for (const std::size_t root : roots_) add_branch(root);
    // Links in a cycle are reached from no root; `compile` reports them.
    for (std::size_t i = 0; i < robot_.links.size(); ++i)
      if (!added_.contains(i)) add_branch(i);
    for (std::size_t j = 0; j < robot_.joints.size(); ++j)
      if (!carried_.contains(j)) add_joint(robot_.joints[j]);
    if (!settings_.material.empty() && !scene_.spec.contact.shapes.empty())
      scene_.spec.contact.surfaces.push_back({settings_.material, {}, robot_.origin});
    set_start();
    if (scene_.root == kWorld && scene_.spec.model.bodies.empty()) tell_empty(robot_.links[roots_[0]]);
    for (Diagnostic& problem : shapes_.missing_files()) scene_.problems.push_back(std::move(problem));
    scene_.meshes = shapes_.mesh_rooms();
    return std::move(scene_);
  }

 private:
  // ---- the tree

  /// Finds the joints by child and parent link, and the links without a parent.
  void find_tree() {
    std::map<std::string, std::size_t> index;
    for (std::size_t i = 0; i < robot_.links.size(); ++i) index.emplace(robot_.links[i].name.value, i);
    children_.resize(robot_.links.size());
    std::vector<bool> is_child(robot_.links.size(), false);
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const auto parent = index.find(robot_.joints[j].parent.value), child = index.find(robot_.joints[j].child.value);
      if (child != index.end()) is_child[child->second] = true;
      if (parent != index.end() && child != index.end()) children_[parent->second].push_back({j, child->second});
    }
    for (std::size_t i = 0; i < robot_.links.size(); ++i)
      if (!is_child[i]) roots_.push_back(i);
  }

  /// Adds a link and all its descendants, depth-first, children in file order.
  void add_branch(std::size_t first) {
    struct Step {
      std::size_t link;
      const Child* by;
    };
    std::vector<Step> open{{first, nullptr}};
    while (!open.empty()) {
      const Step step = open.back();
      open.pop_back();
      if (step.by != nullptr && carried_.insert(step.by->joint).second) add_joint(robot_.joints[step.by->joint]);
      if (!added_.insert(step.link).second) continue;
      add_link(robot_.links[step.link]);
      const std::vector<Child>& children = children_[step.link];
      for (auto child = children.rbegin(); child != children.rend(); ++child) open.push_back({child->link, &*child});
    }
  }

  /// Sets how the root link is attached to the world.
  void set_base(const UrdfLink& root) {
    if (root.name.value.empty()) return;
    scene_.root = root.name.value;
    if (root.name.value == kWorld) {
      if (settings_.free_base) {
        scene_.problems.push_back(make_error("urdf-base", root.name.origin, "the root link is 'world' and cannot float",
                                             "a link of that name is the world itself",
                                             "leave the base fixed, or make the joint below it 'floating'"));
      }
      return;
    }
    JointSpec joint;
    joint.name = "root_joint";
    const auto is_taken = [&](const UrdfJoint& other) { return other.name.value == joint.name; };
    for (int i = 2; std::any_of(robot_.joints.begin(), robot_.joints.end(), is_taken); ++i)
      joint.name = "root_joint_" + std::to_string(i);
    joint.kind = settings_.free_base ? JointKind::free : JointKind::fixed;
    joint.parent = kWorld;
    joint.child = root.name.value;
    joint.X_PJ = settings_.X_WB;
    joint.origin = root.name.origin;
    scene_.joint = joint.name;
    scene_.spec.model.joints.push_back(std::move(joint));
  }

  void tell_empty(const UrdfLink& world) {
    scene_.problems.push_back(make_error("urdf-missing", world.name.origin, "the robot has no link but 'world'",
                                         "a link of that name is the world itself, which does not move",
                                         "add the other links, or rename this one"));
  }

  void add_link(const UrdfLink& link) {
    if (link.name.value.empty()) return;
    const bool is_world = link.name.value == kWorld && scene_.root == kWorld;
    shapes_.add(link, link.name.value, is_world ? settings_.X_WB : identity_pose<double>());
    if (is_world) {
      if (link.inertial) losses_.mark(link.inertial->origin, ElementStatus::idle, "");
      return;
    }
    BodySpec body;
    body.name = link.name.value;
    body.inertia = inertia_of(link);
    body.origin = link.inertial ? link.inertial->inertia_origin : link.name.origin;
    scene_.spec.model.bodies.push_back(std::move(body));
  }

  // ---- joints

  void idle(const Origin& origin) { losses_.mark(origin, ElementStatus::idle, ""); }

  void add_joint(const UrdfJoint& given) {
    // The reader has reported missing names.
    if (given.name.value.empty() || given.parent.value.empty() || given.child.value.empty()) return;
    JointSpec joint;
    joint.name = given.name.value;
    joint.kind = kind_of(given);
    joint.parent = given.parent.value;
    joint.child = given.child.value;
    joint.X_PJ = pose_of(given.pose);
    if (joint.parent == kWorld && scene_.root == kWorld) joint.X_PJ = settings_.X_WB * joint.X_PJ;
    if (axis_count(joint.kind) > 0) joint.axis = given.axis.value;
    if (joint.kind == JointKind::planar) joint.second_axis = across(joint.axis);
    joint.origin = given.name.origin;
    if (given.safety)
      losses_.mark(given.safety->origin, ElementStatus::ignored, "soft limits are for a controller to enforce");
    if (given.calibration)
      losses_.mark(given.calibration->origin, ElementStatus::ignored, "it is about the real robot's sensors");
    if (given.screw) read_screw(given, joint);
    if (joint.kind == JointKind::fixed) {
      if (given.axis.given) idle(given.axis.origin);
      if (given.limit) idle(given.limit->origin);
      if (given.dynamics) idle(given.dynamics->origin);
      if (given.mimic) idle(given.mimic->origin);
    } else {
      if (joint.kind == JointKind::free && given.axis.given) idle(given.axis.origin);
      if (given.limit) read_limit(given, joint);
      if (given.dynamics) read_dynamics(given, joint);
      if (given.mimic) read_mimic(given, joint);
    }
    scene_.spec.model.joints.push_back(std::move(joint));
  }

  void read_screw(const UrdfJoint& given, JointSpec& joint) {
    if (joint.kind == JointKind::screw) {
      joint.pitch_m_per_rad = given.screw->pitch_m_per_rad.value;
    } else {
      losses_.mark(given.screw->origin, ElementStatus::ignored, "only a rotational joint can be a screw");
    }
  }

  void read_limit(const UrdfJoint& given, JointSpec& joint) {
    const UrdfLimit& limit = *given.limit;
    const bool several = facts(joint.kind).nv > 1;
    const bool has_range = limit.lower.given || limit.upper.given;
    JointLimits limits;
    if (several || given.type.value == UrdfJointType::continuous) {
      for (const Placed<double>& end : {limit.lower, limit.upper}) {
        if (!end.given) continue;
        const bool zero = several ? end.value == 0.0 : true;
        losses_.mark(end.origin, zero ? ElementStatus::idle : ElementStatus::ignored,
                     zero ? "" : "it is not known which dof is meant");
      }
    } else if (has_range) {
      limits.lower = limit.lower.value;
      limits.upper = limit.upper.value;
    } else if (given.type.value != UrdfJointType::screw) {
      losses_.mark(limit.origin, ElementStatus::approximated,
                   "with neither lower nor upper there is no limit of position");
    }
    if (limit.effort.given) limits.effort = limit.effort.value;
    if (limit.velocity.given) limits.speed = limit.velocity.value;
    if (several) approximate(limit.effort, limit.velocity);
    if (!(limits == JointLimits{})) joint.limits.assign(dofs(joint), limits);
  }

  /// A single value of a joint with several dofs applies to each of them.
  void approximate(const Placed<double>& first, const Placed<double>& second) {
    for (const Placed<double>& one : {first, second})
      if (one.given) losses_.mark(one.origin, ElementStatus::approximated, "the same for every dof of the joint");
  }

  void read_dynamics(const UrdfJoint& given, JointSpec& joint) {
    JointPassive passive;
    passive.damping = given.dynamics->damping.value;
    passive.friction = given.dynamics->friction.value;
    if (passive == JointPassive{}) return;
    joint.passive.assign(dofs(joint), passive);
    if (facts(joint.kind).nv > 1) approximate(given.dynamics->damping, given.dynamics->friction);
  }

  void read_mimic(const UrdfJoint& given, JointSpec& joint) {
    const UrdfMimic& mimic = *given.mimic;
    const double offset = mimic.offset.value;
    const bool moves = joint.kind == JointKind::revolute || joint.kind == JointKind::prismatic;
    if (mimic.multiplier.value == 0.0 && moves) {  // it does not move
      const Vec3<> axis = norm(joint.axis) > 0.0 ? joint.axis / norm(joint.axis) : joint.axis;
      const Pose<> X_JC = joint.kind == JointKind::revolute ? Pose<>{exp_so3(offset * axis), {0.0, 0.0, 0.0}}
                                                            : Pose<>{identity3<double>(), offset * axis};
      joint.X_PJ = joint.X_PJ * X_JC;
      joint.kind = JointKind::fixed;
      joint.axis = JointSpec().axis;
      joint.limits.clear();
      joint.passive.clear();
      losses_.mark(mimic.origin, ElementStatus::approximated,
                   "with a multiplier of zero the joint is fixed at its offset");
      return;
    }
    CouplingSpec coupling;
    coupling.joint = joint.name;
    coupling.driver = mimic.joint.value;
    coupling.ratio = mimic.multiplier.value;
    coupling.offset = offset;
    coupling.origin = mimic.joint.origin;
    scene_.spec.model.couplings.push_back(std::move(coupling));
  }

  // ---- the initial state

  /// The range that the limits of a joint leave to the joint that drives it, or to itself.
  struct Range {
    double lower = -kInfinity<double>, upper = kInfinity<double>;
  };

  /// A joint that cannot be at zero starts as near to it as its limits, and those of its followers, allow.
  void set_start() {
    const ModelSpec& model = scene_.spec.model;
    std::map<std::string, const CouplingSpec*> coupled;
    for (const CouplingSpec& coupling : model.couplings) coupled.emplace(coupling.joint, &coupling);
    std::map<std::string, Range> ranges;
    for (const JointSpec& joint : model.joints) {
      if (facts(joint.kind).nv != 1 || joint.limits.empty()) continue;
      Range range{joint.limits[0].lower, joint.limits[0].upper};
      std::string driver = joint.name;
      for (std::size_t depth = 0; depth <= coupled.size(); ++depth) {
        const auto found = coupled.find(driver);
        if (found == coupled.end()) break;
        const CouplingSpec& by = *found->second;
        range = {(range.lower - by.offset) / by.ratio, (range.upper - by.offset) / by.ratio};
        if (range.lower > range.upper) std::swap(range.lower, range.upper);
        driver = by.driver;
      }
      Range& all = ranges[driver];
      all = {max(all.lower, range.lower), min(all.upper, range.upper)};
    }
    std::string moved;
    int count = 0;
    for (const JointSpec& joint : model.joints) {
      const auto found = ranges.find(joint.name);
      if (found == ranges.end() || coupled.contains(joint.name)) continue;
      const Range& range = found->second;
      if (!(range.lower <= range.upper) || (range.lower <= 0.0 && range.upper >= 0.0)) continue;
      InitialSpec initial;
      initial.joint = joint.name;
      initial.q = {range.lower > 0.0 ? range.lower : range.upper};
      initial.origin = joint.origin;
      scene_.spec.initial.push_back(std::move(initial));
      constexpr int kMaxNames = 6;
      if (++count <= kMaxNames) moved += (count > 1 ? ", '" : "'") + joint.name + "'";
    }
    if (count > 0) tell_start(count, moved);
  }

  void tell_start(int count, const std::string& names) {
    const std::string joints = count == 1 ? "a joint does" : std::to_string(count) + " joints do";
    scene_.problems.push_back(make_note("urdf-start", scene_.spec.initial[0].origin,
                                        joints + " not start at zero: " + names + (count > 6 ? ", ..." : ""),
                                        "zero is outside the limits, so the joint starts at the nearest limit"));
  }

  struct Child {
    std::size_t joint, link;
  };

  const UrdfRobot& robot_;
  const UrdfSceneSettings& settings_;
  LossReport& losses_;
  UrdfScene scene_;
  UrdfShapes shapes_;
  std::vector<std::vector<Child>> children_;  // of each link
  std::vector<std::size_t> roots_;
  std::set<std::size_t> added_, carried_;  // links and joints that are in the scene
};

}  // namespace

Pose<> pose_of(const UrdfPose& pose) {
  const Vec3<>& xyz = pose.xyz.value;
  if (pose.quaternion.given) {
    const auto& [x, y, z, w] = pose.quaternion.value;
    return {rotation_matrix(normalized(Quaternion<>{x, y, z, w})), xyz};
  }
  const Vec3<>& rpy = pose.rpy.value;
  const auto about = [](const Vec3<>& axis, double angle) { return exp_so3(angle * axis); };
  return {about({0, 0, 1}, rpy.z) * about({0, 1, 0}, rpy.y) * about({1, 0, 0}, rpy.x), xyz};
}

SpatialInertia<> inertia_of(const UrdfLink& link) {
  if (!link.inertial) return zero_inertia();
  const UrdfInertial& given = *link.inertial;
  const SymMat3<> I{given.ixx.value, given.ixy.value, given.ixz.value,
                    given.iyy.value, given.iyz.value, given.izz.value};
  const Pose<> X_LI = pose_of(given.pose);
  return spatial_inertia(given.mass.value, X_LI.translation, congruence(X_LI.rotation, I));
}

UrdfScene urdf_scene(const UrdfRobot& robot, const UrdfSceneSettings& settings, MeshFiles& files, LossReport& losses) {
  return SceneMaker(robot, settings, files, losses).make();
}

}  // namespace pintle
