#include "pintle/model/spec/valid_spec.h"

#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "pintle/model/spec/check_spec.h"
#include "pintle/model/spec/cycles.h"
#include "pintle/model/spec/spec_place.h"
#include "pintle/spatial/check_inertia.h"

namespace pintle {
namespace {

bool is_valid(const ModelSpec& spec) {
  return !has_errors(check_spec(spec));
}

/// Adds a body that moves relative to the world by the given joint.
void add_body(ModelSpec& spec, const std::string& name, const JointSpec& joint) {
  BodySpec body;
  body.name = name;
  body.inertia = harmless_inertia();
  spec.bodies.push_back(std::move(body));
  spec.joints.push_back(joint);
  spec.joints.back().parent = kWorld;
  spec.joints.back().child = name;
}

/// Whether a joint is valid; an invalid one is replaced by a valid one of its kind.
bool repair_joint(JointSpec& joint) {
  ModelSpec alone;
  add_body(alone, "child", joint);
  alone.joints[0].name = "joint";
  if (is_valid(alone)) return true;
  joint = harmless_joint(joint);
  return false;
}

void repair_frame(FrameSpec& frame) {
  ModelSpec alone;
  alone.frames.push_back(frame);
  alone.frames[0].name = "frame";
  alone.frames[0].body = kWorld;
  if (!is_valid(alone)) frame.X_BF = identity_pose<double>();
}

/// Makes missing and duplicate names unique.
template <class Elements>
void repair_names(Elements& elements) {
  std::set<std::string> taken;
  for (auto& element : elements)
    while (element.name.empty() || !taken.insert(element.name).second) element.name += "'";
}

/// Whether a coupling is valid between the joints it names, regardless of others.
bool is_possible(const CouplingSpec& coupling, const std::vector<JointSpec>& joints) {
  const JointSpec* const follower = find_named(joints, coupling.joint);
  const JointSpec* const driver = find_named(joints, coupling.driver);
  if (follower == nullptr || driver == nullptr || follower == driver) return false;
  ModelSpec alone;
  add_body(alone, "follower", *follower);
  add_body(alone, "driver", *driver);
  alone.couplings.push_back(coupling);
  return is_valid(alone);
}

class SpecRepairer {
 public:
  explicit SpecRepairer(const ModelSpec& spec) : spec_(spec) {}

  ValidSpec run() && {
    ValidSpec valid;
    const Vec3<>& g = spec_.gravity;
    if (!std::isfinite(g.x) || !std::isfinite(g.y) || !std::isfinite(g.z)) spec_.gravity = ModelSpec().gravity;
    for (BodySpec& body : spec_.bodies)
      if (has_errors(check_inertia(body.inertia))) body.inertia = harmless_inertia();
    for (JointSpec& joint : spec_.joints)
      if (!repair_joint(joint)) make_ball(joint.child);
    for (FrameSpec& frame : spec_.frames) repair_frame(frame);
    repair_names(spec_.joints);
    repair_names(spec_.frames);
    valid.tree_changed = open_cycles();
    leave_out_couplings();
    valid.spec = std::move(spec_);
    return valid;
  }

 private:
  void make_ball(const std::string& name) {
    if (BodySpec* const body = find_named(spec_.bodies, name)) body->inertia = harmless_inertia();
  }

  /// Attaches the first body of every cycle to the world; returns whether there was any.
  bool open_cycles() {
    std::map<std::string, std::string> parent_of;
    for (const JointSpec& joint : spec_.joints) parent_of.emplace(joint.child, joint.parent);
    const std::vector<std::vector<std::string>> found = cycles(names_of(spec_.bodies), parent_of);
    for (const std::vector<std::string>& cycle : found) {
      for (JointSpec& joint : spec_.joints) {
        if (joint.child != cycle.front()) continue;
        make_ball(joint.parent);
        joint.parent = kWorld;
      }
    }
    return !found.empty();
  }

  /// Removes invalid couplings: those invalid by themselves, second ones of a joint, and one of each cycle.
  void leave_out_couplings() {
    std::vector<std::string> coupled;
    std::map<std::string, std::string> driver_of;
    leave_out([&](const CouplingSpec& coupling) {
      if (!is_possible(coupling, spec_.joints) || !driver_of.emplace(coupling.joint, coupling.driver).second)
        return true;
      coupled.push_back(coupling.joint);
      return false;
    });
    for (const std::vector<std::string>& cycle : cycles(coupled, driver_of))
      leave_out([&](const CouplingSpec& coupling) { return coupling.joint == cycle.front(); });
  }

  /// What the driver of a removed coupling would have moved is unknown; without a driver, everything is.
  template <class Wrong>
  void leave_out(Wrong wrong) {
    std::erase_if(spec_.couplings, [&](const CouplingSpec& coupling) {
      if (!wrong(coupling)) return false;
      const JointSpec* const driver = find_named(spec_.joints, coupling.driver);
      if (driver != nullptr) make_ball(driver->child);
      for (BodySpec& body : spec_.bodies)
        if (driver == nullptr) body.inertia = harmless_inertia();
      return true;
    });
  }

  ModelSpec spec_;
};

}  // namespace

SpatialInertia<> harmless_inertia() {
  return spatial_inertia(1.0, Vec3<>{0.0, 0.0, 0.0}, diagonal(Vec3<>{1.0, 1.0, 1.0}));
}

JointSpec harmless_joint(const JointSpec& joint) {
  JointSpec harmless;
  harmless.name = joint.name;
  harmless.kind = joint.kind;
  harmless.parent = joint.parent;
  harmless.child = joint.child;
  harmless.prescribed = joint.prescribed && facts(joint.kind).nv > 0;
  harmless.origin = joint.origin;
  return harmless;
}

ValidSpec valid_spec(const ModelSpec& spec) {
  return SpecRepairer(spec).run();
}

}  // namespace pintle
