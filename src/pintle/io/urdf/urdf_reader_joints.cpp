#include <algorithm>

#include "pintle/base/nearest_name.h"
#include "pintle/io/urdf/urdf_elements.h"
#include "pintle/io/urdf/urdf_reader.h"
#include "pintle/text/quantity.h"

namespace pintle {
namespace {

constexpr const char* kTypeNames[] = {"fixed", "revolute", "continuous", "prismatic", "planar", "floating", "screw"};

/// What other formats call a joint type.
struct OtherWord {
  const char *word, *fix;
};
constexpr OtherWord kOtherWords[] = {
    {"hinge", "write 'revolute', or 'continuous' without limits"},
    {"rotational", "write 'revolute', or 'continuous' without limits"},
    {"slide", "write 'prismatic'"},
    {"slider", "write 'prismatic'"},
    {"linear", "write 'prismatic'"},
    {"free", "write 'floating'"},
    {"weld", "write 'fixed'"},
    {"rigid", "write 'fixed'"},
    {"ball", "URDF has no ball joints: use a scene file with type = \"spherical\", or three continuous joints"},
    {"spherical", "URDF has no ball joints: use a scene file with type = \"spherical\", or three continuous joints"},
    {"universal", "URDF has none: use two continuous joints with a massless link between them"},
    {"cylindrical", "URDF has none: use a prismatic and a continuous joint with a massless link between them"},
};

}  // namespace

const char* name(UrdfJointType type) {
  return kTypeNames[static_cast<std::size_t>(type)];
}

const char* name(UrdfShape shape) {
  constexpr const char* kNames[] = {"box", "sphere", "cylinder", "capsule", "mesh"};
  return kNames[static_cast<std::size_t>(shape)];
}

Placed<UrdfJointType> UrdfReader::read_type(XmlElement& element) {
  const Placed<std::string> word = text(element, "type", true);
  const auto known = std::find(std::begin(kTypeNames), std::end(kTypeNames), word.value);
  if (known != std::end(kTypeNames))
    return {static_cast<UrdfJointType>(known - std::begin(kTypeNames)), word.origin, true};
  if (!word.given || word.value.empty()) return {UrdfJointType::fixed, word.origin, false};
  std::string lower = word.value;
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  const std::vector<std::string> names(std::begin(kTypeNames), std::end(kTypeNames));
  const std::string nearest = nearest_name(word.value, names);
  std::string fix = nearest.empty() ? "write one of them" : "did you mean '" + nearest + "'?";
  for (const OtherWord& other : kOtherWords)
    if (lower == other.word) fix = other.fix;
  add("urdf-word", word.origin, "there is no joint type '" + word.value + "'",
      "the types are fixed, revolute, continuous, prismatic, planar, floating and screw", fix);
  return {UrdfJointType::fixed, word.origin, false};
}

UrdfJoint UrdfReader::read_joint(XmlElement& element) {
  element.status = ElementStatus::read;
  UrdfJoint joint;
  joint.origin = at(element);
  joint.name = text(element, "name", true);
  joint.type = read_type(element);
  joint.parent.origin = joint.child.origin = joint.axis.origin = joint.origin;
  if (XmlElement* const parent = required(element, "parent", "<parent link=\"...\"/>"))
    joint.parent = text(*parent, "link", true);
  if (XmlElement* const child = required(element, "child", "<child link=\"...\"/>"))
    joint.child = text(*child, "link", true);
  joint.pose = read_pose(element);
  joint.axis.value = {1.0, 0.0, 0.0};
  if (XmlElement* const axis = only(element, "axis")) joint.axis = vector(*axis, "xyz", {1.0, 0.0, 0.0}, true);
  read_joint_parts(element, joint);
  if (joint.type.given && joint.type.value == UrdfJointType::screw && !joint.screw)
    add("urdf-missing", joint.type.origin, "a screw joint has no <pintle:screw>",
        "its translation per revolution is not known", "add <pintle:screw pitch=\"5 mm/rev\"/>, with its unit");
  return joint;
}

void UrdfReader::read_joint_parts(XmlElement& element, UrdfJoint& joint) {
  if (XmlElement* const limit = only(element, "limit")) {
    joint.limit = UrdfLimit{number(*limit, "lower", 0.0), number(*limit, "upper", 0.0), number(*limit, "effort", 0.0),
                            number(*limit, "velocity", 0.0), at(*limit)};
  }
  if (XmlElement* const dynamics = only(element, "dynamics"))
    joint.dynamics = UrdfDynamics{number(*dynamics, "damping", 0.0), number(*dynamics, "friction", 0.0), at(*dynamics)};
  if (XmlElement* const mimic = only(element, "mimic")) {
    joint.mimic = UrdfMimic{text(*mimic, "joint", true), number(*mimic, "multiplier", 1.0),
                            number(*mimic, "offset", 0.0), at(*mimic)};
  }
  if (XmlElement* const safety = only(element, "safety_controller")) {
    joint.safety = UrdfSafety{number(*safety, "soft_lower_limit", 0.0), number(*safety, "soft_upper_limit", 0.0),
                              number(*safety, "k_position", 0.0), number(*safety, "k_velocity", 0.0), at(*safety)};
  }
  if (XmlElement* const calibration = only(element, "calibration")) {
    joint.calibration =
        UrdfCalibration{number(*calibration, "rising", 0.0), number(*calibration, "falling", 0.0), at(*calibration)};
  }
  if (XmlElement* const screw = only(element, "pintle:screw")) joint.screw = read_screw(*screw);
}

UrdfScrew UrdfReader::read_screw(XmlElement& element) {
  const Placed<std::string> pitch = text(element, "pitch", true);
  UrdfScrew screw;
  screw.origin = at(element);
  screw.pitch_m_per_rad = {0.0, pitch.origin, pitch.given};
  if (!pitch.given || pitch.value.empty()) return screw;
  const Result<Quantity> quantity = read_quantity(pitch.value, pitch.origin);
  if (!quantity) {
    // If the file writes the value differently, over several lines for example, places within it are not known.
    const bool plain = element.find("pitch")->plain;
    for (const Diagnostic& problem : quantity.diagnostics())
      add(problem.code.c_str(), plain ? problem.origin : pitch.origin, problem.what, problem.why, problem.fix);
  } else if (quantity->dimension != dimension_of("m/rad")) {
    add("urdf-number", pitch.origin,
        "'pitch' of <pintle:screw> " +
            std::string(quantity->has_unit ? "is not a translation per rotation" : "has no unit"),
        "revolutions and radians are easily confused", "write its unit: \"5 mm/rev\" or \"0.8 mm/rad\"");
  } else {
    screw.pitch_m_per_rad.value = quantity->value;
  }
  return screw;
}

// ---- the rest

void UrdfReader::look_at_the_rest(XmlElement& element) {
  const std::string outer = owner_;
  if (const std::string owner = urdf_owner(element); !owner.empty()) owner_ = owner + ": ";
  const UrdfElement* const known = find_urdf_element(element.name);
  const auto warn = [&](std::string_view name, std::span<const std::string_view> names, const Origin& origin,
                        const char* kind) {
    if (name.find(':') != std::string_view::npos) return;
    const std::vector<std::string> list(names.begin(), names.end());
    if (std::find(list.begin(), list.end(), name) != list.end()) return;
    const std::string nearest = nearest_name(name, list);
    if (nearest.empty()) return;
    add(Severity::warning, "urdf-unknown", origin,
        std::string(kind) + " '" + std::string(name) + "' of <" + element.name + "> is not known", "it is ignored",
        "did you mean '" + nearest + "'?");
  };
  for (XmlAttribute& attribute : element.attributes) {
    if (attribute.name == "xmlns" || attribute.name.starts_with("xmlns:")) attribute.status = ElementStatus::idle;
    if (attribute.status == ElementStatus::ignored && known != nullptr)
      warn(attribute.name, known->attributes, document_.origin_of(attribute), "the attribute");
  }
  for (XmlElement& child : element.children) {
    if (child.status != ElementStatus::ignored) {
      look_at_the_rest(child);
      continue;
    }
    if (known != nullptr) warn(child.name, known->children, at(child), "the element");
    if (child.how.empty()) child.how = why_ignored(child.name);
  }
  owner_ = outer;
}

}  // namespace pintle
