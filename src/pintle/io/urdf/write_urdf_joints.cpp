#include <algorithm>
#include <cmath>

#include "pintle/io/urdf/urdf_writer.h"
#include "pintle/model/links/joint_parts.h"
#include "pintle/text/exact_numbers.h"

namespace pintle {
namespace {

/// One of the joints that replace a joint of several dofs.
struct SingleDof {
  JointKind kind;
  Vec3<> axis;
};

/// In the order of the joint's dofs; empty for kinds that URDF has.
std::vector<SingleDof> singles_of(const JointSpec& joint) {
  const Vec3<> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  switch (joint.kind) {
    case JointKind::cylindrical:
      return {{JointKind::prismatic, joint.axis}, {JointKind::revolute, joint.axis}};
    case JointKind::universal:
      return {{JointKind::revolute, joint.axis}, {JointKind::revolute, joint.second_axis}};
    case JointKind::translational:
      return {{JointKind::prismatic, x}, {JointKind::prismatic, y}, {JointKind::prismatic, z}};
    case JointKind::spherical:
      return {{JointKind::revolute, x}, {JointKind::revolute, y}, {JointKind::revolute, z}};
    default:
      return {};
  }
}

/// The value that all dofs of a joint have; NaN if they differ.
template <class Numbers>
double common(const std::vector<Numbers>& dofs, double Numbers::*member) {
  for (const Numbers& one : dofs)
    if (one.*member != dofs[0].*member) return __builtin_nan("");
  return dofs.empty() ? Numbers{}.*member : dofs[0].*member;
}

class JointText {
 public:
  JointText(UrdfWriter& writer, const JointSpec& joint) : writer_(writer), joint_(joint) {}

  void add() {
    const std::string who = "joint '" + joint_.name + "'";
    XmlText element("joint");
    element.set("name", joint_.name).set("type", type());
    element.add(XmlText(XmlText("parent").set("link", joint_.parent)));
    element.add(XmlText(XmlText("child").set("link", joint_.child)));
    add_origin(element, writer_.on_link(joint_.parent, joint_.X_PJ));
    if (axis_count(joint_.kind) > 0) element.add(XmlText(XmlText("axis").set("xyz", joint_.axis)));
    if (joint_.kind == JointKind::planar) check_planar(who);
    add_limit(element, who);
    add_dynamics(element, who);
    add_mimic(element);
    if (joint_.kind == JointKind::screw) {
      XmlText screw("pintle:screw");
      element.add(std::move(screw.set("pitch", exact_text(joint_.pitch_m_per_rad) + " m/rad")));
    }
    writer_.robot.add(std::move(element));
  }

 private:
  bool has_range() const {
    return joint_.limits.size() == 1 && std::isfinite(joint_.limits[0].lower) && std::isfinite(joint_.limits[0].upper);
  }

  const char* type() const {
    switch (joint_.kind) {
      case JointKind::fixed:
        return "fixed";
      case JointKind::prismatic:
        return "prismatic";
      case JointKind::planar:
        return "planar";
      case JointKind::free:
        return "floating";
      default:
        return has_range() ? "revolute" : "continuous";
    }
  }

  void check_planar(const std::string& who) {
    const Vec3<>& n = joint_.axis;
    const bool along_x = abs(n.x) >= abs(n.y) && abs(n.x) >= abs(n.z);
    if (!same_numbers(joint_.second_axis, along_x ? Vec3<>{0, 1, 0} : Vec3<>{1, 0, 0}))
      writer_.lose(ElementStatus::approximated, "'second_axis' of " + who,
                   "URDF leaves the axes of a plane to its reader");
  }

