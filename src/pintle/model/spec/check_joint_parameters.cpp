#include "pintle/model/spec/check_joint_parameters.h"

#include <cmath>
#include <limits>
#include <utility>

#include "pintle/math/number_text.h"
#include "pintle/math/scalar.h"
#include "pintle/model/links/configuration_impl.h"
#include "pintle/model/links/unit_axis.h"

namespace pintle {
namespace {

/// Two axes at a smaller angle [rad] than this count as parallel.
constexpr double kMinSine = 1e-6;

class JointChecker {
 public:
  JointChecker(const JointSpec& joint, Diagnostics& problems)
      : joint_(joint), user_("joint '" + joint.name + "'"), problems_(problems) {}

  void run() {
    check_axes();
    if (!std::isfinite(joint_.pitch_m_per_rad)) {
      add("pitch-not-finite", ": its pitch is not finite", "",
          "give metres per radian; for an infinite pitch use a prismatic joint");
    }
    check_dofs();
  }

 private:
  void add(const char* code, std::string what, std::string why, std::string fix) {
    problems_.push_back(make_error(code, joint_.origin, user_ + std::move(what), std::move(why), std::move(fix)));
  }

  /// Whether the axis has a direction.
  bool check_axis(const Vec3<>& axis, const char* which) {
    const bool zero = axis.x == 0.0 && axis.y == 0.0 && axis.z == 0.0;
    if (zero) {
      add("axis-zero", std::string(": its ") + which + " is zero", "an axis needs a direction",
          "give a direction such as (0, 0, 1)");
    }
    return !zero;
  }

  bool check_axis_finite(const Vec3<>& axis, const char* which) {
    if (is_finite(axis)) return true;
    add("axis-not-finite", std::string(": its ") + which + " is not finite", "", "give three finite components");
    return false;
  }

  void check_axes() {
    const bool first_finite = check_axis_finite(joint_.axis, "axis");
    const bool second_finite = check_axis_finite(joint_.second_axis, "second axis");
    if (!first_finite || !second_finite) return;
    switch (joint_.kind) {
      case JointKind::revolute:
      case JointKind::prismatic:
      case JointKind::screw:
      case JointKind::cylindrical:
        check_axis(joint_.axis, "axis");
        break;
      case JointKind::universal:
      case JointKind::planar: {
        const bool first = check_axis(joint_.axis, "axis");
        const bool second = check_axis(joint_.second_axis, "second axis");
        if (first && second && norm(cross(unit_axis(joint_.axis), unit_axis(joint_.second_axis))) < kMinSine) {
          add("axes-parallel", ": its two axes are parallel", "parallel axes give one dof, not two",
              "change one of them");
        }
        break;
      }
      case JointKind::fixed:
      case JointKind::spherical:
      case JointKind::translational:
      case JointKind::free:
        break;
    }
  }

  void check_dofs() {
    const std::size_t nv = static_cast<std::size_t>(facts(joint_.kind).nv);
    if (nv == 0) {
      check_fixed();
      return;
    }
    const auto check_count = [&](std::size_t count, const char* what) {
      if (count <= 1 || count == nv) return true;
      add("dof-count", " has " + std::to_string(nv) + " dofs and " + std::to_string(count) + " entries of " + what, "",
          "give none, one for all, or one for each dof");
      return false;
    };
    if (check_count(joint_.passive.size(), "passive properties")) {
      for (const JointPassive& passive : joint_.passive) check_passive(passive);
    }
    if (check_count(joint_.limits.size(), "limits")) {
      for (const JointLimits& limits : joint_.limits) check_limits(limits);
      check_positions_limited();
    }
  }

  /// The dof properties of a joint without dofs would be lost.
  void check_fixed() {
    std::string has;
    const auto list = [&](const char* what) { has += (has.empty() ? "" : " and ") + std::string(what); };
    for (const JointPassive& passive : joint_.passive) {
      if (passive == JointPassive{}) continue;
      list("passive properties");
      break;
    }
    for (const JointLimits& limits : joint_.limits) {
      if (limits == JointLimits{}) continue;
      list("limits");
      break;
    }
    if (joint_.prescribed) list("a prescribed motion");
    if (has.empty()) return;
    add("fixed-joint-acts", " is fixed and has " + has, "it has no dof",
        "remove them, or choose a kind of joint that moves");
  }

  void check_positions_limited() {
    if (quaternion_place(joint_.kind) < 0) return;
    for (const JointLimits& limits : joint_.limits) {
      if (!(limits.lower > -kInfinity<double>)&&!(limits.upper < kInfinity<double>)) continue;
      add("limits-not-positions",
          " is " + std::string(facts(joint_.kind).name) + " and has position limits, " + number_text(limits.lower) +
              " and " + number_text(limits.upper),
          "its velocities in the child's axes are not derivatives of its positions; only speed and effort can be "
          "limited",
          "replace it by joints with scalar positions: a free joint by a translational and a spherical one, a "
          "spherical joint by revolute ones");
      return;
    }
  }

  void check_passive(const JointPassive& p) {
    const std::pair<const char*, double> not_negative[] = {
        {"armature", p.armature}, {"damping", p.damping}, {"friction", p.friction}, {"stiffness", p.stiffness}};
    for (const auto& [what, value] : not_negative) {
      if (!(value >= 0.0) || !std::isfinite(value)) {
        add("passive-negative", std::string(": its ") + what + " is " + number_text(value),
            "it must be finite and not negative", "give a value of at least 0");
      }
    }
    if (!std::isfinite(p.rest)) {
      add("rest-not-finite", ": its rest position is not finite", "", "give a finite value");
    }
  }

  void check_limits(const JointLimits& limits) {
    const std::string lower_and_upper =
        ": its lower limit is " + number_text(limits.lower) + ", its upper one " + number_text(limits.upper);
    if (!(limits.lower < kInfinity<double>) || !(limits.upper > -kInfinity<double>)) {
      add("limits-not-numbers", lower_and_upper, "each must be finite, or infinite on its own side for no limit",
          "give a finite value or leave it out");
    } else if (limits.lower > limits.upper) {
      add("limits-reversed", lower_and_upper, "the lower one must not be above the upper one", "swap them");
    }
    const std::pair<const char*, double> not_negative[] = {{"speed", limits.speed}, {"effort", limits.effort}};
    for (const auto& [what, value] : not_negative) {
      if (!(value >= 0.0)) {
        add("limits-negative", std::string(": its ") + what + " limit is " + number_text(value),
            "it must not be negative", "give a value of at least 0");
      }
    }
  }

  const JointSpec& joint_;
  std::string user_;
  Diagnostics& problems_;
};

}  // namespace

void check_joint_parameters(const JointSpec& joint, Diagnostics& problems) {
  JointChecker(joint, problems).run();
}

}  // namespace pintle
