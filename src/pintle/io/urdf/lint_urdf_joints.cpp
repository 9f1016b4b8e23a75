#include <algorithm>
#include <cmath>
#include <utility>

#include "pintle/io/urdf/urdf_linter.h"
#include "pintle/math/number_text.h"
#include "pintle/model/spec/cycles.h"

namespace pintle {
namespace {

constexpr double kRevolution = 2.0 * kPi<double>;

bool has_axis(UrdfJointType type) {
  return type == UrdfJointType::revolute || type == UrdfJointType::continuous || type == UrdfJointType::prismatic ||
         type == UrdfJointType::planar || type == UrdfJointType::screw;
}

bool has_one_dof(UrdfJointType type) {
  return has_axis(type) && type != UrdfJointType::planar;
}

bool needs_limit(UrdfJointType type) {
  return type == UrdfJointType::revolute || type == UrdfJointType::prismatic;
}

/// Limits of two revolutions and more are rare, limits below 720 degrees are not; "10" for no limit is common.
constexpr double kMaxLimit = 2.01 * kRevolution;

/// No frame needs a rotation of more than one revolution; rounded values of 2 pi are common.
constexpr double kMaxRotation = 1.01 * kRevolution;

}  // namespace

void UrdfLinter::check_joints() {
  for (const UrdfJoint& joint : robot_.joints) {
    check_turn(text_of(joint), joint.pose);
    check_mimic(joint);
    if (!moves(joint)) continue;
    check_axis(joint);
    check_limit(joint);
    if (!joint.dynamics) continue;
    const std::pair<const Placed<double>*, const char*> values[] = {{&joint.dynamics->damping, "damping"},
                                                                    {&joint.dynamics->friction, "friction"}};
    for (const auto& [number, name] : values) {
      if (number->value >= 0.0) continue;
      error("urdf-dynamics", number->origin, text_of(joint) + ": its " + name + " is " + number_text(number->value),
            "it would drive the joint instead of resisting its motion", "give a number of at least 0");
    }
  }
}

/// Checks the rotation of the frame of a joint, a mass or a shape.
void UrdfLinter::check_turn(const std::string& owner, const UrdfPose& pose) {
  const Vec3<>& rpy = pose.rpy.value;
  const double largest = std::max({std::abs(rpy.x), std::abs(rpy.y), std::abs(rpy.z)});
  if (largest <= kMaxRotation) return;
  const Vec3<> repaired = (kPi<double> / 180.0) * rpy;
  warning("urdf-rpy-degrees", pose.rpy.origin,
          owner + ": a frame is rotated by " + number_text(largest) + " rad, " + rough_text(largest / kRevolution) +
              " revolutions: degrees?",
          "angles are in radians",
          "if they are in degrees write rpy=\"" + number_text(repaired.x) + " " + number_text(repaired.y) + " " +
              number_text(repaired.z) + "\"");
}

void UrdfLinter::check_axis(const UrdfJoint& joint) {
  if (!joint.axis.given || !has_axis(joint.type.value)) return;
  const double length = norm(joint.axis.value);
  if (length == 0.0) {
    error("urdf-axis-zero", joint.axis.origin, text_of(joint) + ": its axis is zero", "an axis needs a direction",
          "give a direction such as \"0 0 1\"");
  } else if (std::abs(length - 1.0) > 1e-3) {
    warning("urdf-axis-length", joint.axis.origin, text_of(joint) + ": its axis is of length " + number_text(length),
            "only its direction matters here; other programs scale the motion by the length, or reject it",
            "divide the three numbers by " + number_text(length));
  }
}

// ---- limits

void UrdfLinter::check_limit(const UrdfJoint& joint) {
  const UrdfJointType type = joint.type.value;
  if (!joint.limit) {
    if (needs_limit(type) && !joint.mimic)
      warning("urdf-limit-missing", joint.type.origin, text_of(joint) + " is " + name(type) + " and has no <limit>",
              "here it has no limits then; other programs reject it",
              std::string("add <limit lower=\"...\" upper=\"...\" effort=\"...\" velocity=\"...\"/>") +
                  (type == UrdfJointType::revolute ? ", or write type=\"continuous\"" : ""));
    return;
  }
  const UrdfLimit& limit = *joint.limit;
  const std::pair<const Placed<double>*, const char*> values[] = {{&limit.effort, "effort"},
                                                                  {&limit.velocity, "velocity"}};
  const Placed<double>* zero = nullptr;
  std::string zeros;
  for (const auto& [number, what] : values) {
    if (number->value < 0.0)
      error("urdf-limit-negative", number->origin,
            text_of(joint) + ": its " + what + " limit is " + number_text(number->value),
            "it is the largest magnitude, in either direction", "give a number above 0");
    if (!number->given || number->value != 0.0) continue;
    zeros += (zero == nullptr ? "" : " and ") + std::string(what);
    zero = zero == nullptr ? number : zero;
  }
  if (zero != nullptr)
    warning("urdf-limit-zero", zero->origin, text_of(joint) + ": its limit of " + zeros + " is 0",
            "taken literally, no actuator could move it", "give the capability of the actuator");
  check_range(joint);
}

void UrdfLinter::check_range(const UrdfJoint& joint) {
  const UrdfLimit& limit = *joint.limit;
  if (!has_one_dof(joint.type.value) || joint.type.value == UrdfJointType::continuous) return;
  const double lower = limit.lower.value, upper = limit.upper.value;
  const Origin& place = limit.lower.given ? limit.lower.origin : limit.upper.origin;
  if (lower > upper) {
    error("urdf-limits-reversed", place,
          text_of(joint) + ": its lower limit is " + number_text(lower) + ", its upper one " + number_text(upper) +
              (limit.lower.given && limit.upper.given ? "" : " (0 where it is not given)"),
          "the lower one must not be above the upper one", "swap them, or check their signs");
    return;
  }
  if (!limit.lower.given && !limit.upper.given) {
    if (needs_limit(joint.type.value))
      warning("urdf-limit-missing", limit.origin, text_of(joint) + ": its <limit> has neither lower nor upper",
              "here it has no limits then; other programs take both as 0, and it cannot move",
              "add lower=\"...\" and upper=\"...\"");
    return;
  }
  if (lower == upper && needs_limit(joint.type.value)) {
    warning("urdf-limits-equal", place,
            text_of(joint) + ": its lower and its upper limit are both " + number_text(lower), "it cannot move",
            "give its range, or write type=\"fixed\"");
    return;
  }
  if (joint.type.value != UrdfJointType::revolute) return;
  check_degrees(joint, std::abs(lower) > std::abs(upper) ? limit.lower : limit.upper,
                std::abs(lower) > std::abs(upper) ? "lower" : "upper");
}

void UrdfLinter::check_degrees(const UrdfJoint& joint, const Placed<double>& limit, const char* which) {
  const double magnitude = std::abs(limit.value);
  if (magnitude <= kMaxLimit) return;
  const double revolutions = magnitude / kRevolution;
  const std::string what = text_of(joint) + ": its " + which + " limit is " + number_text(limit.value) + " rad, " +
                           rough_text(revolutions) + " revolutions";
  if (magnitude > 720.0) {
    warning("urdf-limits-degrees", limit.origin, what, "it never has an effect",
            "for unlimited rotation write type=\"continuous\"");
    return;
  }
  // A whole number of revolutions is intentional.
  if (std::abs(revolutions - std::round(revolutions)) < 1e-3 * revolutions) return;
  warning("urdf-limits-degrees", limit.origin, what + ": degrees?", "angles are in radians",
          "if it is in degrees write " + number_text(limit.value * kPi<double> / 180.0));
}

// ---- mimic

void UrdfLinter::check_mimic(const UrdfJoint& joint) {
  if (!joint.mimic || !joint.mimic->joint.given || joint.mimic->joint.value.empty()) return;
  // Joints are often changed to fixed by hand and keep their other elements.
  if (joint.type.given && joint.type.value == UrdfJointType::fixed) return;
  const UrdfMimic& mimic = *joint.mimic;
  const std::string& wanted = mimic.joint.value;
  const auto driver = joints_.find(wanted);
  if (driver == joints_.end()) {
    std::vector<std::string> others = joint_names_;
    std::erase(others, joint.name.value);  // it cannot mimic itself
    error("urdf-mimic-unknown", mimic.joint.origin,
          text_of(joint) + " mimics '" + wanted + "', and there is no such joint", "",
          did_you_mean(nearest(wanted, others), "name a joint of this robot"));
    return;
  }
  if (wanted == joint.name.value) {
    error("urdf-mimic-circle", mimic.joint.origin, text_of(joint) + " mimics itself", "its position would be undefined",
          "name another joint, or remove <mimic>");
    return;
  }
  for (const UrdfJoint* const one : {&joint, driver->second}) {
    if (!one->type.given || has_one_dof(one->type.value)) continue;
    error("urdf-mimic-dof", mimic.joint.origin,
          text_of(joint) + " mimics '" + wanted + "', and " + text_of(*one) + " is " + name(one->type.value),
          "a mimic joint and the joint it follows have one dof each",
          "use joints that are revolute, continuous, prismatic or screw");
  }
  if (mimic.multiplier.value == 0.0)
    warning("urdf-mimic-zero", mimic.multiplier.origin, text_of(joint) + ": its multiplier is 0", "it never moves then",
            "write type=\"fixed\", or give another multiplier");
  if (driver->second->mimic && circling_.count(joint.name.value) == 0)
    warning("urdf-mimic-chain", mimic.joint.origin,
            text_of(joint) + " mimics '" + wanted + "', which mimics '" + driver->second->mimic->joint.value + "'",
            "it is followed here; other programs ignore one of them, or reject it",
            "let it mimic '" + driver->second->mimic->joint.value + "', with multiplier " +
                number_text(mimic.multiplier.value * driver->second->mimic->multiplier.value) + " and offset " +
                number_text(mimic.multiplier.value * driver->second->mimic->offset.value + mimic.offset.value));
}

void UrdfLinter::check_mimic_circles() {
  std::vector<std::string> names;
  std::map<std::string, std::string> driver_of;
  for (const auto& [joint_name, joint] : joints_) {
    if (!joint->mimic || joint->mimic->joint.value == joint_name) continue;
    names.push_back(joint_name);
    driver_of[joint_name] = joint->mimic->joint.value;
  }
  for (const std::vector<std::string>& circle : cycles(names, driver_of)) {
    std::string path = "'" + circle.front() + "'";
    for (std::size_t i = 1; i < circle.size(); ++i) path += " -> '" + circle[i] + "'";
    const UrdfMimic& mimic = *joints_.at(circle.front())->mimic;
    error("urdf-mimic-circle", mimic.joint.origin, "joints mimic each other in a loop: " + path,
          "their positions would be undefined", "remove the <mimic> of one of them");
    circling_.insert(circle.begin(), circle.end());
  }
}

}  // namespace pintle
