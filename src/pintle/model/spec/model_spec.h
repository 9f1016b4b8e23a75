// ModelSpec: a mechanism as a person describes it, by names. `compile` validates it and makes an immutable Model of it.
#pragma once

#include <string>
#include <vector>

#include "pintle/base/diagnostic.h"
#include "pintle/model/links/joint_kind.h"
#include "pintle/spatial/spatial_inertia.h"

namespace pintle {

/// The name of the body that does not move. Joints may have it as parent; no body or frame may have this name.
inline constexpr const char* kWorld = "world";

/// A rigid body. `inertia` is in the body's own frame, about its origin (spatial_inertia(m, c, I_c) makes one).
struct BodySpec {
  std::string name;
  SpatialInertia<> inertia{};
  Origin origin{};
};

/// The passive properties of one dof of a joint.
struct JointPassive {
  double armature = 0.0;   ///< inertia of a geared rotor seen at the joint [kg m^2, or kg along an axis]
  double damping = 0.0;    ///< effort per speed [N m s/rad, or N s/m]
  double friction = 0.0;   ///< Coulomb friction [N m, or N]
  double stiffness = 0.0;  ///< spring stiffness [N m/rad, or N/m]
  double rest = 0.0;  ///< rest position of the spring [rad, or m]: for a rotation a component of its rotation vector,
                      ///< for a free joint's position one of its coordinates in the parent's axes

  bool operator==(const JointPassive&) const = default;
};

/// The range of one dof of a joint; infinite where there is no limit. The dofs of spherical and free joints are not
/// positions: they have only speed and effort limits.
struct JointLimits {
  double lower = -__builtin_inf();  ///< [rad or m]
  double upper = __builtin_inf();   ///< [rad or m]
  double speed = __builtin_inf();   ///< [rad/s or m/s]
  double effort = __builtin_inf();  ///< [N m or N]

  bool operator==(const JointLimits&) const = default;
};

/// A joint: how `child` moves relative to `parent`.
///
/// X_PJ places the joint's frame in the parent body, X_CJ in the child body; the two coincide when the joint is at
/// zero. `axis` is in the joint's frame: the axis of a revolute, prismatic, screw or cylindrical joint, the parent-side
/// axis of a universal one, the normal of a planar one. `second_axis` is the child-side axis of a universal joint, the
/// x axis of a planar one (by default x). Neither need be of unit length. A fixed joint has no passive properties,
/// limits or prescribed motion.
struct JointSpec {
  std::string name;
  JointKind kind = JointKind::fixed;
  std::string parent;
  std::string child;
  Pose<> X_PJ = identity_pose<double>();
  Pose<> X_CJ = identity_pose<double>();
  Vec3<> axis{0.0, 0.0, 1.0};
  Vec3<> second_axis{1.0, 0.0, 0.0};
  double pitch_m_per_rad = 0.0;
  std::vector<JointPassive> passive{};  ///< none, one for all dofs, or one for each
  std::vector<JointLimits> limits{};    ///< none, one for all dofs, or one for each
  bool prescribed = false;              ///< its motion is prescribed: it may carry a vanishing inertia
  Origin origin{};
};

/// A screw's pitch [m/rad] from its lead [m/rev].
constexpr double pitch_from_lead(double lead_m_per_rev) {
  return lead_m_per_rev / (2.0 * kPi<double>);
}

/// A named frame on a body.
struct FrameSpec {
  std::string name;
  std::string body;
  Pose<> X_BF = identity_pose<double>();
  Origin origin{};
};

/// q of `joint` = ratio * q of `driver` + offset: a gear, a rack, a mimic joint. Both joints have one dof.
struct CouplingSpec {
  std::string joint;
  std::string driver;
  double ratio = 1.0;
  double offset = 0.0;
  Origin origin{};
};

/// A whole mechanism: a tree of bodies and joints rooted at the world.
struct ModelSpec {
  std::string name;
  Vec3<> gravity{0.0, 0.0, -9.81};  ///< [m/s^2] in world axes
  std::vector<BodySpec> bodies{};
  std::vector<JointSpec> joints{};
  std::vector<FrameSpec> frames{};
  std::vector<CouplingSpec> couplings{};
};

}  // namespace pintle
