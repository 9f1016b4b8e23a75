// How large the velocities and accelerations of links are, as sums of the sizes of their terms: what rounding errors
// are judged by.
#pragma once

#include "pintle/dynamics/recursions/buffers.h"
#include "properties/dynamics_of.h"

namespace test {

/// Per link, from the roots outwards, every lever arm taken in full.
struct MotionSizes {
  /// v and vdot are numbers of all joints; `pull` is the size of what gravity gives every root.
  MotionSizes(std::span<const Link> links, const TreeMotion<double>& motion, std::span<const double> v,
              std::span<const double> vdot, double pull = 0.0)
      : u(links.size()), w(links.size()), a(links.size(), pull), alpha(links.size()) {
    for (std::size_t i = 0; i < links.size(); ++i) {
      const Link& link = links[i];
      if (link.parent >= 0) {
        const std::size_t p = size(link.parent);
        const double lever = norm(motion.X_PL[i].translation);
        u[i] = u[p] + lever * w[p];
        w[i] = w[p];
        a[i] = a[p] + lever * alpha[p];
        alpha[i] = alpha[p];
      }
      for (std::size_t k = size(link.v); k < size(link.v + link.nv); ++k) {
        u[i] += norm(motion.S[k].linear) * abs(v[k]);
        w[i] += norm(motion.S[k].angular) * abs(v[k]);
        a[i] += norm(motion.S[k].linear) * abs(vdot[k]);
        alpha[i] += norm(motion.S[k].angular) * abs(vdot[k]);
      }
      a[i] += norm(motion.c[i].linear);
      alpha[i] += norm(motion.c[i].angular);
    }
  }

  Numbers u, w;      ///< of velocities, linear and angular
  Numbers a, alpha;  ///< of accelerations
};

}  // namespace test
