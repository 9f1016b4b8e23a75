#include <cmath>

#include "pintle/io/quantity.h"
#include "pintle/io/scene_reader.h"
#include "pintle/model/joint_parts.h"

namespace pintle {
namespace {

using Dimensions = std::vector<Dimension>;

/// The dimensions of the numbers of a joint: of its configuration, its velocity, ...
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

/// One kind of number of the freedoms of a joint.
template <class Numbers>
struct FreedomNumber {
  const char* key;
  Dimensions dimensions;
  double Numbers::*member;
};

template <class Numbers>
void read_numbers(TomlTable& table, const FreedomNumber<Numbers>& number, std::vector<Numbers>& freedoms) {
  const std::vector<double> given = table.quantities(number.key, number.dimensions, true);
  if (given.empty()) return;
  freedoms.resize(given.size());
  for (std::size_t i = 0; i < given.size(); ++i) freedoms[i].*number.member = given[i];
}

void read_freedoms(TomlTable& table, JointSpec& joint) {
  const int nv = facts(joint.kind).nv;
  const Dimensions effort = dimensions(joint.kind, nv, effort_part);
  const Dimensions speed = dimensions(joint.kind, nv, velocity_part);
  const Dimensions acceleration = dimensions(joint.kind, nv, acceleration_part);
  const Dimensions position = times(speed, kTime);
  const FreedomNumber<JointPassive> passive[] = {{"damping", over(effort, speed), &JointPassive::damping},
                                                 {"friction", effort, &JointPassive::friction},
                                                 {"stiffness", over(effort, position), &JointPassive::stiffness},
                                                 {"rest", position, &JointPassive::rest},
                                                 {"armature", over(effort, acceleration), &JointPassive::armature}};
  const FreedomNumber<JointLimits> limits[] = {{"lower", position, &JointLimits::lower},
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

void read_pitch(TomlTable& table, JointSpec& joint) {
  if (joint.kind != JointKind::screw) return;
  const bool pitch = table.has("pitch"), lead = table.has("lead");
  if (pitch == lead) {
    table.problem("type", pitch ? "scene-conflict" : "scene-missing",
                  pitch ? "both 'pitch' and 'lead' are given" : "a screw has no pitch",
                  pitch ? "which of them counts?" : "it cannot be guessed",
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

/// Whether the joint carries the first body of a chain: its parent's name has a number below 1.
bool begins_chain(TomlTable& table) {
  const TomlValue* const parent = table.value("parent");
  if (parent == nullptr || table.repetition() == 0) return false;
  const ExpandedText name = expand(parent->text, 1);
  return name.has_numbers && name.lowest < 1;
}

void read_parent(SceneReader& scene, TomlTable& table, JointSpec& joint) {
  joint.X_PJ = read_pose(table);
  if (!begins_chain(table)) {
    joint.parent = scene.names.use(table, NameKind::body_or_world, "parent", kWorld);
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

std::optional<JointKind> read_joint(SceneReader& scene, TomlTable& table, const std::string& body, bool floats) {
  JointSpec joint;
  joint.child = body;
  joint.origin = table.origin();
  if (floats) {
    joint.name = body;
    joint.parent = kWorld;
    joint.kind = JointKind::free;
    joint.origin = scene.spec.model.bodies.back().origin;
  } else {
    const int kind = table.word("type", -1);
    joint.name = table.text("name", body);
    read_parent(scene, table, joint);
    joint.X_CJ = read_pose(table, "child_");
    joint.axis = table.vector("axis", joint.axis);
    joint.second_axis = table.vector("second_axis", joint.second_axis);
    if (table.has("restitution")) {
      scene.spec.stops.emplace_back();
      scene.spec.stops.back().joint = joint.name;
      scene.spec.stops.back().restitution = table.quantity("restitution", 0.0);
      scene.spec.stops.back().origin = table.origin_of("restitution");
    }
    if (kind < 0) table.ignore_all();
    if (kind >= 0) {
      joint.kind = static_cast<JointKind>(kind);
      read_pitch(table, joint);
      read_freedoms(table, joint);
    }
    table.finish("joints of this type have none");
    if (kind < 0) {
      scene.names.give_quietly(table, NameKind::joint, joint.name);
      return std::nullopt;
    }
  }
  scene.names.give_quietly(table, NameKind::joint, joint.name);
  scene.joints.push_back({joint.name, joint.kind});
  scene.spec.model.joints.push_back(joint);
  return joint.kind;
}

void read_initial(SceneReader& scene, TomlTable& table, const std::string& joint, JointKind kind) {
  InitialSpec initial;
  initial.joint = joint;
  initial.origin = table.origin_of(table.has("q") ? "q" : "v");
  initial.q = table.quantities("q", dimensions(kind, facts(kind).nq, position_part));
  initial.v = table.quantities("v", dimensions(kind, facts(kind).nv, velocity_part));
  table.finish();
  scene.spec.initial.push_back(std::move(initial));
}

void read_frame(SceneReader& scene, TomlTable& table) {
  FrameSpec frame;
  frame.origin = table.origin_of("name");
  frame.name = scene.names.give(table, NameKind::frame);
  frame.body = scene.names.use(table, NameKind::body_or_world, "body");
  frame.X_BF = read_pose(table);
  table.finish();
  scene.spec.model.frames.push_back(std::move(frame));
}

void read_coupling(SceneReader& scene, TomlTable& table) {
  CouplingSpec coupling;
  coupling.origin = table.origin();
  coupling.joint = scene.names.use(table, NameKind::joint, "joint");
  if (!coupling.joint.empty()) table.set_who("coupling of '" + coupling.joint + "'");
  coupling.driver = scene.names.use(table, NameKind::joint, "driver");
  const JointKind* const follower = scene.kind_of(coupling.joint);
  const JointKind* const driver = scene.kind_of(coupling.driver);
  const auto one_freedom = [](const JointKind* kind) { return kind != nullptr && facts(*kind).nv == 1; };
  if (one_freedom(follower) && one_freedom(driver)) {
    const Dimension q = dimension_of(position_part(*follower, 0).unit);
    coupling.ratio = table.quantity("ratio", q / dimension_of(position_part(*driver, 0).unit), 1.0);
    coupling.offset = table.quantity("offset", q, 0.0);
  } else {
    table.ignore_all();
  }
  table.finish();
  scene.spec.model.couplings.push_back(std::move(coupling));
}

}  // namespace pintle
