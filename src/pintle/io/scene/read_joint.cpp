#include <cmath>

#include "pintle/io/scene/scene_reader.h"
#include "pintle/model/links/joint_parts.h"
#include "pintle/text/quantity.h"

namespace pintle {
namespace {

using Dimensions = std::vector<Dimension>;

/// The dimensions of the values of a joint: of its configuration, its velocity, ...
Dimensions dimensions(JointKind kind, int count, JointPart (*part)(JointKind, int)) {
  Dimensions result;
  for (int i = 0; i < count; ++i) result.push_back(dimension_of(part(kind, i).unit));
  return result;
}

Dimensions times(Dimensions a, const Dimension& b) {
  for (Dimension& dimension : a) dimension = dimension * b;
  return a;
}

Dimensions over(Dimensions a, const Dimensions& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] / b[i];
  return a;
}

/// One kind of parameter of the dofs of a joint.
template <class Numbers>
struct DofNumber {
  const char* key;
  Dimensions dimensions;
  double Numbers::*member;
};

template <class Numbers>
void read_numbers(TomlTable& table, const DofNumber<Numbers>& number, std::vector<Numbers>& dofs) {
  const std::vector<double> given = table.quantities(number.key, number.dimensions, true);
  if (given.empty()) return;
  dofs.resize(given.size());
  for (std::size_t i = 0; i < given.size(); ++i) dofs[i].*number.member = given[i];
}

void read_dofs(TomlTable& table, JointSpec& joint) {
  const int nv = facts(joint.kind).nv;
  const Dimensions effort = dimensions(joint.kind, nv, effort_part);
  const Dimensions speed = dimensions(joint.kind, nv, velocity_part);
  const Dimensions acceleration = dimensions(joint.kind, nv, acceleration_part);
  const Dimensions position = times(speed, kTime);
  const DofNumber<JointPassive> passive[] = {{"damping", over(effort, speed), &JointPassive::damping},
                                             {"friction", effort, &JointPassive::friction},
                                             {"stiffness", over(effort, position), &JointPassive::stiffness},
                                             {"rest", position, &JointPassive::rest},
                                             {"armature", over(effort, acceleration), &JointPassive::armature}};
  const DofNumber<JointLimits> limits[] = {{"lower", position, &JointLimits::lower},
                                           {"upper", position, &JointLimits::upper},
                                           {"speed_limit", speed, &JointLimits::speed},
                                           {"effort_limit", effort, &JointLimits::effort}};
  for (const auto& number : passive) read_numbers(table, number, joint.passive);
  for (const auto& number : limits) read_numbers(table, number, joint.limits);
  for (const JointLimits& limit : joint.limits) {
    if (!(limit.lower > limit.upper)) continue;
    table.problem("upper", "scene-limits", "its upper limit is below its lower one", "no position is left",
                  "swap the two");
    break;
  }
}

void check_axis(TomlTable& table, const char* key, const Vec3<>& axis) {
  if (!table.has(key) || axis.x != 0.0 || axis.y != 0.0 || axis.z != 0.0) return;
  table.problem(key, "axis-zero", std::string("its ") + (key[0] == 'a' ? "axis" : "second axis") + " is zero",
                "an axis needs a direction", "give a direction such as [0, 0, 1]");
}

void read_pitch(TomlTable& table, JointSpec& joint) {
  if (joint.kind != JointKind::screw) return;
  const bool pitch = table.has("pitch"), lead = table.has("lead");
  if (pitch == lead) {
    table.problem("type", pitch ? "scene-conflict" : "scene-missing",
                  pitch ? "both 'pitch' and 'lead' are given" : "a screw has no pitch",
                  pitch ? "it is not clear which one applies" : "it has no default",
                  pitch ? "leave one of them out" : "add lead = \"2 mm/rev\", or pitch = \"0.3 mm/rad\"");
  }
  joint.pitch_m_per_rad = table.quantity("pitch", 0.0);
  const TomlValue* const value = table.value("lead");
  if (value == nullptr) return;
  const double given = table.quantity("lead", 0.0);
  // "2 mm/rev" is in metres per radian already; a bare number, and a plain length, are per revolution.
  const Result<Quantity> quantity = read_quantity(value->text);
  const bool per_angle = value->is_text() && quantity && quantity->dimension.angle != 0;
  joint.pitch_m_per_rad = per_angle ? given : pitch_from_lead(given);
}

/// Whether the joint carries the first body of a chain: its parent's name has an index below 1.
bool begins_chain(TomlTable& table) {
  const TomlValue* const parent = table.value("parent");
  if (parent == nullptr || table.repetition() == 0) return false;
  const ExpandedText name = expand(parent->text, 1);
  return name.has_numbers && name.lowest < 1;
}

/// The name of a joint: its own, or that of its body.
void read_joint_name(SceneReader& scene, TomlTable& table, JointSpec& joint) {
  const int errors = table.file().errors();
  joint.name = table.text("name", joint.name);
  if (table.file().errors() > errors) scene.names.lose();
  const int errors_of_text = table.file().errors();
  scene.names.give_quietly(table, NameKind::joint, joint.name);
  if (table.file().errors() > errors_of_text) joint.name = joint.child + "'";  // the name belongs to another joint
}

void read_parent(SceneReader& scene, TomlTable& table, JointSpec& joint) {
  joint.X_PJ = read_pose(table);
  if (!begins_chain(table)) {
    const int errors = table.file().errors();
    joint.parent = scene.names.use(table, NameKind::body_or_world, "parent", kWorld);
    if (table.file().errors() > errors) scene.unknowns.tree = scene.unknowns.inertia = true;
    return;
  }
  const Pose<> first = read_pose(table, "first_");
  const std::string name = table.text("parent");
  const bool is_first = expand(table.value("parent")->text, table.repetition()).lowest < 1;
  const std::string first_parent = scene.names.use(table, NameKind::body_or_world, "first_parent", kWorld);
  joint.parent = is_first ? first_parent : name;
  if (is_first) joint.X_PJ = first;
  if (!is_first) scene.names.use(table, NameKind::body_or_world, "parent");
  if (is_first && !table.has("first_parent"))
    scene.chain_ends.push_back({name, table.origin_of("parent"), &table.file()});
}

}  // namespace

