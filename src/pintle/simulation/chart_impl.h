// Local coordinates of configurations, for any scalar: what makes of motion on a manifold an ordinary differential
// equation that every integrator keeps its order on.
//
// Around the configuration q0 of a step's start every configuration is q = integrate(q0, xi), each joint on its own,
// and dxi/dt = J(xi) v. Stages that are added up as xi and put on the manifold at the end keep the order of a method;
// stages through integrate(q, v dt) alone would fall to order 2 on ball and free joints.
#pragma once

#include <span>

#include "pintle/model/configuration_impl.h"
#include "pintle/model/model.h"

namespace pintle::inline PINTLE_ISA {

/// q = integrate(q0, xi) of the independent joints.  [eq. chart]
template <class T>
inline void chart_point(std::span<const IndependentJoint> joints, const T* q0, const T* xi, T* q) {
  for (const IndependentJoint& joint : joints) integrate_joint(joint.kind, q0 + joint.q, xi + joint.v, q + joint.q);
}

/// dxi/dt of a motion with velocity v at xi.  [eq. chart]
template <class T>
inline void chart_rate(std::span<const IndependentJoint> joints, const T* xi, const T* v, T* rate) {
  for (const IndependentJoint& joint : joints) {
    const int nv = facts(joint.kind).nv;
    if (quaternion_place(joint.kind) < 0) {
      for (int i = 0; i < nv; ++i) rate[joint.v + i] = v[joint.v + i];
      continue;
    }
    Matrix6<T> J;
    difference_jacobian_joint(joint.kind, xi + joint.v, J);
    for (int i = 0; i < nv; ++i) {
      T sum(0);
      for (int k = 0; k < nv; ++k) sum = fma(J.m[i][k], v[joint.v + k], sum);
      rate[joint.v + i] = sum;
    }
  }
}

}  // namespace pintle::inline PINTLE_ISA