  void add_limit(XmlText& element, const std::string& who) {
    if (joint_.limits.empty()) return;
    XmlText limit("limit");
    bool given = false;
    const double lower = common(joint_.limits, &JointLimits::lower), upper = common(joint_.limits, &JointLimits::upper);
    if (has_range()) {
      limit.set("lower", lower).set("upper", upper);
      given = true;
    } else if (!(std::isinf(lower) && std::isinf(upper))) {
      writer_.lose(ElementStatus::ignored, "the limits of " + who, "URDF has both of a single dof or none");
    }
    const double effort = common(joint_.limits, &JointLimits::effort),
                 speed = common(joint_.limits, &JointLimits::speed);
    for (const auto& [key, value] : {std::pair{"effort", effort}, std::pair{"velocity", speed}}) {
      if (std::isfinite(value)) limit.set(key, value);
      given = given || std::isfinite(value);
      if (std::isnan(value))
        writer_.lose(ElementStatus::ignored, std::string("'") + key + "' of " + who,
                     "URDF has one number for all dofs");
    }
    if (given) element.add(std::move(limit));
  }

  void add_dynamics(XmlText& element, const std::string& who) {
    if (joint_.passive.empty()) return;
    XmlText dynamics("dynamics");
    const double damping = common(joint_.passive, &JointPassive::damping);
    const double friction = common(joint_.passive, &JointPassive::friction);
    for (const auto& [key, value] : {std::pair{"damping", damping}, std::pair{"friction", friction}}) {
      if (std::isfinite(value) && value != 0.0) dynamics.set(key, value);
      if (std::isnan(value))
        writer_.lose(ElementStatus::ignored, std::string("'") + key + "' of " + who,
                     "URDF has one number for all dofs");
    }
    if (damping > 0.0 || friction > 0.0) element.add(std::move(dynamics));
    for (const auto& [key, member] :
         {std::pair{"stiffness", &JointPassive::stiffness}, std::pair{"armature", &JointPassive::armature}})
      if (common(joint_.passive, member) != 0.0)
        writer_.lose(ElementStatus::ignored, std::string("'") + key + "' of " + who, "URDF joints have none");
  }

  void add_mimic(XmlText& element) {
    for (const CouplingSpec& coupling : writer_.spec.model.couplings) {
      if (coupling.joint != joint_.name) continue;
      XmlText mimic("mimic");
      mimic.set("joint", coupling.driver).set("multiplier", coupling.ratio);
      if (coupling.offset != 0.0) mimic.set("offset", coupling.offset);
      element.add(std::move(mimic));
    }
  }

