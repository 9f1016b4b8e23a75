// A mechanism written as URDF, for tests that read it back.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

#include "pintle/math/elementary.h"
#include "pintle/model/spec/model_spec.h"

namespace test {

using namespace pintle;

inline std::string exactly(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

inline std::string exactly(const Vec3<>& v) {
  return exactly(v.x) + " " + exactly(v.y) + " " + exactly(v.z);
}

/// `<origin>` of a pose: roll, pitch and yaw of its rotation, which must not point straight up or down.
inline std::string origin_text(const Pose<>& X) {
  const Mat3<>& R = X.rotation;
  const Vec3<> x = column(R, 0), y = column(R, 1), z = column(R, 2);
  const double pitch = pintle::atan2(-x.z, std::sqrt(x.x * x.x + x.y * x.y));
  const Vec3<> rpy{pintle::atan2(y.z, z.z), pitch, pintle::atan2(x.y, x.x)};
  return "<origin xyz=\"" + exactly(X.translation) + "\" rpy=\"" + exactly(rpy) + "\"/>";
}

inline std::string link_text(const std::string& name, const SpatialInertia<>& I, const Pose<>& X_BI) {
  const SymMat3<> I_c = congruence(transpose(X_BI.rotation), inertia_about_center_of_mass(I));
  const Pose<> X{X_BI.rotation, center_of_mass(I)};
  const auto part = [&](const char* key, double value) {
    return std::string(" ") + key + "=\"" + exactly(value) + "\"";
  };
  return "<link name=\"" + name + "\"><inertial>" + origin_text(X) + "<mass value=\"" + exactly(I.mass) +
         "\"/><inertia" + part("ixx", I_c.xx) + part("ixy", I_c.xy) + part("ixz", I_c.xz) + part("iyy", I_c.yy) +
         part("iyz", I_c.yz) + part("izz", I_c.zz) + "/></inertial></link>\n";
}

inline std::string joint_type(const JointSpec& joint) {
  switch (joint.kind) {
    case JointKind::fixed:
      return "fixed";
    case JointKind::revolute:
      return joint.limits.empty() ? "continuous" : "revolute";
    case JointKind::prismatic:
      return "prismatic";
    case JointKind::planar:
      return "planar";
    case JointKind::free:
      return "floating";
    default:
      return "screw";
  }
}

inline std::string joint_text(const JointSpec& joint, const CouplingSpec* mimic) {
  std::string text = "<joint name=\"" + joint.name + "\" type=\"" + joint_type(joint) + "\"><parent link=\"" +
                     joint.parent + "\"/><child link=\"" + joint.child + "\"/>" + origin_text(joint.X_PJ) +
                     "<axis xyz=\"" + exactly(joint.axis) + "\"/>";
  for (const JointLimits& limits : joint.limits) {
    text += "<limit lower=\"" + exactly(limits.lower) + "\" upper=\"" + exactly(limits.upper) + "\" effort=\"" +
            exactly(limits.effort) + "\" velocity=\"" + exactly(limits.speed) + "\"/>";
  }
  for (const JointPassive& passive : joint.passive)
    text += "<dynamics damping=\"" + exactly(passive.damping) + "\" friction=\"" + exactly(passive.friction) + "\"/>";
  if (mimic != nullptr) {
    text += "<mimic joint=\"" + mimic->driver + "\" multiplier=\"" + exactly(mimic->ratio) + "\" offset=\"" +
            exactly(mimic->offset) + "\"/>";
  }
  if (joint.kind == JointKind::screw) text += "<pintle:screw pitch=\"" + exactly(joint.pitch_m_per_rad) + " m/rad\"/>";
  return text + "</joint>\n";
}

}  // namespace test
