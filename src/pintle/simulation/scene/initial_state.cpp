#include "pintle/simulation/scene/initial_state.h"

#include <cmath>

#include "pintle/base/size.h"
#include "pintle/math/number_text.h"
#include "pintle/model/compiled/configuration.h"
#include "pintle/model/links/configuration_impl.h"
#include "pintle/model/links/joint_parts.h"
#include "pintle/model/spec/spec_place.h"

namespace pintle {
namespace {

/// Maximum deviation from 1 of the length of a quaternion written with a few digits.
constexpr double kUnitLength = 1e-6;

/// Maximum difference of values written with a few digits, absolute and relative.
constexpr double kAgree = 1e-6;

class InitialReader {
 public:
  InitialReader(const Model& model, std::span<const PrescribedMotion> prescribed)
      : model_(model),
        prescribed_(prescribed),
        lower_(size(model.nv())),
        upper_(lower_.size()),
        refused_(model.joints().size()) {
    state_.q.resize(size(model.nq()));
    state_.v.resize(size(model.nv()));
    neutral(model, state_.q);
    position_ranges(model, lower_, upper_);
  }

  void read(const InitialSpec& spec) {
    const IndependentJoint* const joint = find(spec);
    if (joint == nullptr) return;
    const int nq = facts(joint->kind).nq, nv = facts(joint->kind).nv;
    if (values_fit(spec, "q", spec.q, nq)) {
      read_position(spec, *joint);
    } else if (!spec.q.empty()) {
      refused_[size(joint->joint)] = 1;
    }
    if (values_fit(spec, "v", spec.v, nv))
      for (std::size_t i = 0; i < spec.v.size(); ++i) state_.v[size(joint->v) + i] = spec.v[i];
    if (spec.has_world_velocity()) read_world_velocity(spec, *joint);
    for (const PrescribedMotion& motion : prescribed_) {
      if (motion.joint != joint->joint) continue;
      if (motion.kind == MotionKind::position && nq == 1 && !spec.q.empty()) refuse_given(spec, motion, "position");
      if (motion.kind != MotionKind::acceleration && nv == 1 && !spec.v.empty()) refuse_given(spec, motion, "velocity");
    }
    for (const InitialSpec* const other : read_) {
      if (other->joint != spec.joint) continue;
      add(spec, "initial-twice", "is given twice", "only one of them can apply", "keep one of the two");
      break;
    }
    read_.push_back(&spec);
  }

  /// Marks a joint whose position is unknown.
  void forget(const std::string& name) {
    for (std::size_t j = 0; j < model_.joints().size(); ++j)
      if (model_.joints()[j].name == name) refused_[j] = 1;
  }

  /// Limits can only be checked once all joints and prescribed motions have their positions.
  void check_limits(std::span<const InitialSpec> specs, double t0, std::span<const JointSpec> joints) {
    for (const PrescribedMotion& motion : prescribed_) {
      const double q = motion.q >= 0 ? state_.q[size(motion.q)] : 0.0;
      const CoordinateMotion given = evaluate(motion, t0, q, state_.v[size(motion.dof)]);
      if (const InitialSpec* const spec = spec_of(specs, model_.joints()[size(motion.joint)].name))
        warn_of_other_start(*spec, motion, given);
      if (motion.kind == MotionKind::position) state_.q[size(motion.q)] = given.q;
      if (motion.kind != MotionKind::acceleration) state_.v[size(motion.dof)] = given.v;
    }
    for (const IndependentJoint& joint : model_.independent_joints()) {
      if (quaternion_place(joint.kind) >= 0 || refused_[size(joint.joint)] != 0) continue;
      for (int i = 0; i < facts(joint.kind).nv; ++i) {
        const double q = state_.q[size(joint.q + i)];
        const double lower = lower_[size(joint.v + i)], upper = upper_[size(joint.v + i)];
        if (!(q < lower) && !(q > upper)) continue;
        const std::string& name = model_.joints()[size(joint.joint)].name;
        const InitialSpec* const spec = spec_of(specs, name);
        InitialSpec none;
        none.joint = name;
        if (!joints.empty()) none.origin = joints[size(joint.joint)].origin;
        const JointPart number = position_part(joint.kind, i);
        const std::string part = facts(joint.kind).nv == 1 ? "" : std::string(number.name) + " = ";
        const std::string unit = " " + std::string(number.unit);
        add(spec != nullptr ? *spec : none, "initial-limits",
            "starts at " + part + number_text(q) + unit + ", outside its limits " + number_text(lower) + " ... " +
                number_text(upper) + unit,
            spec != nullptr ? "a joint cannot be beyond its limits"
                            : "a joint without an initial position starts at zero or with its prescribed motion",
            "start within the limits, or widen them");
      }
    }
  }

