// The passive efforts of joints for any scalar.
#pragma once

#include <span>

#include "pintle/model/configuration_impl.h"
#include "pintle/model/model.h"

namespace pintle::inline PINTLE_ISA {

/// tau = -damping v - stiffness (q - rest) - friction sign(v), for every freedom of all joints; q, v and tau are
/// numbers of all joints.  [eq. passive]
template <class T>
inline void passive_efforts_of_joints(std::span<const Link> links, std::span<const ModelFreedom> freedoms, const T* q,
                                      const T* v, T* tau) {
  const T zero(0);
  for (const Link& link : links) {
    // How far the joint is from zero, as a velocity for unit time.
    T origin[7] = {zero, zero, zero, zero, zero, zero, zero};
    const int place = quaternion_place(link.kind);
    if (place >= 0) origin[place + 3] = T(1);
    T displacement[kMostFreedoms];
    difference_joint(link.kind, origin, q + link.q, displacement);
    for (int k = 0; k < link.nv; ++k) {
      const int i = link.v + k;
      const JointPassive& passive = freedoms[static_cast<std::size_t>(i)].passive;
      const T rest = constant<T>(place >= 0 ? 0.0 : passive.rest);
      const T most = constant<T>(passive.friction);
      const T friction = select(v[i] > zero, -most, select(v[i] < zero, most, zero));
      tau[i] =
          friction - constant<T>(passive.damping) * v[i] - constant<T>(passive.stiffness) * (displacement[k] - rest);
    }
  }
}

}  // namespace pintle::inline PINTLE_ISA
