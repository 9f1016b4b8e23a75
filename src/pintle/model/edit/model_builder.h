// ModelBuilder: builds a ModelSpec in a few readable lines.
#pragma once

#include <string>

#include "pintle/model/compiled/model.h"

namespace pintle {

/// Fills a ModelSpec, body by body:
///
///     ModelBuilder arm("arm");
///     arm.body("upper_arm", bar).revolute({0, 0, 1}, "shoulder").at({0, 0, 0.3}).damping(0.1);
///     arm.body("forearm", bar).revolute({0, 0, 1}, "elbow").at({0.25, 0, 0}).limits(-2.5, 2.5);
///     arm.frame("tool", {0.25, 0, 0});
///     const Result<Model> model = arm.compile();
///
/// `body` adds a body, and a joint call attaches it: to the body added before it (the first to the world), unless `on`
/// names another parent. The options that follow apply to this joint. `compile` reports all problems of the mechanism
/// at once; a call out of order (an option without a joint) throws a UsageError that says what to do.
class ModelBuilder {
 public:
  explicit ModelBuilder(std::string name = {});

  /// [m/s^2] in world axes.
  ModelBuilder& gravity(const Vec3<>& g);

  /// Adds a body; `inertia` in its own frame, about its origin.
  ModelBuilder& body(std::string name, const SpatialInertia<>& inertia);

  // ---- the joint that carries the last body; it has the body's name unless it is given one

  ModelBuilder& fixed(std::string joint = {});
  ModelBuilder& revolute(const Vec3<>& axis = {0, 0, 1}, std::string joint = {});
  ModelBuilder& prismatic(const Vec3<>& axis = {0, 0, 1}, std::string joint = {});
  ModelBuilder& screw(const Vec3<>& axis, double pitch_m_per_rad, std::string joint = {});
  ModelBuilder& cylindrical(const Vec3<>& axis = {0, 0, 1}, std::string joint = {});
  ModelBuilder& universal(const Vec3<>& parent_axis, const Vec3<>& child_axis, std::string joint = {});
  ModelBuilder& planar(const Vec3<>& normal = {0, 0, 1}, const Vec3<>& x = {1, 0, 0}, std::string joint = {});
  ModelBuilder& spherical(std::string joint = {});
  ModelBuilder& translational(std::string joint = {});
  ModelBuilder& free(std::string joint = {});

  // ---- options of that joint

  /// The parent body, or "world".
  ModelBuilder& on(std::string parent);

  /// The position of the joint on the parent [m], and on the child; by default at the origins.
  ModelBuilder& at(const Vec3<>& point_P) { return place(shifted(point_P)); }
  ModelBuilder& at_child(const Vec3<>& point_C) { return place_on_child(shifted(point_C)); }
  template <class T>
  ModelBuilder& at(const Pose<T>& X_PJ) {
    return place(X_PJ);
  }
  template <class T>
  ModelBuilder& at_child(const Pose<T>& X_CJ) {
    return place_on_child(X_CJ);
  }

  /// Passive properties of all its dofs, in the units of JointPassive.
  ModelBuilder& armature(double inertia);
  ModelBuilder& damping(double effort_per_speed);
  ModelBuilder& friction(double effort);
  ModelBuilder& spring(double stiffness, double rest = 0.0);
  ModelBuilder& passive(const JointPassive& all_dofs);
  ModelBuilder& passive(int dof, const JointPassive& one);  ///< dof: 0 ... nv - 1

  /// Limits of all its dofs, in the units of JointLimits.
  ModelBuilder& limits(double lower, double upper);
  ModelBuilder& limits(const JointLimits& all_dofs);
  ModelBuilder& limits(int dof, const JointLimits& one);

  /// Its q = ratio * q of `driver` + offset.
  ModelBuilder& coupled_to(std::string driver, double ratio = 1.0, double offset = 0.0);

  /// Its motion is prescribed.
  ModelBuilder& prescribed();

  // ---- frames

  /// A named frame on the last body (on the world, before the first).
  ModelBuilder& frame(std::string name, const Vec3<>& point_B = {0, 0, 0}) {
    return add_frame(static_cast<std::string&&>(name), shifted(point_B));
  }
  template <class T>
  ModelBuilder& frame(std::string name, const Pose<T>& X_BF) {
    return add_frame(static_cast<std::string&&>(name), X_BF);
  }

  /// The spec so far.
  const ModelSpec& spec() const { return spec_; }

  /// Returns the model, or all problems of the spec.
  Result<Model> compile() const;

 private:
  static Pose<> shifted(const Vec3<>& point) { return {identity3<double>(), point}; }
  JointSpec& add_joint(JointKind kind, std::string name);
  JointSpec& last_joint(const char* option);
  ModelBuilder& set_passive(const char* option, double JointPassive::*property, double value);
  ModelBuilder& place(const Pose<>& X_PJ);
  ModelBuilder& place_on_child(const Pose<>& X_CJ);
  ModelBuilder& add_frame(std::string name, const Pose<>& X_BF);

  ModelSpec spec_;
  bool last_body_has_joint_ = false;
};

}  // namespace pintle
