// Model: a compiled, immutable mechanism. Made by `compile`; read by every algorithm.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "pintle/base/result.h"
#include "pintle/model/links/dof_branches.h"
#include "pintle/model/links/link.h"
#include "pintle/model/spec/model_spec.h"

namespace pintle {

/// A body of the spec, in the compiled model.
struct ModelBody {
  std::string name;
  int link;                  ///< the link it is part of, -1 when it is welded to the world
  Pose<> X_LB;               ///< its frame in the link's frame (in the world's, for link -1)
  SpatialInertia<> inertia;  ///< its own inertia, in its own frame
  int joint;                 ///< the joint that carries it
};

/// A joint of the spec, fixed ones included.
struct ModelJoint {
  std::string name;
  JointKind kind;
  int parent_body;  ///< -1 for the world
  int child_body;
  Pose<> X_PJ;      ///< the joint's frame in the parent body
  Pose<> X_CJ;      ///< the joint's frame in the child body
  int q;            ///< index of its first coordinate in a configuration of all joints; meaningless for a fixed joint
  int v;            ///< index of its first velocity in a velocity of all joints
  int link;         ///< the link it carries, -1 for a fixed joint
  bool prescribed;  ///< its motion is prescribed
};

/// A named frame on a body (-1: the world).
struct ModelFrame {
  std::string name;
  int body;
  Pose<> X_BF;
};

/// q of `joint` = ratio * q of `driver` + offset; the driver is not coupled itself.
struct ModelCoupling {
  int joint;
  int driver;
  double ratio;
  double offset;
};

/// A joint with coordinates of its own, with its indices among the independent ones.
struct IndependentJoint {
  int joint;
  JointKind kind;
  int q;
  int v;
};

/// The source of a coordinate of all joints: ratio * (independent coordinate `source`) + offset. Without couplings
/// every coordinate is its own source.
struct CoordinateSource {
  int source;
  double ratio;
  double offset;
};

/// One dof of all joints: its passive properties and limits, and the joint it belongs to.
struct ModelDof {
  int joint;
  int index;  ///< 0 ... nv - 1 within its joint
  JointPassive passive;
  JointLimits limits;
};

class Plan;
struct ModelData;

/// The sizes and flags that functions read in every call.
struct ModelSummary {
  std::uint64_t serial = 0;
  int nq = 0;
  int nv = 0;
  bool has_couplings = false;
  bool has_passive = false;
};

/// A validated mechanism.
///
/// Coordinates: a joint that is coupled to another one has no coordinates of its own. `nq` and `nv` count the
/// independent ones, which callers pass in; `joint_nq` and `joint_nv` those of all joints, which algorithms use
/// internally and which index ModelJoint, ModelDof and Link. Without couplings they are the same.
///
/// Bodies, joints and frames keep the order of the spec; links are in depth-first order of the tree, children of a body
/// in the order of their joints. Copies share the same immutable data.
class Model {
 public:
  Model(const Model& other);
  Model& operator=(const Model& other);
  ~Model();

  const std::string& name() const;
  const Vec3<>& gravity() const;

  /// An identifier that all copies share and that no other model of the process has.
  std::uint64_t serial() const { return summary_->serial; }

  std::span<const ModelBody> bodies() const;
  std::span<const ModelJoint> joints() const;
  std::span<const ModelFrame> frames() const;
  std::span<const ModelCoupling> couplings() const;
  bool has_couplings() const { return summary_->has_couplings; }
  std::span<const ModelDof> dofs() const;
  /// Whether any joint has damping, a spring or friction.
  bool has_passive() const { return summary_->has_passive; }
  std::span<const Link> links() const;

  /// The number of independent coordinates and of independent velocities (dofs).
  int nq() const { return summary_->nq; }
  int nv() const { return summary_->nv; }

  /// The number of coordinates and of velocities of all joints.
  int joint_nq() const;
  int joint_nv() const;

  /// The joints with coordinates of their own, in the order of these coordinates.
  std::span<const IndependentJoint> independent_joints() const;

  /// Returns the joint that an independent dof belongs to.
  int joint_of_dof(int v) const;

  /// For each independent dof the next one towards the root on its branch, -1 for the first. The mass matrix has
  /// entries only between a dof and those on its branch; joints that a coupling ties together share one branch.
  std::span<const int> dof_parents() const;
  /// The same for kernels.
  DofBranches dof_branches() const;

  /// All joints, fixed ones too, each after the one that carries its parent body.
  std::span<const int> joints_outwards() const;

  /// The sources of the coordinates of all joints, one entry each.
  std::span<const CoordinateSource> q_sources() const;
  std::span<const CoordinateSource> v_sources() const;

  /// Returns the index of a body, joint or frame; throws UsageError with the nearest name when there is none.
  int body(std::string_view name) const;
  int joint(std::string_view name) const;
  int frame(std::string_view name) const;

  /// What algorithms read; valid as long as this model.
  LinkTree tree() const;

  /// The same for the fast kernels (plan.h).
  const Plan& plan() const;

 private:
  friend class ModelCompiler;
  explicit Model(ModelData* data);

  ModelData* data_;              // shared by all copies
  const ModelSummary* summary_;  // of data_
};

/// Validates a spec and compiles it, perhaps with warnings. A failure lists every problem, with origin, cause and fix.
Result<Model> compile(const ModelSpec& spec);

}  // namespace pintle
