// How far two states of a free body are apart.
#pragma once

#include "pintle/math/scalar.h"
#include "pintle/simulation/integrators/free_body.h"

namespace test {

inline double largest(const pintle::Vec3<>& a) {
  using namespace pintle;
  return max(abs(a.x), max(abs(a.y), abs(a.z)));
}

/// q and -q are one orientation.
inline double apart(const pintle::FreeBodyState<>& a, const pintle::FreeBodyState<>& b) {
  using namespace pintle;
  const double turned = 2.0 * norm(vector_part(conjugate(a.orientation) * b.orientation));
  return max(max(largest(a.position - b.position), turned),
             max(largest(a.momentum.linear - b.momentum.linear), largest(a.momentum.angular - b.momentum.angular)));
}

}  // namespace test