  UrdfWriter& writer_;
  const JointSpec& joint_;
};

/// Writes several joints, with massless links between them, in place of one.
void add_chain(UrdfWriter& writer, const JointSpec& joint, const std::vector<SingleDof>& singles) {
  std::string parent = joint.parent;
  for (std::size_t i = 0; i < singles.size(); ++i) {
    const bool is_last = i + 1 == singles.size();
    JointSpec one = joint;
    one.name = joint.name + "_" + std::string(velocity_part(joint.kind, static_cast<int>(i)).name);
    one.kind = singles[i].kind;
    one.axis = singles[i].axis;
    one.parent = parent;
    one.child = is_last ? joint.child : one.name + "_link";
    if (i > 0) one.X_PJ = identity_pose<double>();
    if (!joint.limits.empty()) one.limits = {joint.limits[std::min(i, joint.limits.size() - 1)]};
    if (!joint.passive.empty()) one.passive = {joint.passive[std::min(i, joint.passive.size() - 1)]};
    if (!is_last) add_link(writer, one.child, zero_inertia());
    JointText(writer, one).add();
    parent = one.child;
  }
  writer.lose(ElementStatus::approximated, std::string(facts(joint.kind).name) + " joint '" + joint.name + "'",
              joint.kind == JointKind::spherical
                  ? "three joints with massless links between them, which have singular configurations"
                  : std::to_string(singles.size()) + " joints with massless links between them");
}

/// Whether a reader of the file starts the joint there by default: as near to zero as its limits allow.
bool is_own_start(const InitialSpec& initial, const JointSpec& joint) {
  if (joint.limits.size() != 1 || initial.q.size() != 1) return false;
  const double at_rest[] = {0.0};
  const bool rests = initial.v.empty() || (initial.v.size() == 1 && initial.v[0] == at_rest[0]);
  const JointLimits& limits = joint.limits[0];
  const double nearest = limits.lower > 0.0 ? limits.lower : limits.upper < 0.0 ? limits.upper : 0.0;
  return rests && initial.q[0] == nearest;
}

void lose_starts(UrdfWriter& writer) {
  for (const InitialSpec& initial : writer.spec.initial) {
    const auto is_it = [&](const JointSpec& joint) { return joint.name == initial.joint; };
    const auto& joints = writer.spec.model.joints;
    const auto joint = std::find_if(joints.begin(), joints.end(), is_it);
    const auto zero = [](const std::vector<double>& x) {
      return std::all_of(x.begin(), x.end(), [](double n) { return n == 0; });
    };
    const bool at_zero = zero(initial.q) && zero(initial.v) && !initial.has_world_velocity();
    if (at_zero || (joint != joints.end() && is_own_start(initial, *joint))) continue;
    writer.lose(ElementStatus::ignored, "the start of joint '" + initial.joint + "'",
                "URDF does not say where joints start");
  }
}

}  // namespace

void add_joint(UrdfWriter& writer, const JointSpec& joint) {
  const std::vector<SingleDof> singles = singles_of(joint);
  if (singles.empty()) return JointText(writer, joint).add();
  add_chain(writer, joint, singles);
}

void lose_the_rest(UrdfWriter& writer) {
  const SceneSpec& spec = writer.spec;
  const auto lose_each = [&](const char* kind, const auto& list) {
    for (const auto& one : list)
      writer.lose(ElementStatus::ignored, std::string(kind) + " '" + one.name + "'",
                  "URDF describes only the mechanism");
  };
  lose_starts(writer);
  for (const JointLimitSpec& limit : spec.joint_limits)
    if (limit.restitution != 0.0)
      writer.lose(ElementStatus::ignored, "'restitution' of joint '" + limit.joint + "'", "URDF joints have none");
  if (!same_numbers(spec.model.gravity, ModelSpec().gravity))
    writer.lose(ElementStatus::ignored, "the gravity of the world", "URDF describes only the mechanism");
  lose_each("motor", spec.motors);
  lose_each("motor", spec.prescribed);
  lose_each("controller", spec.controllers);
  lose_each("control", spec.feedbacks);
  lose_each("spring", spec.joint_springs);
  lose_each("spring", spec.line_springs);
  lose_each("bushing", spec.bushings);
  lose_each("force", spec.body_forces);
  lose_each("drag", spec.drags);
  lose_each("event", spec.events);
  lose_each("sensor", spec.sensors);
  for (std::size_t i = 0; i < spec.planes.size(); ++i)
    writer.lose(ElementStatus::ignored, "a plane of the ground", "URDF has no ground");
  for (const SurfaceSpec& surface : spec.contact.surfaces)
    writer.lose(ElementStatus::ignored, "the surface of material '" + surface.material + "'",
                "URDF has no contact parameters");
  for (const ContactShapeSpec& shape : spec.contact.shapes)
    if (shape.surface_velocity.moves())
      writer.lose(ElementStatus::ignored, "the moving surface of a shape of '" + shape.body + "'", "URDF has none");
  for (const SurfacePairSpec& pair : spec.contact.pairs)
    writer.lose(ElementStatus::ignored, "the contact parameters of '" + pair.first + "' and '" + pair.second + "'",
                "URDF has none");
  for (const ContactRuleSpec& rule : spec.contact.rules)
    writer.lose(ElementStatus::ignored, "whether '" + rule.first + "' and '" + rule.second + "' collide",
                "URDF has no such rules");
}

}  // namespace pintle
