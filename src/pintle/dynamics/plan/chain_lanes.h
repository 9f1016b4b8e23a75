// Links of a chain side by side in SIMD lanes: lane l of pack k is link k * kChainLanes + l, so that the outward order
// is lane by lane, then pack by pack.
#pragma once

#include "pintle/math/mat3.h"
#include "pintle/math/transpose_impl.h"
#include "pintle/model/plan/plan.h"

namespace pintle::inline PINTLE_ISA {

/// A scalar of several links side by side.
using ChainScalar = Pack<double, kChainLanes>;
static_assert(kChainLanes == 4, "lanes are told apart by number");

// ---- scalars

/// Shuffle: lane i of the result is lane kFrom_i of the concatenation of a and b.
template <int... kFrom>
PINTLE_INLINE ChainScalar lanes_of(ChainScalar a, ChainScalar b) {
  return ChainScalar(__builtin_shufflevector(a.lanes, b.lanes, kFrom...));
}

/// Broadcasts one lane to all lanes.
template <int kLane>
PINTLE_INLINE ChainScalar everywhere(ChainScalar x) {
  return lanes_of<kLane, kLane, kLane, kLane>(x, x);
}

/// The values of the parents of these links; the first lane of `inner` is that of the parent of the first link.
PINTLE_INLINE ChainScalar of_parents(ChainScalar x, ChainScalar inner) {
  return lanes_of<4, 0, 1, 2>(x, inner);
}
/// The values of the children of these links; the first lane of `outer` is that of the child of the last link.
PINTLE_INLINE ChainScalar of_children(ChainScalar x, ChainScalar outer) {
  return lanes_of<1, 2, 3, 4>(x, outer);
}

/// Prefix sums, from the first lane.
PINTLE_INLINE ChainScalar sums_outwards(ChainScalar x) {
  const ChainScalar zero(0.0), pairs = x + lanes_of<4, 0, 1, 2>(x, zero);
  return pairs + lanes_of<4, 5, 0, 1>(pairs, zero);
}
/// Suffix sums, from the last lane.
PINTLE_INLINE ChainScalar sums_inwards(ChainScalar x) {
  const ChainScalar zero(0.0), pairs = x + lanes_of<1, 2, 3, 4>(x, zero);
  return pairs + lanes_of<2, 3, 4, 5>(pairs, zero);
}

// ---- vectors and tensors

/// Applies f component-wise.
template <class F, class... More>
PINTLE_INLINE Vec3<ChainScalar> each(const F& f, const Vec3<ChainScalar>& a, const More&... more) {
  return {f(a.x, more.x...), f(a.y, more.y...), f(a.z, more.z...)};
}
template <class F, class... More>
PINTLE_INLINE SymMat3<ChainScalar> each(const F& f, const SymMat3<ChainScalar>& a, const More&... more) {
  return {f(a.xx, more.xx...), f(a.xy, more.xy...), f(a.xz, more.xz...),
          f(a.yy, more.yy...), f(a.yz, more.yz...), f(a.zz, more.zz...)};
}

template <class Numbers>
PINTLE_INLINE Numbers of_parents(const Numbers& x, const Numbers& inner) {
  return each([](ChainScalar a, ChainScalar b) { return of_parents(a, b); }, x, inner);
}
template <class Numbers>
PINTLE_INLINE Numbers of_children(const Numbers& x, const Numbers& outer) {
  return each([](ChainScalar a, ChainScalar b) { return of_children(a, b); }, x, outer);
}

/// The sums from the root to each link, where `inner` is that before the first lane; it becomes that of the last.
template <class Numbers>
PINTLE_INLINE Numbers sums_outwards(const Numbers& x, Numbers& inner) {
  const Numbers sums = each([](ChainScalar a, ChainScalar b) { return sums_outwards(a) + b; }, x, inner);
  inner = each([](ChainScalar a) { return everywhere<kChainLanes - 1>(a); }, sums);
  return sums;
}
/// The sums from the tip to each link, where `outer` is that after the last lane; it becomes that of the first.
template <class Numbers>
PINTLE_INLINE Numbers sums_inwards(const Numbers& x, Numbers& outer) {
  const Numbers sums = each([](ChainScalar a, ChainScalar b) { return sums_inwards(a) + b; }, x, outer);
  outer = each([](ChainScalar a) { return everywhere<0>(a); }, sums);
  return sums;
}

/// Transposes in place.
PINTLE_INLINE void transpose(ChainScalar& a, ChainScalar& b, ChainScalar& c, ChainScalar& d) {
  ChainScalar rows[kChainLanes] = {a, b, c, d};
  transpose<kChainLanes / 2>(rows);
  a = rows[0], b = rows[1], c = rows[2], d = rows[3];
}

/// Broadcasts a vector to all lanes.
PINTLE_INLINE Vec3<ChainScalar> everywhere(const Vec3<>& a) {
  return {ChainScalar(a.x), ChainScalar(a.y), ChainScalar(a.z)};
}

// ---- values of a state

/// The lanes in memory, to read and write one by one.
PINTLE_INLINE double* lanes_at(ChainScalar& x) {
  return reinterpret_cast<double*>(&x);
}
PINTLE_INLINE const double* lanes_at(const ChainScalar& x) {
  return reinterpret_cast<const double*>(&x);
}

/// Loads the values of the links of pack k; zero beyond the tip. Packs other than the first may read values before
/// their own: shifting lanes is faster than inserting values one by one.
PINTLE_INLINE ChainScalar of_links(const double* values, int k, int links) {
  const int first = k * kChainLanes;
  const ChainScalar zero(0.0);
  switch (links - first) {
    case 1:
      return lanes_of<3, 4, 5, 6>(load<ChainScalar>(values + first - 3), zero);
    case 2:
      return lanes_of<2, 3, 4, 5>(load<ChainScalar>(values + first - 2), zero);
    case 3:
      return lanes_of<1, 2, 3, 4>(load<ChainScalar>(values + first - 1), zero);
    default:
      return load<ChainScalar>(values + first);
  }
}
/// Stores them.
PINTLE_INLINE void put(ChainScalar x, int k, int links, double* values) {
  const int first = k * kChainLanes;
  if (links - first >= kChainLanes) return store(x, values + first);
  for (int lane = 0; lane < links - first; ++lane) values[first + lane] = x[lane];
}

}  // namespace pintle::inline PINTLE_ISA
