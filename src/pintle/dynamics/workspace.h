// Memory of the algorithms, made once per thread for a model; after that no call allocates. One class per algorithm.
#pragma once

#include "pintle/base/arena.h"
#include "pintle/base/buffer.h"
#include "pintle/dynamics/recursions/buffers.h"
#include "pintle/model/compiled/model.h"

namespace pintle {

/// The sizes of the model that a workspace was made for.
struct ModelSizes {
  explicit ModelSizes(const Model& of);

  bool operator==(const ModelSizes& other) const { return model == other.model || has_same(other); }

  std::uint64_t model;  ///< its serial number: if it matches, the sizes need no check
  std::size_t links, bodies, couplings, joint_nq, joint_nv, nv;

 private:
  bool has_same(const ModelSizes& other) const;
};

/// Throws UsageError, naming the function, unless a workspace was made for a model of these sizes.
void require_same_sizes(const char* function, const ModelSizes& made_for, const Model& model);
inline void require_fit(const char* function, const ModelSizes& made_for, const Model& model) {
  if (made_for.model != model.serial()) require_same_sizes(function, made_for, model);
}

/// Memory of the outward pass.
template <class T = double>
class TreeMotionMemory {
 public:
  explicit TreeMotionMemory(const Model& model)
      : X_PL_(model.links().size()), S_(model.dofs().size()), V_(model.links().size()), c_(model.links().size()) {}

  TreeMotion<T> view() { return {X_PL_.data(), S_.data(), V_.data(), c_.data()}; }
  ConstTreeMotion<T> view() const { return {X_PL_.data(), S_.data(), V_.data(), c_.data()}; }

 private:
  Buffer<Pose<T>> X_PL_;
  Buffer<Twist<T>> S_;
  Buffer<Twist<T>> V_;
  Buffer<Twist<T>> c_;
};

/// Coordinates of all joints, for models with couplings; without couplings the caller's arrays are used directly.
template <class T = double>
struct JointArrays {
  explicit JointArrays(const Model& model)
      : q(model.q_sources().size()), v(model.v_sources().size()), vdot(v.size()), tau(v.size()) {}

  Buffer<T> q, v, vdot, tau;
};

/// Memory of the fast kernels of one state (planned_kernels.h), and where the results of the last call are.
class PlannedWorkspace {
 public:
  /// `used`: false where there are no fast kernels.
  PlannedWorkspace(const Model& of, bool used);

  /// Memory for a kernel of this model, which becomes the model of the next call. A model of the same sizes
  /// (require_fit) may have a plan that needs more memory than there is: then throws UsageError that names the
  /// function.
  std::byte* memory(const char* function, const Model& of) {
    if (of.serial() != serial_) take(function, of);
    return memory_.data();
  }

  /// Stores q of a call of the fast kernels, for all joints. Returns whether it, v and x (vdot or tau) are finite.
  bool keep(const double* with_q, const double* with_v, const double* with_x);

  bool in_use = false;  ///< the last call was one of the fast kernels, which leave nothing in the buffers
  bool given = false;   ///< it had prescribed dofs
  bool world_moves = false;
  RootMotion root;   ///< of it, if the world moves
  Buffer<double> q;  ///< of it

 private:
  void take(const char* function, const Model& of);

  std::uint64_t serial_;  ///< of the model of the last call
  std::size_t joint_nv_;
  AlignedMemory memory_;
};

template <class T = double>
class InverseDynamicsWorkspace {
 public:
  explicit InverseDynamicsWorkspace(const Model& model)
      : sizes(model),
        joints(model),
        passive(model.dofs().size()),
        zero(static_cast<std::size_t>(model.nv())),
        external(model.links().size()),
        planned(model, std::is_same_v<T, double>),
        motion_(model),
        A_(model.links().size()),
        F_(model.links().size()) {}

  /// What the plain recursion leaves (DynamicsOptions::keep_recursion); the fast kernels leave nothing here.
  InverseDynamicsBuffers<T> view() { return {motion_.view(), A_.data(), F_.data()}; }

  ModelSizes sizes;
  JointArrays<T> joints;
  Buffer<T> passive;           ///< efforts of all joints
  Buffer<T> zero;              ///< stays zero: a zero velocity or acceleration
  Buffer<Wrench<T>> external;  ///< on the links
  PlannedWorkspace planned;

 private:
  TreeMotionMemory<T> motion_;
  Buffer<Twist<T>> A_;
  Buffer<Wrench<T>> F_;
};

template <class T = double>
class MassMatrixWorkspace {
 public:
  explicit MassMatrixWorkspace(const Model& model)
      : sizes(model),
        joints(model),
        M(model.has_couplings() ? model.dofs().size() * model.dofs().size() : 0),
        planned(model, std::is_same_v<T, double>),
        X_PL_(model.links().size()),
        S_(model.dofs().size()),
        I_C_(model.links().size()) {}

  MassMatrixBuffers<T> view() { return {X_PL_.data(), S_.data(), I_C_.data()}; }

