// Bodies of exp and log, and the two halves of pow: log as a double word, exp of a double word.
// Constants: tools/minimax.py.
#pragma once

#include "pintle/math/double_word_impl.h"
#include "pintle/math/elementary.h"
#include "pintle/math/lane_bits_impl.h"

namespace pintle::inline PINTLE_ISA::elementary {

// e^r = 1 + r + r^2 E(r) for |r| <= ln(2)/2
inline constexpr double kExp[] = {
    0x1.000000000000ap-1,  0x1.55555555554fap-3,  0x1.555555555088cp-5,  0x1.1111111127b9ep-7,  0x1.6c16c184266d1p-10,
    0x1.a01a012a68b1ep-13, 0x1.a0199a16e0a12p-16, 0x1.71df253c85dc1p-19, 0x1.28ad68a453363p-22, 0x1.ad7f771a3b3c7p-26,
};

// 2 atanh s = 2 s + s^3 (2/3 + s^2 (2/5 + s^2 L(s^2))) for |s| <= (sqrt 2 - 1) / (sqrt 2 + 1)
inline constexpr double kLog[] = {
    0x1.24924924927ccp-2, 0x1.c71c71c65a454p-3, 0x1.745d17d73f1f8p-3, 0x1.3b13783f69ddep-3,
    0x1.111dcc8741e1cp-3, 0x1.de9ed81c1096bp-4, 0x1.e7dcf1a286087p-4,
};
inline constexpr double kTwoThirds[] = {0x1.5555555555555p-1, 0x1.5555555555555p-55};
inline constexpr double kTwoFifths[] = {0x1.999999999999ap-2, -0x1.999999999999ap-56};

// ln 2 in 42 bits, so that an exponent times it is exact, and the rest.
inline constexpr double kLn2[] = {0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45};
inline constexpr double kLog2E = 0x1.71547652b82fep+0;
inline constexpr std::uint64_t kSqrtHalfBits = 0x3fe6a09e667f3bcd;

/// e^(x.hi + x.lo) for double lanes; x is not NaN.
/// e^x = 2^k e^r with |r| <= ln(2)/2; 1 + r is kept exactly, so only the small remainder of the polynomial is rounded.
template <class T>
PINTLE_INLINE T exp_of(const DoubleWord<T>& x) {
  const T clamped = min(max(x.hi, T(-750)), T(710));
  const T x_lo = select(clamped == x.hi, x.lo, T(0));
  const T k = fma(clamped, T(kLog2E), T(kMagic<T>)) - T(kMagic<T>);
  const T head = fma(k, T(-kLn2[0]), clamped);
  const T less = k * T(kLn2[1]);
  const T r = head - less;
  const T tail = ((head - r) - less) + x_lo;

  const T r2 = r * r;
  const DoubleWord<T> linear = ordered_two_sum(T(1), r);
  const T higher = fma(r2, polynomial(r, r2, kExp), linear.lo);
  const T rest = fma(tail, linear.hi + higher, higher);  // the tail of pow's argument may be 2^9 ulp of the result
  // 2^k in two factors, since k may be below the smallest exponent or 1024.
  const T k_half = fma(k, T(0.5), T(kMagic<T>)) - T(kMagic<T>);
  return ((linear.hi + rest) * power_of_two(k_half)) * power_of_two(k - k_half);
}

/// ln x as a double word with a relative error of about 2^-68, for double lanes; x is positive and finite.
/// x = 2^k m with m in [sqrt 1/2, sqrt 2); ln m = 2 atanh s with s = (m - 1) / (m + 1).
template <class T>
PINTLE_INLINE DoubleWord<T> log_of(T x) {
  constexpr std::uint64_t kOneBits = 0x3ff0000000000000;
  constexpr std::uint64_t kExponentBits = 0x7ff0000000000000;
  constexpr std::uint64_t kTwoTo52Bits = 0x4330000000000000;
  const auto subnormal = x < T(0x1p-1022);
  const bits_t<T> bits = unsigned_bits(select(subnormal, x * T(0x1p54), x));
  const bits_t<T> exponent = (bits + (kOneBits - kSqrtHalfBits)) & kExponentBits;
  const T biased = from_bits<T>((exponent >> 52) | kTwoTo52Bits);
  const T k = (biased - T(0x1p52 + 1023)) - select(subnormal, T(54), T(0));
  const T m = from_bits<T>(bits - (exponent - kOneBits));

  const T f = m - T(1);
  const DoubleWord<T> d = two_sum(m, T(1));
  const T inverse = T(1) / d.hi;
  const T quotient = f * inverse;
  const DoubleWord<T> s = {quotient, (remainder(f, quotient, d.hi) - quotient * d.lo) * inverse};

  const DoubleWord<T> z = s * s;
  const DoubleWord<T> fifth = ordered_two_sum(T(kTwoFifths[0]), z.hi * polynomial(z.hi, z.hi * z.hi, kLog));
  const DoubleWord<T> product = z * DoubleWord<T>{fifth.hi, fifth.lo + T(kTwoFifths[1])};
  const DoubleWord<T> third = ordered_two_sum(T(kTwoThirds[0]), product.hi);
  const DoubleWord<T> cubic = s * (z * DoubleWord<T>{third.hi, third.lo + (product.lo + T(kTwoThirds[1]))});

  const DoubleWord<T> log_m = ordered_two_sum(s.hi + s.hi, cubic.hi);
  const DoubleWord<T> sum = ordered_two_sum(k * T(kLn2[0]), log_m.hi);
  const T low = fma(k, T(kLn2[1]), log_m.lo + (cubic.lo + (s.lo + s.lo)));
  return ordered_two_sum(sum.hi, sum.lo + low);
}

}  // namespace pintle::inline PINTLE_ISA::elementary

namespace pintle::inline PINTLE_ISA {

template <PlainNumber T>
inline T exp(T x) {
  using namespace elementary;
  if constexpr (std::is_same_v<T, long double>)
    return __builtin_expl(x);
  else if constexpr (std::is_same_v<base_t<T>, float>)
    return through_double([](auto wide) { return exp(wide); }, x);
  else
    return select(x == x, exp_of(DoubleWord<T>{x, T(0)}), T(kNaN<T>));
}

template <PlainNumber T>
inline T log(T x) {
  using namespace elementary;
  if constexpr (std::is_same_v<T, long double>) {
    return __builtin_logl(x);
  } else if constexpr (std::is_same_v<base_t<T>, float>) {
    return through_double([](auto wide) { return log(wide); }, x);
  } else {
    const T infinity = kInfinity<T>;
    const T at_border = select(x == T(0), -infinity, select(x == infinity, infinity, T(kNaN<T>)));
    return select((x > T(0)) & (x < infinity), log_of(x).hi, at_border);
  }
}

}  // namespace pintle::inline PINTLE_ISA
