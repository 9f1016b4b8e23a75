// One fixed step of one pack of states (batch/pack_dynamics.h): bitwise the steps of fixed_step_impl.h in every lane.
#pragma once

#include <span>

#include "pintle/batch/pack_dynamics.h"
#include "pintle/simulation/integrators/chart_impl.h"
#include "pintle/simulation/integrators/stepper.h"

namespace pintle {

template <class T>
class PackStep {
 public:
  /// Takes its memory from `room`; the model and `factor` must outlive it. `joints`: those of chart_joints, with the
  /// centres of every lane until take_centers.
  PackStep(const Model& model, std::span<const ChartJoint> joints, const BatchOptions& options,
           MassMatrixFactor<>* factor, Arena& room);
  /// Its lanes take any of the models (PackDynamics::begin_mixed).
  PackStep(const ModelBatch<T>& models, std::span<const ChartJoint> joints, const BatchOptions& options,
           MassMatrixFactor<>* factor, Arena& room);

  /// The centres of mass in a lane become those of these joints, of another model.
  void take_centers(std::span<const ChartJoint> joints, std::size_t lane);

  /// (q1, v1) becomes the state a time h [s] after (q, v), under gravity, passive efforts and tau, which is constant
  /// during the step. Returns the lanes, one bit each, in which the inertia that a joint moves is nearly singular. The
  /// methods are semi_implicit_euler and rk4.
  unsigned step(Method method, T h, const T* q, const T* v, const T* tau, T* q1, T* v1);

  PackDynamics<T>& dynamics() { return dynamics_; }

 private:
  PackStep(const Model& model, std::span<const ChartJoint> joints, const PackDynamics<T>& dynamics, Arena& room);
  unsigned euler_step(T h, const T* q, const T* v, const T* tau, T* q1, T* v1);
  unsigned rk4_step(T h, const T* q, const T* v, const T* tau, T* q1, T* v1);
  struct JointPack;
  template <class Function>
  void for_joint_packs(Function function) const;
  void chart_states(const T* q0, const T* xi, const T* u, T* q, T* v) const;
  void rate(const T* xi, const T* u, T* to) const;
  void to_chart_accelerations(const T* v, T* vdot) const;
  const T* begin(const T* v);

  std::span<const ChartJoint> joints_;
  PackDynamics<T> dynamics_;
  int nq_, nv_, lanes_;
  bool free_;
  T *centers_, *rotations_;  // of the joints with a quaternion, per component, lane by lane
  T *xi_, *u0_, *u_, *xi_rate_[4], *u_rate_[4];
};

}  // namespace pintle
