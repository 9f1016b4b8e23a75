#include "pintle/io/urdf/urdf_elements.h"

namespace pintle {
namespace {

using Names = std::string_view[];

constexpr Names kInRobot = {"link", "joint", "material", "transmission", "gazebo", "ros2_control", "sensor"};
constexpr Names kOfRobot = {"name", "version"};
constexpr Names kInLink = {"inertial", "visual", "collision"};
constexpr Names kOfNamed = {"name"};
constexpr Names kInInertial = {"origin", "mass", "inertia"};
constexpr Names kOfOrigin = {"xyz", "rpy", "quat_xyzw"};
constexpr Names kOfMass = {"value"};
constexpr Names kOfInertia = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
constexpr Names kInVisual = {"origin", "geometry", "material"};
constexpr Names kInCollision = {"origin", "geometry"};
constexpr Names kInGeometry = {"box", "sphere", "cylinder", "capsule", "mesh"};
constexpr Names kOfBox = {"size"};
constexpr Names kOfSphere = {"radius"};
constexpr Names kOfCylinder = {"radius", "length"};
constexpr Names kOfMesh = {"filename", "scale"};
constexpr Names kInMaterial = {"color", "texture"};
constexpr Names kOfColor = {"rgba"};
constexpr Names kOfTexture = {"filename"};
constexpr Names kInJoint = {"origin",      "parent",      "child", "axis",
                            "limit",       "dynamics",    "mimic", "safety_controller",
                            "calibration", "pintle:screw"};
constexpr Names kOfJoint = {"name", "type"};
constexpr Names kOfEnd = {"link"};
constexpr Names kOfAxis = {"xyz"};
constexpr Names kOfLimit = {"lower", "upper", "effort", "velocity"};
constexpr Names kOfDynamics = {"damping", "friction"};
constexpr Names kOfMimic = {"joint", "multiplier", "offset"};
constexpr Names kOfSafety = {"soft_lower_limit", "soft_upper_limit", "k_position", "k_velocity"};
constexpr Names kOfCalibration = {"rising", "falling"};
constexpr Names kOfScrew = {"pitch"};

constexpr UrdfElement kElements[] = {
    {"robot", kInRobot, kOfRobot},
    {"link", kInLink, kOfNamed},
    {"inertial", kInInertial, {}},
    {"origin", {}, kOfOrigin},
    {"mass", {}, kOfMass},
    {"inertia", {}, kOfInertia},
    {"visual", kInVisual, kOfNamed},
    {"collision", kInCollision, kOfNamed},
    {"geometry", kInGeometry, {}},
    {"box", {}, kOfBox},
    {"sphere", {}, kOfSphere},
    {"cylinder", {}, kOfCylinder},
    {"capsule", {}, kOfCylinder},
    {"mesh", {}, kOfMesh},
    {"material", kInMaterial, kOfNamed},
    {"color", {}, kOfColor},
    {"texture", {}, kOfTexture},
    {"joint", kInJoint, kOfJoint},
    {"parent", {}, kOfEnd},
    {"child", {}, kOfEnd},
    {"axis", {}, kOfAxis},
    {"limit", {}, kOfLimit},
    {"dynamics", {}, kOfDynamics},
    {"mimic", {}, kOfMimic},
    {"safety_controller", {}, kOfSafety},
    {"calibration", {}, kOfCalibration},
    {"pintle:screw", {}, kOfScrew},
};

}  // namespace

const UrdfElement* find_urdf_element(std::string_view name) {
  for (const UrdfElement& element : kElements)
    if (element.name == name) return &element;
  return nullptr;
}

std::string_view why_ignored(std::string_view name) {
  if (name == "transmission") return "gear ratios belong in a scene file";
  if (name == "gazebo") return "settings of another simulator";
  if (name == "ros2_control") return "settings of ROS";
  if (name == "sensor") return "sensors belong in a scene file";
  return "";
}

std::string urdf_owner(const XmlElement& element) {
  for (const char* const kind : {"link", "joint", "material", "transmission"}) {
    const XmlAttribute* const name = element.name == kind ? element.find("name") : nullptr;
    if (name != nullptr) return std::string(kind) + " '" + name->value + "'";
  }
  return {};
}

}  // namespace pintle
