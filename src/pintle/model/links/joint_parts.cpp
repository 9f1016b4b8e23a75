#include "pintle/model/links/joint_parts.h"

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

enum class Motion : unsigned char { turn, travel };

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

constexpr Motion kTurn = Motion::turn, kTravel = Motion::travel;

// In the order of JointKind.
constexpr Parts kParts[kJointKinds] = {
    {},
    {{"angle"}, {{"angle", kTurn}}, 1},
    {{"travel"}, {{"travel", kTravel}}, 1},
    {{"angle"}, {{"angle", kTurn}}, 1, 1},
    {{"travel", "angle"}, {{"travel", kTravel}, {"angle", kTurn}}, 1},
    {{"angle1", "angle2"}, {{"angle1", kTurn}, {"angle2", kTurn}}, 2},
    {{"x", "y", "angle"}, {{"x", kTravel}, {"y", kTravel}, {"angle", kTurn}}, 2},
    {{"qx", "qy", "qz", "qw"}, {{"wx", kTurn}, {"wy", kTurn}, {"wz", kTurn}}},
    {{"x", "y", "z"}, {{"x", kTravel}, {"y", kTravel}, {"z", kTravel}}},
    {{"x", "y", "z", "qx", "qy", "qz", "qw"},
     {{"vx", kTravel}, {"vy", kTravel}, {"vz", kTravel}, {"wx", kTurn}, {"wy", kTurn}, {"wz", kTurn}}},
};

const Dof& dof(const char* function, JointKind kind, int i) {
  require(i >= 0 && i < facts(kind).nv, function, "i", "the joint has no such number");
  return kParts[static_cast<int>(kind)].dofs[i];
}

}  // namespace

JointPart position_part(JointKind kind, int i) {
  require(i >= 0 && i < facts(kind).nq, "position_part", "i", "the joint has no such number");
  const std::string_view name = kParts[static_cast<int>(kind)].positions[i];
  if (name.starts_with("q")) return {name, "1"};
  return {name, name.starts_with("angle") ? "rad" : "m"};
}

JointPart velocity_part(JointKind kind, int i) {
  const Dof& found = dof("velocity_part", kind, i);
  return {found.name, found.motion == kTurn ? "rad/s" : "m/s"};
}

JointPart acceleration_part(JointKind kind, int i) {
  const Dof& found = dof("acceleration_part", kind, i);
  return {found.name, found.motion == kTurn ? "rad/s^2" : "m/s^2"};
}

JointPart effort_part(JointKind kind, int i) {
  const Dof& found = dof("effort_part", kind, i);
  return {found.name, found.motion == kTurn ? "N m" : "N"};
}

int axis_count(JointKind kind) {
  return kParts[static_cast<int>(kind)].axes;
}

bool has_pitch(JointKind kind) {
  return kParts[static_cast<int>(kind)].pitches > 0;
}

}  // namespace pintle
