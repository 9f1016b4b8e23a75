// UrdfRobot: the content of a URDF file as plain data, with the place of everything. Nothing is computed or guessed
// here; urdf_scene.h makes a scene of it. docs/formats/urdf.md describes how Pintle uses each part.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "pintle/base/diagnostic.h"
#include "pintle/math/vec3.h"

namespace pintle {

/// A value and the place of its first byte. If the file does not give it, it has the format's default, and its place is
/// that of the element that would contain it.
template <class T>
struct Placed {
  T value{};
  Origin origin{};
  bool given = false;
};

/// `<origin xyz rpy>`: a frame in another. rpy are rotations about the fixed axes x, then y, then z.
struct UrdfPose {
  Placed<Vec3<>> xyz{};  ///< [m]
  Placed<Vec3<>> rpy{};  ///< [rad]
  /// x, y, z, w; given instead of rpy (URDF 1.2).
  Placed<std::array<double, 4>> quaternion{};
  Origin origin{};  ///< of the element
};

/// `<inertial>`: mass, and inertia about the origin of `pose`, which is the centre of mass, along its axes.
struct UrdfInertial {
  UrdfPose pose{};
  Placed<double> mass{};                                    ///< [kg]
  Placed<double> ixx{}, ixy{}, ixz{}, iyy{}, iyz{}, izz{};  ///< [kg m^2]
  Origin origin{};
  Origin inertia_origin{};  ///< of the element <inertia>
};

enum class UrdfShape : unsigned char { box, sphere, cylinder, capsule, mesh };

/// "box", "sphere", "cylinder", "capsule" or "mesh".
const char* name(UrdfShape shape);

/// `<geometry>`.
struct UrdfGeometry {
  UrdfShape shape = UrdfShape::box;
  Placed<Vec3<>> size{};       ///< [m] of a box: full edge lengths
  Placed<double> radius{};     ///< [m] of a sphere, cylinder or capsule
  Placed<double> length{};     ///< [m] of a cylinder along z; of a capsule without its hemispherical ends
  Placed<std::string> file{};  ///< of a mesh, as written: package://, file:// or a path
  Placed<Vec3<>> scale{};      ///< of a mesh
  Origin origin{};             ///< of the element of the shape
};

/// `<material>`, at the top level or in a visual, where a name alone refers to one at the top level.
struct UrdfMaterial {
  Placed<std::string> name{};
  Placed<std::array<double, 4>> rgba{};  ///< from 0 to 1
  Placed<std::string> texture{};
  Origin origin{};
};

/// `<visual>` or `<collision>`; a collision has no material.
struct UrdfBodyShape {
  Placed<std::string> name{};
  UrdfPose pose{};
  UrdfGeometry geometry{};
  std::optional<UrdfMaterial> material{};
  Origin origin{};
};

struct UrdfLink {
  Placed<std::string> name{};
  std::optional<UrdfInertial> inertial{};
  std::vector<UrdfBodyShape> visuals{};
  std::vector<UrdfBodyShape> collisions{};
  Origin origin{};
};

enum class UrdfJointType : unsigned char { fixed, revolute, continuous, prismatic, planar, floating, screw };

/// "fixed", "revolute", "continuous", "prismatic", "planar", "floating" or "screw".
const char* name(UrdfJointType type);

/// `<limit>`.
struct UrdfLimit {
  Placed<double> lower{}, upper{};      ///< [rad or m]
  Placed<double> effort{}, velocity{};  ///< [N m or N], [rad/s or m/s]
  Origin origin{};
};

/// `<dynamics>`.
struct UrdfDynamics {
  Placed<double> damping{};   ///< [N m s/rad or N s/m]
  Placed<double> friction{};  ///< [N m or N]
  Origin origin{};
};

/// `<mimic>`: q = multiplier * q of `joint` + offset.
struct UrdfMimic {
  Placed<std::string> joint{};
  Placed<double> multiplier{};
  Placed<double> offset{};
  Origin origin{};
};

/// `<safety_controller>`.
struct UrdfSafety {
  Placed<double> soft_lower_limit{}, soft_upper_limit{}, k_position{}, k_velocity{};
  Origin origin{};
};

/// `<calibration>`.
struct UrdfCalibration {
  Placed<double> rising{}, falling{};
  Origin origin{};
};

/// `<pintle:screw>`: the translation of a joint that rotates and translates.
struct UrdfScrew {
  Placed<double> pitch_m_per_rad{};
  Origin origin{};
};

struct UrdfJoint {
  Placed<std::string> name{};
  Placed<UrdfJointType> type{};
  Placed<std::string> parent{}, child{};
  UrdfPose pose{};
  Placed<Vec3<>> axis{};  ///< as written, not normalised; x if not given
  std::optional<UrdfLimit> limit{};
  std::optional<UrdfDynamics> dynamics{};
  std::optional<UrdfMimic> mimic{};
  std::optional<UrdfSafety> safety{};
  std::optional<UrdfCalibration> calibration{};
  std::optional<UrdfScrew> screw{};
  Origin origin{};
};

/// `<robot>`, everything in file order.
struct UrdfRobot {
  std::string file{};
  Placed<std::string> name{};
  std::vector<UrdfLink> links{};
  std::vector<UrdfJoint> joints{};
  std::vector<UrdfMaterial> materials{};
  Origin origin{};
};

}  // namespace pintle
