#include "pintle/model/links/joint_parts.h"

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

enum class Motion : unsigned char { rotation, translation };

struct Dof {
  std::string_view name;
  Motion motion;
};

/// The coordinates of a kind of joint: their names, the dofs, and how many axes and pitches it has.
struct Parts {
  std::string_view positions[7];
  Dof dofs[kMaxDofs];
  int axes = 0, pitches = 0;
};

constexpr Motion kRotation = Motion::rotation, kTranslation = Motion::translation;

// In the order of JointKind.
constexpr Parts kParts[kJointKinds] = {
    {},
    {{"angle"}, {{"angle", kRotation}}, 1},
    {{"travel"}, {{"travel", kTranslation}}, 1},
    {{"angle"}, {{"angle", kRotation}}, 1, 1},
    {{"travel", "angle"}, {{"travel", kTranslation}, {"angle", kRotation}}, 1},
    {{"angle1", "angle2"}, {{"angle1", kRotation}, {"angle2", kRotation}}, 2},
    {{"x", "y", "angle"}, {{"x", kTranslation}, {"y", kTranslation}, {"angle", kRotation}}, 2},
    {{"qx", "qy", "qz", "qw"}, {{"wx", kRotation}, {"wy", kRotation}, {"wz", kRotation}}},
    {{"x", "y", "z"}, {{"x", kTranslation}, {"y", kTranslation}, {"z", kTranslation}}},
    {{"x", "y", "z", "qx", "qy", "qz", "qw"},
     {{"vx", kTranslation},
      {"vy", kTranslation},
      {"vz", kTranslation},
      {"wx", kRotation},
      {"wy", kRotation},
      {"wz", kRotation}}},
};

const Dof& dof(const char* function, JointKind kind, int i) {
  require(i >= 0 && i < facts(kind).nv, function, "i", "the joint has no such dof");
  return kParts[static_cast<int>(kind)].dofs[i];
}

}  // namespace

JointPart position_part(JointKind kind, int i) {
  require(i >= 0 && i < facts(kind).nq, "position_part", "i", "the joint has no such coordinate");
  const std::string_view name = kParts[static_cast<int>(kind)].positions[i];
  if (name.starts_with("q")) return {name, "1"};
  return {name, name.starts_with("angle") ? "rad" : "m"};
}

JointPart velocity_part(JointKind kind, int i) {
  const Dof& found = dof("velocity_part", kind, i);
  return {found.name, found.motion == kRotation ? "rad/s" : "m/s"};
}

JointPart acceleration_part(JointKind kind, int i) {
  const Dof& found = dof("acceleration_part", kind, i);
  return {found.name, found.motion == kRotation ? "rad/s^2" : "m/s^2"};
}

JointPart effort_part(JointKind kind, int i) {
  const Dof& found = dof("effort_part", kind, i);
  return {found.name, found.motion == kRotation ? "N m" : "N"};
}

int axis_count(JointKind kind) {
  return kParts[static_cast<int>(kind)].axes;
}

bool has_pitch(JointKind kind) {
  return kParts[static_cast<int>(kind)].pitches > 0;
}

}  // namespace pintle
