// One fixed step of one pack of states (batch/pack_dynamics.h): bitwise the steps of fixed_step_impl.h in every lane.
#pragma once

#include <span>

#include "pintle/batch/pack_dynamics.h"
#include "pintle/simulation/integrators/stepper.h"

namespace pintle {

template <class T>
class PackStep {
 public:
  /// Takes its memory from `room`; the model and `factor` must outlive it. `turning`: the independent joints with a
  /// quaternion.
  PackStep(const Model& model, std::span<const IndependentJoint> turning, const BatchOptions& options,
           MassMatrixFactor<>* factor, Arena& room);
  /// Its lanes take any of the models (PackDynamics::begin_mixed).
  PackStep(const ModelBatch<T>& models, std::span<const IndependentJoint> turning, const BatchOptions& options,
           MassMatrixFactor<>* factor, Arena& room);

  /// (q1, v1) becomes the state a time h [s] after (q, v), under gravity, passive efforts and tau, which is constant
  /// during the step. Returns the lanes, one bit each, in which the inertia that a joint moves is nearly singular. The
  /// methods are semi_implicit_euler and rk4.
  unsigned step(Method method, T h, const T* q, const T* v, const T* tau, T* q1, T* v1);

  PackDynamics<T>& dynamics() { return dynamics_; }

 private:
  PackStep(const Model& model, std::span<const IndependentJoint> turning, const PackDynamics<T>& dynamics, Arena& room);
  unsigned euler_step(T h, const T* q, const T* v, const T* tau, T* q1, T* v1);
  unsigned rk4_step(T h, const T* q, const T* v, const T* tau, T* q1, T* v1);
  void point(const T* q, const T* xi, T* to) const;
  void rate(const T* xi, const T* v, T* to) const;

  std::span<const IndependentJoint> turning_;
  PackDynamics<T> dynamics_;
  int nq_, nv_, lanes_;
  T *xi_, *xi_rate_[4], *vdot_[4];
};

}  // namespace pintle