  Result<InitialState> result() {
    if (has_errors(problems_)) return problems_;
    normalize(model_, state_.q);
    return {state_, problems_};
  }

 private:
  static const InitialSpec* spec_of(std::span<const InitialSpec> specs, const std::string& joint) {
    for (const InitialSpec& spec : specs)
      if (spec.joint == joint) return &spec;
    return nullptr;
  }

  void add(const InitialSpec& spec, const char* code, const std::string& what, const std::string& why,
           const std::string& fix) {
    problems_.push_back(
        make_error(code, spec.origin, "the initial state of joint '" + spec.joint + "' " + what, why, fix));
  }

  void refuse_given(const InitialSpec& spec, const PrescribedMotion& motion, const std::string& what) {
    add(spec, "initial-prescribed", "has a " + what + ", which motion '" + motion.name + "' prescribes",
        "the two would have to agree", "leave the " + what + " out");
  }

  /// A joint of several coordinates must give all of them, so those that are prescribed too: these should agree.
  void warn_of_other_start(const InitialSpec& spec, const PrescribedMotion& motion, const CoordinateMotion& given) {
    const auto warn = [&](const char* what, double here, double prescribed) {
      if (std::abs(here - prescribed) <= kAgree * (1.0 + std::abs(prescribed))) return;
      problems_.push_back(make_warning(
          "initial-drive", spec.origin,
          "the initial " + std::string(what) + " of joint '" + spec.joint + "' is " + number_text(here) +
              ", but motion '" + motion.name + "' starts at " + number_text(prescribed),
          "the prescribed motion counts, and the initial value is not used", "give the value that is prescribed"));
    };
    if (motion.kind == MotionKind::position && spec.q.size() > 1) warn("position", state_.q[size(motion.q)], given.q);
    if (motion.kind != MotionKind::acceleration && (spec.v.size() > 1 || spec.has_world_velocity()))
      warn("velocity", state_.v[size(motion.dof)], given.v);
  }

  const IndependentJoint* find(const InitialSpec& spec) {
    for (const IndependentJoint& joint : model_.independent_joints())
      if (model_.joints()[size(joint.joint)].name == spec.joint) return &joint;
    for (std::size_t j = 0; j < model_.joints().size(); ++j) {
      if (model_.joints()[j].name != spec.joint) continue;
      for (const ModelCoupling& coupling : model_.couplings()) {
        if (size(coupling.joint) != j) continue;
        add(spec, "initial-coupled", "is given, but a coupling drives that joint",
            "its position follows from its driver",
            "give the state of joint '" + model_.joints()[size(coupling.driver)].name + "'");
        return nullptr;
      }
      add(spec, "initial-fixed", "is given, but that joint is fixed", "it has no position", "leave it out");
      return nullptr;
    }
    Diagnostic problem = unknown_name("joint", spec.joint, "an initial state", names_of(model_.joints()));
    problem.origin = spec.origin;
    problems_.push_back(std::move(problem));
    return nullptr;
  }

