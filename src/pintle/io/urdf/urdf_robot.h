// UrdfRobot: what a URDF file says, as plain data with the place of everything. Nothing is computed or guessed here;
// urdf_scene.h makes a scene of it. docs/formats/urdf.md tells what Pintle does with each part.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "pintle/base/diagnostic.h"
#include "pintle/math/vec3.h"

namespace pintle {

/// A value and the place of its first byte. Where the file does not give it, it is the one of the format, and its place
/// that of the element it would stand in.
template <class T>
struct Placed {
  T value{};
  Origin origin{};
  bool given = false;
};

/// `<origin xyz rpy>`: a frame in another. rpy are turns about the fixed axes x, then y, then z.
struct UrdfPose {
  Placed<Vec3<>> xyz{};  ///< [m]
  Placed<Vec3<>> rpy{};  ///< [rad]
  /// x, y, z, w; given in place of rpy (URDF 1.2).
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
  Placed<Vec3<>> size{};       ///< [m] of a box: its whole lengths
  Placed<double> radius{};     ///< [m] of a sphere, cylinder or capsule
  Placed<double> length{};     ///< [m] of a cylinder along z; of a capsule without its round ends
  Placed<std::string> file{};  ///< of a mesh, as it is written: package://, file:// or a path
  Placed<Vec3<>> scale{};      ///< of a mesh
  Origin origin{};             ///< of the element of the shape
};

/// `<material>`, at the top or in a visual, where the name alone refers to one at the top.
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

/// `<pintle:screw>`: the travel of a joint that turns and advances.
struct UrdfScrew {
  Placed<double> pitch_m_per_rad{};
  Origin origin{};
};

struct UrdfJoint {
  Placed<std::string> name{};
  Placed<UrdfJointType> type{};
  Placed<std::string> parent{}, child{};
  UrdfPose pose{};
  Placed<Vec3<>> axis{};  ///< as it is written, of any length; x where it is not given
  std::optional<UrdfLimit> limit{};
  std::optional<UrdfDynamics> dynamics{};
  std::optional<UrdfMimic> mimic{};
  std::optional<UrdfSafety> safety{};
  std::optional<UrdfCalibration> calibration{};
  std::optional<UrdfScrew> screw{};
  Origin origin{};
};

/// `<robot>`, everything in the order of the file.
struct UrdfRobot {
  std::string file{};
  Placed<std::string> name{};
  std::vector<UrdfLink> links{};
  std::vector<UrdfJoint> joints{};
  std::vector<UrdfMaterial> materials{};
  Origin origin{};
};

}  // namespace pintle
