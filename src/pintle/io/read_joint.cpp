#include <cmath>

#include "pintle/io/scene_reader.h"
#include "pintle/model/joint_parts.h"

namespace pintle {
namespace {

/// The dimensions of one kind of number of all freedoms of a joint, times something.
template <class Part>
std::vector<Dimension> dimensions(JointKind kind, int count, Part part, const Dimension& per = kNumber) {
  std::vector<Dimension> result;
  for (int i = 0; i < count; ++i) result.push_back(dimension_of(part(kind, i).unit) / per);
  return result;
}

/// One number for all freedoms, or one for each.
std::vector<double> for_freedoms(TomlTable& table, const char* key, const std::vector<Dimension>& of) {
  if (!table.has(key)) return {};
  const toml::node* const node = table.node(key);
  if (node->is_array()) return table.quantities(key, of);
  std::vector<double> numbers;
  for (const Dimension& dimension : of) numbers.push_back(table.quantity(key, dimension, 0.0));
  return numbers;
}

int joint_word(TomlTable& table) {
  static constexpr auto kNames = [] {
    std::array<std::string_view, kJointKinds> names;
    for (int i = 0; i < kJointKinds; ++i) names[static_cast<std::size_t>(i)] = kJointFacts[i].name;
    return names;
  }();
  if (!table.has("type")) table.required_text("type");
  return table.word("type", kNames, static_cast<int>(JointKind::fixed));
}

void read_passive(TomlTable& table, JointSpec& joint) {
  const int nv = facts(joint.kind).nv;
  const std::vector<Dimension> effort = dimensions(joint.kind, nv, effort_part);
  const std::vector<Dimension> speed = dimensions(joint.kind, nv, velocity_part);
  const std::vector<Dimension> acceleration = dimensions(joint.kind, nv, acceleration_part);
  std::vector<Dimension> damping, stiffness, armature, rest;
  for (std::size_t i = 0; i < effort.size(); ++i) {
    rest.push_back(speed[i] * kTime);
    damping.push_back(effort[i] / speed[i]);
    stiffness.push_back(effort[i] / rest[i]);
    armature.push_back(effort[i] / acceleration[i]);
  }
  const struct {
    const char* key;
    const std::vector<Dimension>* of;
    double JointPassive::*member;
  } numbers[] = {{"damping", &damping, &JointPassive::damping},
                 {"friction", &effort, &JointPassive::friction},
                 {"stiffness", &stiffness, &JointPassive::stiffness},
                 {"rest", &rest, &JointPassive::rest},
                 {"armature", &armature, &JointPassive::armature}};
  const struct {
    const char* key;
    const std::vector<Dimension>* of;
    double JointLimits::*member;
  } limits[] = {{"lower", &rest, &JointLimits::lower},
                {"upper", &rest, &JointLimits::upper},
                {"speed_limit", &speed, &JointLimits::speed},
                {"effort_limit", &effort, &JointLimits::effort}};
  for (const auto& number : numbers) {
    const std::vector<double> given = for_freedoms(table, number.key, *number.of);
    if (given.empty()) continue;
    joint.passive.resize(static_cast<std::size_t>(nv));
    for (std::size_t i = 0; i < given.size(); ++i) joint.passive[i].*number.member = given[i];
  }
  for (const auto& limit : limits) {
    const std::vector<double> given = for_freedoms(table, limit.key, *limit.of);
    if (given.empty()) continue;
    joint.limits.resize(static_cast<std::size_t>(nv));
    for (std::size_t i = 0; i < given.size(); ++i) joint.limits[i].*limit.member = given[i];
  }
}

void read_pitch(TomlTable& table, JointSpec& joint) {
  const bool pitch = table.has("pitch"), lead = table.has("lead");
  if (joint.kind != JointKind::screw && (pitch || lead)) {
    table.problem(pitch ? "pitch" : "lead", "scene-conflict", "only screw joints have a pitch", "",
                  "write type = \"screw\", or leave it out");
  }
  if (joint.kind == JointKind::screw && pitch == lead) {
    table.problem("type", "scene-missing", "a screw joint needs its pitch or its lead, and not both", "",
                  "add lead = \"2 mm/rev\", or pitch = \"0.3 mm/rad\"");
  }
  if (pitch) joint.pitch_m_per_rad = table.quantity("pitch", kLength / kAngle, 0.0);
  if (!lead) return;
  const toml::node* const node = table.node("lead");
  const double given = table.quantity("lead", kLength / kAngle, 0.0);
  // "2 mm/rev" is in metres per radian already; a bare number, and a plain length, are per revolution.
  const bool per_angle = node->is_string() && node->as_string()->get().find('/') != std::string::npos;
  joint.pitch_m_per_rad = per_angle ? given : pitch_from_lead(given);
}

}  // namespace

JointKind read_joint(SceneReader& scene, TomlTable& table, const std::string& body, bool floats) {
  JointSpec joint;
  joint.kind = floats ? JointKind::free : static_cast<JointKind>(joint_word(table));
  joint.name = table.text("name", body);
  joint.parent = table.text("parent", kWorld);
  joint.child = body;
  joint.origin = table.origin();
  joint.X_PJ = read_pose(table);
  joint.X_CJ = read_pose(table, "child_");
  joint.axis = table.vector("axis", kNumber, joint.axis);
  joint.second_axis = table.vector("second_axis", kNumber, joint.second_axis);
  read_pitch(table, joint);
  read_passive(table, joint);
  if (table.has("restitution")) {
    StopSpec stop;
    stop.joint = joint.name;
    stop.restitution = table.quantity("restitution", kNumber, 0.0);
    stop.origin = table.origin_of("restitution");
    scene.spec.stops.push_back(std::move(stop));
  }
  table.finish();
  const JointKind kind = joint.kind;
  scene.spec.model.joints.push_back(std::move(joint));
  return kind;
}

void read_initial(SceneReader& scene, TomlTable& table, const std::string& joint, JointKind kind) {
  InitialSpec initial;
  initial.joint = joint;
  initial.q = table.quantities("q", dimensions(kind, facts(kind).nq, position_part));
  initial.v = table.quantities("v", dimensions(kind, facts(kind).nv, velocity_part));
  initial.origin = table.origin();
  table.finish();
  scene.spec.initial.push_back(std::move(initial));
}

void read_frame(SceneReader& scene, TomlTable& table) {
  FrameSpec frame;
  frame.name = table.required_text("name");
  if (!frame.name.empty()) table.set_who("frame '" + frame.name + "'");
  frame.body = table.required_text("body");
  frame.X_BF = read_pose(table);
  frame.origin = table.origin();
  table.finish();
  scene.spec.model.frames.push_back(std::move(frame));
}

void read_coupling(SceneReader& scene, TomlTable& table) {
  CouplingSpec coupling;
  coupling.joint = table.required_text("joint");
  coupling.driver = table.required_text("driver");
  const JointSpec* follower = nullptr;
  const JointSpec* driver = nullptr;
  for (const JointSpec& joint : scene.spec.model.joints) {
    if (joint.name == coupling.joint) follower = &joint;
    if (joint.name == coupling.driver) driver = &joint;
  }
  const auto unit = [](const JointSpec* joint) {
    return joint != nullptr && facts(joint->kind).nq > 0 ? dimension_of(position_part(joint->kind, 0).unit) : kNumber;
  };
  coupling.ratio = table.quantity("ratio", unit(follower) / unit(driver), 1.0);
  coupling.offset = table.quantity("offset", unit(follower), 0.0);
  coupling.origin = table.origin();
  table.finish();
  scene.spec.model.couplings.push_back(std::move(coupling));
}

}  // namespace pintle