  ModelSizes sizes;
  JointArrays<T> joints;
  Buffer<T> M;  ///< of all joints, for models with couplings
  PlannedWorkspace planned;

 private:
  Buffer<Pose<T>> X_PL_;
  Buffer<Twist<T>> S_;
  Buffer<SpatialInertia<T>> I_C_;
};

/// Scalars that packs are made of.
template <class T>
struct alignas(64) RowLine {
  T numbers[kRowLanes];
};

/// The factors of a mass matrix: M = L'D L, L unit lower triangular with entries on branches only
/// (mass_matrix_factor.h).
template <class T = double>
class MassMatrixFactor {
 public:
  MassMatrixFactor() = default;
  explicit MassMatrixFactor(const Model& model)
      : lines(static_cast<std::size_t>(model.nv() * (model.dof_branches().row / kRowLanes))) {}

  T* L() { return reinterpret_cast<T*>(lines.data()); }
  const T* L() const { return reinterpret_cast<const T*>(lines.data()); }
  std::size_t size() const { return lines.size() * kRowLanes; }

  /// Per dof a row of DofBranches::row entries: L along its branch from the root outwards, then its D.
  Buffer<RowLine<T>> lines;
};

/// Memory of the articulated inertias at a configuration and of what is computed from them.
template <class T = double>
class ArticulatedWorkspace {
 public:
  explicit ArticulatedWorkspace(const Model& model)
      : X_PL_(model.links().size()),
        S_(model.dofs().size()),
        I_A_(model.links().size()),
        U_(model.dofs().size()),
        D_(model.links().size()),
        p_(model.links().size()),
        u_(model.dofs().size()),
        A_(model.links().size()) {}

  ArticulatedBuffers<T> view() { return {X_PL_.data(), S_.data(), I_A_.data(), U_.data(), D_.data()}; }
  ResponseBuffers<T> response() { return {p_.data(), u_.data(), A_.data()}; }

 private:
  Buffer<Pose<T>> X_PL_;
  Buffer<Twist<T>> S_;
  Buffer<ArticulatedInertia<T>> I_A_;
  Buffer<Wrench<T>> U_;
  Buffer<JointBlock<T>> D_;
  Buffer<Wrench<T>> p_;
  Buffer<T> u_;
  Buffer<Twist<T>> A_;
};

template <class T = double>
class ForwardDynamicsWorkspace {
 public:
  explicit ForwardDynamicsWorkspace(const Model& model)
      : sizes(model),
        joints(model),
        inverse(model),
        mass(model),
        M(model.has_couplings() ? static_cast<std::size_t>(model.nv()) * static_cast<std::size_t>(model.nv()) : 0),
        factor(model.has_couplings() ? MassMatrixFactor<T>(model) : MassMatrixFactor<T>()),
        tau(static_cast<std::size_t>(model.nv())),
        correction(static_cast<std::size_t>(model.nv())),
        given(static_cast<std::size_t>(model.nv())),
        planned(model, std::is_same_v<T, double>),
        motion_(model),
        I_A_(model.links().size()),
        p_A_(model.links().size()),
        U_(model.dofs().size()),
        D_(model.links().size()),
        u_(model.dofs().size()),
        A_(model.links().size()),
        p_(model.links().size()),
        response_A_(model.links().size()),
        response_u_(model.dofs().size()) {}

  /// What the plain recursion leaves (DynamicsOptions::keep_recursion); the fast kernels leave nothing here.
  ForwardDynamicsBuffers<T> view() {
    return {motion_.view(), I_A_.data(), p_A_.data(), U_.data(), D_.data(), u_.data(), A_.data()};
  }
  /// For refinement: separate from the above, which stays as the recursion left it.
  ResponseBuffers<T> response() { return {p_.data(), response_u_.data(), response_A_.data()}; }

  ModelSizes sizes;
  JointArrays<T> joints;
  InverseDynamicsWorkspace<T> inverse;  ///< for refinement, couplings and efforts of prescribed motions
  MassMatrixWorkspace<T> mass;          ///< for models with couplings
  Buffer<T> M;                          ///< of the independent dofs, for models with couplings
  MassMatrixFactor<T> factor;           ///< for models with couplings
  Buffer<T> tau;                        ///< the caller's efforts
  Buffer<T> correction;                 ///< of vdot
  Buffer<unsigned char> given;          ///< which independent dofs have a prescribed acceleration
  PlannedWorkspace planned;

 private:
  TreeMotionMemory<T> motion_;
  Buffer<ArticulatedInertia<T>> I_A_;
  Buffer<Wrench<T>> p_A_;
  Buffer<Wrench<T>> U_;
  Buffer<JointBlock<T>> D_;
  Buffer<T> u_;
  Buffer<Twist<T>> A_;
  Buffer<Wrench<T>> p_;
  Buffer<Twist<T>> response_A_;
  Buffer<T> response_u_;
};

}  // namespace pintle
