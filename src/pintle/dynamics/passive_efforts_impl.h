// The passive efforts of joints for any scalar.
#pragma once

#include <span>

#include "pintle/model/configuration_impl.h"
#include "pintle/model/model.h"

namespace pintle::inline PINTLE_ISA {

/// tau = -damping v - dE/dq - friction sign(v) with the energy E = sum of stiffness (stretch - rest)^2 / 2, for every
/// freedom of all joints; q, v and tau are numbers of all joints. Without `with_friction` that term is left out.
/// [eq. passive]
template <class T>
inline void passive_efforts_of_joints(std::span<const Link> links, std::span<const ModelFreedom> freedoms, const T* q,
                                      const T* v, T* tau, bool with_friction = true) {
  const T zero(0);
  for (const Link& link : links) {
    T stretch[kMostFreedoms], springs[kMostFreedoms];
    stretch_of_joint(link.kind, q + link.q, stretch);
    for (int k = 0; k < link.nv; ++k) {
      const JointPassive& passive = freedoms[static_cast<std::size_t>(link.v + k)].passive;
      springs[k] = constant<T>(-passive.stiffness) * (stretch[k] - constant<T>(passive.rest));
    }
    efforts_along_stretch(link.kind, q + link.q, stretch, springs, springs);
    for (int k = 0; k < link.nv; ++k) {
      const int i = link.v + k;
      const JointPassive& passive = freedoms[static_cast<std::size_t>(i)].passive;
      const T most = constant<T>(with_friction ? passive.friction : 0.0);
      const T friction = select(v[i] > zero, -most, select(v[i] < zero, most, zero));
      tau[i] = friction - constant<T>(passive.damping) * v[i] + springs[k];
    }
  }
}

}  // namespace pintle::inline PINTLE_ISA
