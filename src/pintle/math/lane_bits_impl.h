// What the bodies of elementary functions share: bit patterns, polynomials, powers of two, and float through double.
#pragma once

#include <cstddef>

#include "pintle/math/elementary.h"

namespace pintle::inline PINTLE_ISA::elementary {

template <class T>
struct UnsignedBits {
  using Type = std::make_unsigned_t<lane_int_t<T>>;
};
template <class T, int N>
struct UnsignedBits<Pack<T, N>> {
  using Type = typename NativeVector<std::make_unsigned_t<lane_int_t<T>>, N>::Type;
};
/// Unsigned integers of the size of the lanes: one, or a vector of them.
template <class T>
using bits_t = typename UnsignedBits<T>::Type;
/// One such integer.
template <class T>
using lane_bits_t = typename UnsignedBits<base_t<T>>::Type;

template <class T>
PINTLE_INLINE bits_t<T> unsigned_bits(T x) {
  if constexpr (kIsPack<T>)
    return reinterpret_cast<bits_t<T>>(x.lanes);
  else
    return __builtin_bit_cast(bits_t<T>, x);
}

template <class T>
inline constexpr lane_bits_t<T> kSignBit = lane_bits_t<T>(1) << (8 * sizeof(base_t<T>) - 1);

/// The one NaN that every elementary function returns.
template <class T>
inline constexpr base_t<T> kNaN = base_t<T>(__builtin_nan(""));

/// 1.5 * 2^(mantissa bits). x + kMagic rounds x to the nearest integer, which is then in the low bits of the sum (as
/// two's complement), and subtracting kMagic returns it as a floating-point number.
template <class T>
inline constexpr base_t<T> kMagic = base_t<T>(1.5) / kEpsilon<T>;

/// c[0] + c[1] x + c[2] x^2 + ...: Horner's rule in x^2 on pairs, which halves the chain of dependent operations.
template <class T, std::size_t n, std::size_t first = 0>
PINTLE_INLINE T polynomial(T x, T x2, const base_t<T> (&c)[n]) {
  if constexpr (first + 1 == n) {
    return T(c[first]);
  } else {
    const T pair = fma(x, T(c[first + 1]), T(c[first]));
    if constexpr (first + 2 == n)
      return pair;
    else
      return fma(polynomial<T, n, first + 2>(x, x2, c), x2, pair);
  }
}

/// 2^k for an integer k in [-1022, 1023].
template <class T>
PINTLE_INLINE T power_of_two(T k) {
  return from_bits<T>(unsigned_bits(k + T(kMagic<T> + 1023)) << 52);
}

/// A float as a double, lane by lane, and back.
PINTLE_INLINE double widened(float x) {
  return static_cast<double>(x);
}
PINTLE_INLINE float narrowed(double x) {
  return static_cast<float>(x);
}
template <int N>
PINTLE_INLINE Pack<double, N> widened(Pack<float, N> x) {
  return Pack<double, N>(__builtin_convertvector(x.lanes, typename Pack<double, N>::Native));
}
template <int N>
PINTLE_INLINE Pack<float, N> narrowed(Pack<double, N> x) {
  return Pack<float, N>(__builtin_convertvector(x.lanes, typename Pack<float, N>::Native));
}

/// The lower and the upper half of the lanes.
template <class T, int N>
struct Halves {
  Pack<T, N / 2> low, high;
};

/// function(x...) of floats, computed in double and rounded once. A pack is processed in two halves, so that the
/// doubles fill the same registers as the floats did.
template <class Function, class T, class... X>
PINTLE_INLINE T through_double(Function function, T x, X... more) {
  if constexpr (sizeof(T) <= 2 * sizeof(float)) {
    return narrowed(function(widened(x), widened(more)...));
  } else {
    using Parts = Halves<float, T::kLanes>;
    const Parts result = {
        narrowed(function(widened(__builtin_bit_cast(Parts, x).low), widened(__builtin_bit_cast(Parts, more).low)...)),
        narrowed(
            function(widened(__builtin_bit_cast(Parts, x).high), widened(__builtin_bit_cast(Parts, more).high)...))};
    return __builtin_bit_cast(T, result);
  }
}

}  // namespace pintle::inline PINTLE_ISA::elementary