  bool values_fit(const InitialSpec& spec, const std::string& what, const std::vector<double>& values, int expected) {
    if (values.empty()) return false;
    if (values.size() != size(expected)) {
      add(spec, "initial-count",
          "has " + std::to_string(values.size()) + " values for " + what + ", expected " + std::to_string(expected),
          "docs/joints.md lists the coordinates of each joint type", "give all of them, or none for zero");
      return false;
    }
    for (const double number : values) {
      if (std::isfinite(number)) continue;
      add(spec, "initial-finite", "has a value in " + what + " that is not finite",
          "a run needs a finite initial state", "give finite numbers");
      return false;
    }
    return true;
  }

  void read_position(const InitialSpec& spec, const IndependentJoint& joint) {
    const int place = quaternion_place(joint.kind);
    if (place >= 0) {
      double square = 0.0;
      for (std::size_t i = 0; i < 4; ++i) square += spec.q[size(place) + i] * spec.q[size(place) + i];
      if (!(std::abs(std::sqrt(square) - 1.0) <= kUnitLength)) {
        add(spec, "initial-quaternion", "has a quaternion of length " + number_text(std::sqrt(square)),
            "only quaternions of unit length are orientations", "divide its four numbers (x, y, z, w) by that length");
        refused_[size(joint.joint)] = 1;
        return;
      }
    }
    for (std::size_t i = 0; i < spec.q.size(); ++i) state_.q[size(joint.q) + i] = spec.q[i];
  }

  /// Of the link, which is the frame of v: w_L = R'w and v_L = R'u - w_L x c, with c the body's centre of mass in it.
  void read_world_velocity(const InitialSpec& spec, const IndependentJoint& joint) {
    const ModelJoint& of = model_.joints()[size(joint.joint)];
    const Link& link = model_.links()[size(of.link)];
    const Vec3<> u = spec.velocity.value_or(Vec3<>{0, 0, 0}), w = spec.angular_velocity.value_or(Vec3<>{0, 0, 0});
    const char* const what = "has a velocity in world axes";
    if (of.kind != JointKind::free || link.parent >= 0) {
      add(spec, "initial-world", what, "only a body on a free joint to the world has one of its own",
          "give the velocity 'v' of the joint");
    } else if (!spec.v.empty()) {
      add(spec, "initial-world", std::string(what) + " and another one in 'v'", "only one of them can apply",
          "leave one of the two out");
    } else if (!std::isfinite(norm_squared(u) + norm_squared(w))) {
      add(spec, "initial-finite", "has a velocity that is not finite", "a run needs a finite initial state",
          "give finite numbers");
    } else {
      const double* const q = state_.q.data() + joint.q;
      const Mat3<> R = link.X_PJ.rotation * rotation_matrix(normalized(Quaternion<>{q[3], q[4], q[5], q[6]}));
      const ModelBody& body = model_.bodies()[size(of.child_body)];
      const SpatialInertia<>& I = body.inertia;
      const Vec3<> at = I.mass > 0.0 ? I.first_moment / I.mass : Vec3<>{0, 0, 0};
      const Vec3<> w_L = transpose_times(R, w);
      const Vec3<> v_L = transpose_times(R, u) - cross(w_L, transform_point(body.X_LB, at));
      const double parts[6] = {v_L.x, v_L.y, v_L.z, w_L.x, w_L.y, w_L.z};
      for (std::size_t i = 0; i < 6; ++i) state_.v[size(joint.v) + i] = parts[i];
    }
  }

  const Model& model_;
  std::span<const PrescribedMotion> prescribed_;
  std::vector<double> lower_, upper_;
  InitialState state_;
  std::vector<const InitialSpec*> read_;
  std::vector<unsigned char> refused_;  // per joint: its position is unknown
  Diagnostics problems_;
};

}  // namespace

Result<InitialState> initial_state(const Model& model, std::span<const InitialSpec> specs,
                                   std::span<const PrescribedMotion> prescribed, double t0,
                                   std::span<const JointSpec> joints, std::span<const std::string> unplaced) {
  InitialReader reader(model, prescribed);
  for (const std::string& joint : unplaced) reader.forget(joint);
  for (const InitialSpec& spec : specs) reader.read(spec);
  reader.check_limits(specs, t0, joints);
  return reader.result();
}

}  // namespace pintle