ReadJoint read_joint(SceneReader& scene, TomlTable& table, const BodySpec& body, bool floats) {
  ReadJoint read;
  JointSpec& joint = read.spec;
  joint.name = body.name;
  joint.child = body.name;
  joint.parent = kWorld;
  joint.kind = JointKind::free;
  if (floats) {
    joint.origin = body.origin;
    scene.names.give_quietly(table, NameKind::joint, joint.name);
    return read;
  }
  joint.origin = table.origin();
  const int kind = table.word("type", -1);
  read.is_known = kind >= 0;
  read_joint_name(scene, table, joint);
  read_parent(scene, table, joint);
  joint.X_CJ = read_pose(table, "child_");
  joint.axis = table.vector("axis", joint.axis);
  joint.second_axis = table.vector("second_axis", joint.second_axis);
  if (table.has("restitution")) {
    read.limit.emplace();
    read.limit->joint = joint.name;
    read.limit->restitution = table.quantity("restitution", 0.0);
    read.limit->origin = table.origin_of("restitution");
  }
  if (read.is_known) {
    joint.kind = static_cast<JointKind>(kind);
    read_pitch(table, joint);
    read_dofs(table, joint);
  } else {
    table.ignore_all();
    scene.unclear.push_back(joint.name);
    scene.unknowns.tree = true;  // it may be fixed
  }
  if (!table.is_valid()) {  // the joint is left out, so that `compile` does not see its axes
    check_axis(table, "axis", joint.axis);
    check_axis(table, "second_axis", joint.second_axis);
  }
  table.finish("joints of this type have none");
  return read;
}

InitialSpec read_initial(TomlTable& table, const JointSpec& joint) {
  InitialSpec initial;
  initial.joint = joint.name;
  for (const char* const key : {"angular_velocity", "velocity", "v", "q"})
    if (table.has(key)) initial.origin = table.origin_of(key);
  initial.q = table.quantities("q", dimensions(joint.kind, facts(joint.kind).nq, position_part));
  initial.v = table.quantities("v", dimensions(joint.kind, facts(joint.kind).nv, velocity_part));
  if (table.has("velocity")) initial.velocity = table.vector("velocity", {0, 0, 0});
  if (table.has("angular_velocity")) initial.angular_velocity = table.vector("angular_velocity", {0, 0, 0});
  table.finish();
  return initial;
}

void read_frame(SceneReader& scene, TomlTable& table) {
  FrameSpec frame;
  frame.origin = table.origin_of("name");
  frame.name = scene.names.give(table, NameKind::frame);
  const bool is_named = table.is_valid();
  frame.body = scene.names.use(table, NameKind::body_or_world, "body");
  frame.X_BF = read_pose(table);
  table.finish();
  if (is_named) scene.spec.model.frames.push_back(std::move(frame));
}

void read_coupling(SceneReader& scene, TomlTable& table) {
  CouplingSpec coupling;
  coupling.origin = table.origin();
  coupling.joint = scene.names.use(table, NameKind::joint, "joint");
  if (!coupling.joint.empty()) table.set_who("coupling of '" + coupling.joint + "'");
  coupling.driver = scene.names.use(table, NameKind::joint, "driver");
  const JointKind* const follower = scene.kind_of(coupling.joint);
  const JointKind* const driver = scene.kind_of(coupling.driver);
  const auto one_dof = [](const JointKind* kind) { return kind != nullptr && facts(*kind).nv == 1; };
  if (one_dof(follower) && one_dof(driver)) {
    const Dimension q = dimension_of(position_part(*follower, 0).unit);
    coupling.ratio = table.quantity("ratio", q / dimension_of(position_part(*driver, 0).unit), 1.0);
    coupling.offset = table.quantity("offset", q, 0.0);
  } else {
    table.ignore_all();
  }
  table.finish();
  if (!table.is_valid()) scene.unknowns.inertia = true;  // the driver may move what nothing else moves
  keep(scene.spec.model.couplings, std::move(coupling), table);
}

}  // namespace pintle
