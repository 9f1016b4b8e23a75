// The passive efforts of joints for any scalar.
#pragma once

#include <span>

#include "pintle/model/compiled/model.h"
#include "pintle/model/links/configuration_impl.h"

namespace pintle::inline PINTLE_ISA {

/// Passive parameters of a dof, of as many models as C has lanes.
template <class C>
struct PassiveParameters {
  C damping, friction, stiffness, rest;
};

/// Whether a dof has a spring; of several models at once it is not asked.
inline bool has_spring(const JointPassive& passive) {
  return passive.stiffness != 0.0;
}
template <class C>
bool has_spring(const PassiveParameters<C>&) {
  return true;
}

/// -dE/dq of the dofs of a joint.
template <class T, class PassiveOf>
inline void spring_efforts(const Link& link, const PassiveOf& passive_of, const T* q, T* springs) {
  bool any = false;
  for (int k = 0; k < link.nv; ++k) {
    springs[k] = T(0);
    any = any || has_spring(passive_of(link.v + k));
  }
  if (!any) return;
  T stretch[kMaxDofs];
  stretch_of_joint(link.kind, q + link.q, stretch);
  for (int k = 0; k < link.nv; ++k) {
    const auto& passive = passive_of(link.v + k);
    springs[k] = constant<T>(-passive.stiffness) * (stretch[k] - constant<T>(passive.rest));
  }
  efforts_along_stretch(link.kind, q + link.q, stretch, springs, springs);
}

/// tau = -damping v - dE/dq - friction sign(v) with the energy E = sum of stiffness (stretch - rest)^2 / 2, for every
/// dof of all joints; q, v and tau are those of all joints. passive_of(i) gives the JointPassive or the
/// PassiveParameters of dof i. Without `with_friction` that term is left out.  [eq. passive]
template <class T, class PassiveOf>
inline void passive_efforts_by(std::span<const Link> links, const PassiveOf& passive_of, const T* q, const T* v, T* tau,
                               bool with_friction) {
  const T zero(0);
  for (const Link& link : links) {
    T springs[kMaxDofs];
    spring_efforts(link, passive_of, q, springs);
    for (int k = 0; k < link.nv; ++k) {
      const int i = link.v + k;
      const auto& passive = passive_of(i);
      const T max_friction = with_friction ? constant<T>(passive.friction) : zero;
      const T friction = select(v[i] > zero, -max_friction, select(v[i] < zero, max_friction, zero));
      tau[i] = friction - constant<T>(passive.damping) * v[i] + springs[k];
    }
  }
}

/// The same of one model.  [eq. passive]
template <class T>
inline void passive_efforts_of_joints(std::span<const Link> links, std::span<const ModelDof> dofs, const T* q,
                                      const T* v, T* tau, bool with_friction = true) {
  const auto passive_of = [dofs](int i) -> const JointPassive& { return dofs[static_cast<std::size_t>(i)].passive; };
  passive_efforts_by(links, passive_of, q, v, tau, with_friction);
}

}  // namespace pintle::inline PINTLE_ISA
