// The dynamics of one pack of states, used by batches and batched steps. Value k of the state in lane l is entry k *
// lanes + l of an array, which begins at a multiple of 64 bytes.
#pragma once

#include "pintle/base/arena.h"
#include "pintle/batch/model_batch.h"
#include "pintle/batch/planned_pack_kernels.h"

namespace pintle {

/// Results are bitwise those of the functions of one state: the same planned kernels, passive efforts and couplings.
template <class T>
class PackDynamics {
 public:
  /// Takes its memory from `room`. The model must outlive it, and so must `factor`, scratch of a model with couplings.
  PackDynamics(const Model& model, const BatchOptions& options, MassMatrixFactor<>* factor, Arena& room);
  /// Every lane has its own model; the models must outlive it, too. `mixed`: lanes take models one by one.
  PackDynamics(const ModelBatch<T>& models, const BatchOptions& options, MassMatrixFactor<>* factor, Arena& room,
               bool mixed = false);

  /// Selects this pack of a batch, with its models, for the following calls.
  void begin(std::size_t pack);
  /// For the following calls, lanes take any of the models by put_model.
  void begin_mixed();
  void put_model(std::size_t model, int lane);

  void inverse_dynamics(const T* q, const T* v, const T* vdot, T* tau);
  /// Returns the lanes, one bit each, in which the inertia that a joint moves is nearly singular. `vdot` may alias
  /// `tau`.
  unsigned forward_dynamics(const T* q, const T* v, const T* tau, T* vdot);
  void mass_matrix(const T* q, T* M);
  /// M^-1 of models without couplings, with memory of PackMatrixKernels::inverse_bytes. Returns the lanes, one bit
  /// each, in which the inertia that a joint moves is nearly singular.
  unsigned mass_matrix_inverse(const T* q, std::byte* memory, T* inverse);

  /// The lanes, one bit each, in which the inertia that a joint of a model without couplings moves is nearly singular
  /// at q.
  unsigned singular_lanes(const T* q);

  /// The configurations and the velocities of all joints: the arrays themselves without couplings. Valid until the next
  /// call.
  const T* joint_q(const T* q);
  const T* joint_v(const T* v);
  /// Likewise of accelerations.
  const T* joint_vdot(const T* vdot);
  /// A matrix of the independent dofs from one of all joints, which need not be symmetric: G' C G.  [eq. coupling]
  void independent_matrix(const T* joint_C, T* C);

 private:
  PackDynamics(const Model& model, const ModelBatch<T>* models, const BatchOptions& options, MassMatrixFactor<>* factor,
               Arena& room, bool mixed);

  // By the planned kernels, for one model or one model per lane.
  void plan_efforts(const T* joint_q, const T* joint_v, const T* joint_vdot, T* joint_tau);
  bool plan_accelerations(const T* q, const T* v, const T* tau, T* vdot);
  void plan_mass_matrix(const T* joint_q, T* joint_M);

  void find_passive(const T* joint_q, const T* joint_v);
  void efforts(const T* joint_q, const T* joint_v, const T* joint_vdot, T* tau);
  unsigned coupled_forward(const T* q, const T* v, const T* tau, T* vdot);
  unsigned factor();
  void solve(T* x);

  const Model& model_;                     // or the first of the models
  const ModelBatch<T>* models_;            // null: there is one
  const std::byte* constants_ = nullptr;   // of the models in the lanes
  const T* passive_parameters_ = nullptr;  // likewise
  std::byte* mixed_constants_;
  T* mixed_passive_;
  std::size_t* lane_models_;
  MassMatrixFactor<>* factor_;
  PlanView<T> plan_;
  bool passive_, friction_, coupled_;
  int lanes_;
  std::byte* memory_;  // of the kernels
  T *columns_, *passive_tau_, *joint_q_, *joint_v_, *joint_vdot_, *joint_tau_, *tau_, *correction_, *joint_M_, *M_;
  double *L_, *lane_M_;  // lane after lane; of one lane
  // To examine one lane.
  std::size_t alone_bytes_;
  std::byte* alone_;
  T *alone_q_, *alone_v_, *alone_vdot_;
};

}  // namespace pintle
