// PackPair<P>: two packs as one scalar. Operations on the second fill the latency of those on the first.
#pragma once

#include "pintle/math/pack.h"

namespace pintle::inline PINTLE_ISA {

/// The result of comparing two pairs.
template <class P>
struct PairMask {
  mask_t<P> low, high;
};
template <class P>
PINTLE_INLINE bool all(const PairMask<P>& condition) {
  return all(condition.low) && all(condition.high);
}

/// A scalar with the lanes of two packs P, with the arithmetic that chains of sums and products need.
template <class P>
struct PackPair {
  static constexpr int kLanes = 2 * P::kLanes;

  P low, high;

  PackPair() = default;
  PINTLE_INLINE PackPair(const P& a, const P& b) : low(a), high(b) {}
  /// Every lane holds `value`.
  PINTLE_INLINE PackPair(base_t<P> value) : low(value), high(value) {}

  PINTLE_INLINE base_t<P> operator[](int lane) const { return lane < P::kLanes ? low[lane] : high[lane - P::kLanes]; }

  PINTLE_INLINE friend PackPair operator+(const PackPair& a, const PackPair& b) {
    return {a.low + b.low, a.high + b.high};
  }
  PINTLE_INLINE friend PackPair operator-(const PackPair& a, const PackPair& b) {
    return {a.low - b.low, a.high - b.high};
  }
  PINTLE_INLINE friend PackPair operator*(const PackPair& a, const PackPair& b) {
    return {a.low * b.low, a.high * b.high};
  }
  PINTLE_INLINE friend PackPair operator-(const PackPair& a) { return {-a.low, -a.high}; }
  PINTLE_INLINE friend PairMask<P> operator<(const PackPair& a, const PackPair& b) {
    return {a.low < b.low, a.high < b.high};
  }
  PINTLE_INLINE friend PackPair fma(const PackPair& a, const PackPair& b, const PackPair& c) {
    return {fma(a.low, b.low, c.low), fma(a.high, b.high, c.high)};
  }
};

}  // namespace pintle::inline PINTLE_ISA

namespace pintle {

template <class P>
struct ScalarTraits<PINTLE_ISA::PackPair<P>> {
  using Base = base_t<P>;
  using Mask = PINTLE_ISA::PairMask<P>;
};

}  // namespace pintle
