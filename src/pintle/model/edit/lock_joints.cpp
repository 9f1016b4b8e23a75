#include "pintle/model/edit/lock_joints.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "pintle/math/number_text.h"
#include "pintle/model/links/configuration_impl.h"
#include "pintle/model/spec/check_spec.h"
#include "pintle/model/spec/joint_rotations.h"
#include "pintle/model/spec/spec_place.h"

namespace pintle {
namespace {

using Positions = std::map<std::string, std::vector<double>>;

/// Positions are equal when they differ by less than this, relative to the terms they are the sum of.
constexpr double kLockTolerance = 1e-9;

class JointLocker {
 public:
  explicit JointLocker(const ModelSpec& spec) : spec_(spec), problems_(check_spec(spec)) {}

  Result<ModelSpec> run(const std::vector<JointPosition>& positions) {
    if (has_errors(problems_)) return problems_;
    for (const JointPosition& position : positions) check_position(position);
    if (has_errors(problems_)) return problems_;
    spread_by_couplings();
    for (const JointSpec& joint : spec_.joints)
      if (locked_.count(joint.name) > 0) check_limits(joint);
    if (has_errors(problems_)) return problems_;
    return reduced();
  }

 private:
  void add(const char* code, const Origin& origin, std::string what, std::string why, std::string fix) {
    problems_.push_back(make_error(code, origin, std::move(what), std::move(why), std::move(fix)));
  }

  /// Checks a position on its own and normalises its quaternion.
  void check_position(const JointPosition& position) {
    const JointSpec* const joint = find_named(spec_.joints, position.joint);
    if (joint == nullptr) {
      problems_.push_back(unknown_name("joint", position.joint, "lock_joints", names_of(spec_.joints)));
      return;
    }
    const std::string user = "lock_joints: the position of joint '" + joint->name + "'";
    std::vector<double> q = position.q;
    if (q.size() != static_cast<std::size_t>(facts(joint->kind).nq)) {
      add("position-count", joint->origin, user + " has " + std::to_string(q.size()) + " coordinates",
          "a " + std::string(facts(joint->kind).name) + " joint has " + std::to_string(facts(joint->kind).nq), "");
      return;
    }
    bool finite = true;
    for (const double x : q) finite = finite && std::isfinite(x);
    if (!finite) {
      add("position-not-finite", joint->origin, user + " is not finite", "", "give finite values");
      return;
    }
    if (const int place = quaternion_place(joint->kind); place >= 0) {
      double* const at = q.data() + place;
      double largest = 0.0;
      for (int i = 0; i < 4; ++i) largest = std::max(largest, std::abs(at[i]));
      if (largest == 0.0) {
        add("position-no-direction", joint->origin, user + " has a quaternion of length zero", "",
            "give x, y, z, w; (0, 0, 0, 1) is the identity");
        return;
      }
      double square = 0.0;  // no overflow: the largest is 1
      for (int i = 0; i < 4; ++i) square += (at[i] / largest) * (at[i] / largest);
      const double length = std::sqrt(square);
      for (int i = 0; i < 4; ++i) at[i] = at[i] / largest / length;
    }
    if (!locked_.emplace(joint->name, q).second)
      add("position-double", joint->origin, user + " is given twice", "", "remove one");
  }

  /// Also locks every joint that couplings connect to a locked one.
  void spread_by_couplings() {
    for (bool grew = true; grew;) {
      grew = false;
      for (const CouplingSpec& c : spec_.couplings) {
        const auto joint = locked_.find(c.joint), driver = locked_.find(c.driver);
        if (driver != locked_.end() && joint == locked_.end()) {
          locked_[c.joint] = {c.ratio * driver->second[0] + c.offset};
          grew = true;
        } else if (joint != locked_.end() && driver == locked_.end()) {
          locked_[c.driver] = {(joint->second[0] - c.offset) / c.ratio};
          grew = true;
        }
      }
    }
    for (const CouplingSpec& c : spec_.couplings) {
      const auto joint = locked_.find(c.joint);
      if (joint == locked_.end()) continue;
      const double q = joint->second[0], q_driver = locked_.at(c.driver)[0];
      const double scale = abs(q) + abs(c.ratio * q_driver) + abs(c.offset);
      if (abs(q - (c.ratio * q_driver + c.offset)) > kLockTolerance * scale) {
        add("position-contradicts-coupling", c.origin,
            "lock_joints: joint '" + c.joint + "' at " + number_text(q) + " and its driver '" + c.driver + "' at " +
                number_text(q_driver),
            "the coupling requires " + number_text(c.ratio * q_driver + c.offset), "give the position of one of them");
      }
    }
  }

  void check_limits(const JointSpec& joint) {
    const std::vector<double>& q = locked_.at(joint.name);
    if (joint.limits.empty() || quaternion_place(joint.kind) >= 0) return;  // no positions, hence no limits of them
    for (std::size_t i = 0; i < q.size(); ++i) {
      const JointLimits& limits = joint.limits.size() == 1 ? joint.limits[0] : joint.limits[i];
      if (q[i] >= limits.lower && q[i] <= limits.upper) continue;
      add("position-outside-limits", joint.origin,
          "lock_joints: joint '" + joint.name + "' at " + number_text(q[i]) + " is outside its limits " +
              number_text(limits.lower) + " and " + number_text(limits.upper),
          "the joint cannot reach that position", "choose another position, or change the limits");
    }
  }

  ModelSpec reduced() const {
    ModelSpec result = spec_;
    result.couplings.clear();
    for (const CouplingSpec& c : spec_.couplings)
      if (locked_.count(c.joint) == 0) result.couplings.push_back(c);
    for (JointSpec& joint : result.joints) {
      const auto position = locked_.find(joint.name);
      if (position == locked_.end()) continue;
      const Pose<> X_PJ = pose(quaternion(joint.X_PJ.rotation), joint.X_PJ.translation);  // as compile sees it
      joint.X_PJ = X_PJ * joint_pose(joint, position->second.data());
      joint.kind = JointKind::fixed;
      joint.passive.clear();
      joint.limits.clear();
      joint.prescribed = false;
    }
    return result;
  }

  const ModelSpec& spec_;
  Diagnostics problems_;
  Positions locked_;
};

}  // namespace

Result<ModelSpec> lock_joints(const ModelSpec& spec, const std::vector<JointPosition>& positions) {
  return JointLocker(spec).run(positions);
}

}  // namespace pintle
