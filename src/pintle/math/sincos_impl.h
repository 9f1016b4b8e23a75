// Bodies of sincos, sin, cos and tan.
//
// x = q pi/2 + r - tail with |r| <= pi/4: near zero by subtracting q times pi/2 in parts so short that the products are
// exact (Cody and Waite), elsewhere from the binary digits of 2/pi (Payne and Hanek). The sine and the cosine of r -
// tail are minimax polynomials, swapped and negated by the last two bits of q. Constants: tools/minimax.py.
#pragma once

#include "pintle/math/double_word_impl.h"
#include "pintle/math/elementary.h"
#include "pintle/math/lane_bits_impl.h"

namespace pintle::inline PINTLE_ISA::elementary {

// sin r = r - r^3 S(r^2), cos r = 1 - r^2/2 + r^4 C(r^2)
inline constexpr double kSin64[] = {
    0x1.5555555555548p-3,   -0x1.111111110f7dp-7,  0x1.a01a019bfdf04p-13,
    -0x1.71de3567d4928p-19, 0x1.ae5e5a92959ebp-26, -0x1.5d8fd1fd95327p-33,
};
inline constexpr double kCos64[] = {
    0x1.555555555554bp-5,   -0x1.6c16c16c14f91p-10, 0x1.a01a019c844f5p-16,
    -0x1.27e4f7eac4b8dp-22, 0x1.1ee9d7b4e1695p-29,  -0x1.8fa49a070b1d7p-37,
};
inline constexpr float kSin32[] = {0x1.555546p-3f, -0x1.11073ap-7f, 0x1.99437p-13f};
inline constexpr float kCos32[] = {0x1.55554ap-5f, -0x1.6c0c32p-10f, 0x1.99eb34p-16f};

inline constexpr double kTwoOverPi64 = 0x1.45f306dc9c883p-1;
inline constexpr float kTwoOverPi32 = 0x1.45f306p-1f;

// pi/2 in parts. double: 37 bits, 37 bits, rest; times q of 16 bits. float: 14, 10, 14 bits, rest; times q of 10 bits.
inline constexpr double kHalfPi64[] = {0x1.921fb5444p+0, 0x1.68c234c4cp-39, 0x1.98a2e03707345p-77};
inline constexpr float kHalfPi32[] = {0x1.9218p+0f, 0x1.edp-14f, 0x1.444p-24f, 0x1.68c234p-39f};

// pi/2 as a double word.
inline constexpr double kHalfPi[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

// The binary fraction of 2/pi after 64 zeros: enough digits for the largest double.
inline constexpr std::uint64_t kTwoOverPiWords[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
};

/// The angle quadrant pi/2 + r - tail, where the tail is at most a rounding error of pi/4 or a thirtieth of r. Only the
/// last two bits of `quadrant` are significant.
template <class T>
struct ReducedAngle {
  T r, tail;
  bits_t<T> quadrant;
};

/// The largest |x| for which reduce_near is accurate.
template <class T>
inline constexpr base_t<T> kNearLimit = std::is_same_v<base_t<T>, float> ? base_t<T>(1e3) : base_t<T>(1e5);

/// Reduces |x| <= kNearLimit. Every difference that cancels is exact, so the result is relatively accurate even for the
/// numbers nearest to the multiples of pi/2. Written with tail = -(low part) so that x = -0 gives r = -0.
template <class T>
PINTLE_INLINE ReducedAngle<T> reduce_near(T x) {
  constexpr bool kFloat = std::is_same_v<base_t<T>, float>;
  T shifted, q, head, middle, rest;
  if constexpr (kFloat) {
    shifted = fma(x, T(kTwoOverPi32), T(kMagic<T>));
    q = shifted - T(kMagic<T>);
    head = fma(q, T(-kHalfPi32[1]), fma(q, T(-kHalfPi32[0]), x));
    middle = q * T(kHalfPi32[2]);
    rest = T(kHalfPi32[3]);
  } else {
    shifted = fma(x, T(kTwoOverPi64), T(kMagic<T>));
    q = shifted - T(kMagic<T>);
    head = fma(q, T(-kHalfPi64[0]), x);
    middle = q * T(kHalfPi64[1]);
    rest = T(kHalfPi64[2]);
  }
  const T r = head - middle;
  const T tail = fma(q, rest, (r - head) + middle);
  return {r, tail, unsigned_bits(shifted)};
}

/// Reduces any finite |x| > 2^16: x = m 2^e with an integer m; the digits of 2/pi whose product with x is a multiple of
/// 4 drop out, and 192 bits after them leave an error of 2^-137, where the nearest double to a multiple of pi/2 is
/// 2^-62 away. for NaN and infinity r = NaN.
[[gnu::noinline]] inline ReducedAngle<double> reduce_far(double x) {
  __extension__ using Wide = unsigned __int128;
  using Word = std::uint64_t;
  if (!(abs(x) < kInfinity<double>)) return {kNaN<double>, 0.0, 0};

  const Word bits = unsigned_bits(abs(x));
  const Word m = (bits & ((Word(1) << 52) - 1)) | (Word(1) << 52);
  // Word 0 of the table holds the digits of weight 2^63 ... 2^0; the first digit used has weight 2^(1 - e).
  const Word position = (bits >> 52) - 1075 - 2 + 64;
  const Word* const word = &kTwoOverPiWords[position / 64];
  const Word shift = position % 64;
  const auto digits = [&](int i) { return shift == 0 ? word[i] : word[i] << shift | word[i + 1] >> (64 - shift); };

  // p2 p1 p0 = x 2/pi modulo 4, in units of 2^-190.
  const Wide low = Wide(m) * digits(2);
  const Wide middle = Wide(m) * digits(1) + static_cast<Word>(low >> 64);
  Word p0 = static_cast<Word>(low);
  Word p1 = static_cast<Word>(middle);
  Word p2 = m * digits(0) + static_cast<Word>(middle >> 64);

  Word quadrant = (p2 + (Word(1) << 61)) >> 62;
  p2 -= quadrant << 62;
  const bool negative = p2 >> 63;
  if (negative) {
    p0 = ~p0 + 1;
    p1 = ~p1 + (p0 == 0);
    p2 = ~p2 + (p0 == 0 && p1 == 0);
  }

  // The leading 106 bits of the fraction, in two numbers.
  int zeros = 0;
  if (p2 == 0) {
    p2 = p1;
    p1 = p0;
    p0 = 0;
    zeros = 64;
  }
  const int clear = __builtin_clzll(p2);
  zeros += clear;
  if (clear != 0) {
    p2 = p2 << clear | p1 >> (64 - clear);
    p1 = p1 << clear | p0 >> (64 - clear);
  }
  const double unit = power_of_two(static_cast<double>(-51 - zeros));
  const DoubleWord<double> fraction = {
      static_cast<double>(p2 >> 11) * unit,
      static_cast<double>((p2 & 0x7ff) << 42 | p1 >> 22) * (unit * 0x1p-53),
  };

  const DoubleWord<double> angle = fraction * DoubleWord<double>{kHalfPi[0], kHalfPi[1]};
  double r = angle.hi + angle.lo;
  double tail = (r - angle.hi) - angle.lo;
  if (negative != (x < 0)) {
    r = -r;
    tail = -tail;
  }
  return {r, tail, x < 0 ? Word(0) - quadrant : quadrant};
}

PINTLE_INLINE ReducedAngle<double> reduce(double x) {
  if (!(abs(x) <= kNearLimit<double>)) [[unlikely]]
    return reduce_far(x);
  return reduce_near(x);
}

/// A float beyond the limit of float, reduced in double.
[[gnu::noinline]] inline ReducedAngle<float> reduce_far(float x) {
  const ReducedAngle<double> angle = reduce(widened(x));
  const float r = narrowed(angle.r - angle.tail);
  const double tail = (widened(r) - angle.r) + angle.tail;
  return {r, narrowed(tail), static_cast<std::uint32_t>(angle.quadrant)};
}

PINTLE_INLINE ReducedAngle<float> reduce(float x) {
  if (!(abs(x) <= kNearLimit<float>)) [[unlikely]]
    return reduce_far(x);
  return reduce_near(x);
}

/// Replaces the lanes that are beyond the limit.
template <class T, int N>
[[gnu::noinline]] void reduce_far_lanes(const Pack<T, N>& x, ReducedAngle<Pack<T, N>>& angle) {
  for (int lane = 0; lane < N; ++lane) {
    if (abs(x[lane]) <= kNearLimit<T>) continue;
    const ReducedAngle<T> far = reduce_far(x[lane]);
    angle.r.set(lane, far.r);
    angle.tail.set(lane, far.tail);
    angle.quadrant[lane] = far.quadrant;
  }
}

template <class T, int N>
PINTLE_INLINE ReducedAngle<Pack<T, N>> reduce(Pack<T, N> x) {
  auto [r, tail, quadrant] = reduce_near(x);
  if (!all(abs(x) <= Pack<T, N>(kNearLimit<T>))) [[unlikely]] {
    // Copies, so that only this path keeps them in memory.
    const Pack<T, N> kept = x;
    ReducedAngle<Pack<T, N>> angle = {r, tail, quadrant};
    reduce_far_lanes(kept, angle);
    r = angle.r;
    tail = angle.tail;
    quadrant = angle.quadrant;
  }
  return {r, tail, quadrant};
}

/// Sine and cosine of r - tail as double words, the low words not yet rounded into the high ones:
/// sin = sin.hi + sin.lo, |r| <= pi/4.
template <class T>
PINTLE_INLINE SinCos<DoubleWord<T>> sincos_kernel(T r, T tail) {
  const T z = r * r;
  const T z2 = z * z;
  T sin_rest, cos_rest;
  if constexpr (std::is_same_v<base_t<T>, float>) {
    sin_rest = polynomial(z, z2, kSin32);
    cos_rest = polynomial(z, z2, kCos32);
  } else {
    sin_rest = polynomial(z, z2, kSin64);
    cos_rest = polynomial(z, z2, kCos64);
  }
  const T parabola = fma(z, T(-0.5f), T(1));
  const T lost = fma(z, T(-0.5f), T(1) - parabola);
  return {{r, fma(r * z, sin_rest, tail * parabola)}, {parabola, lost + fma(z2, cos_rest, r * tail)}};
}

/// The sine and the cosine of an angle from those of its reduced part: exchanged in odd quadrants, and negated. With
/// masks, because a branch on the quadrant could not be predicted.
template <class T>
PINTLE_INLINE SinCos<T> turned(T sin, T cos, bits_t<T> quadrant) {
  constexpr int kToSign = 8 * static_cast<int>(sizeof(base_t<T>)) - 2;
  constexpr lane_bits_t<T> kOne = 1;
  const bits_t<T> s = unsigned_bits(sin);
  const bits_t<T> c = unsigned_bits(cos);
  const bits_t<T> exchange = (s ^ c) & (lane_bits_t<T>(0) - (quadrant & kOne));
  const bits_t<T> sin_sign = (quadrant << kToSign) & kSignBit<T>;
  const bits_t<T> cos_sign = ((quadrant + kOne) << kToSign) & kSignBit<T>;
  return {from_bits<T>(s ^ exchange ^ sin_sign), from_bits<T>(c ^ exchange ^ cos_sign)};
}

}  // namespace pintle::inline PINTLE_ISA::elementary

namespace pintle::inline PINTLE_ISA {

template <PlainNumber T>
PINTLE_INLINE SinCos<T> sincos(T x) {
  using namespace elementary;
  if constexpr (std::is_same_v<T, long double>) {
    return {__builtin_sinl(x), __builtin_cosl(x)};
  } else {
    const ReducedAngle<T> angle = reduce(x);
    const SinCos<DoubleWord<T>> part = sincos_kernel(angle.r, angle.tail);
    return turned(part.sin.hi - part.sin.lo, part.cos.hi + part.cos.lo, angle.quadrant);
  }
}

template <PlainNumber T>
PINTLE_INLINE T sin(T x) {
  return sincos(x).sin;
}

template <PlainNumber T>
PINTLE_INLINE T cos(T x) {
  return sincos(x).cos;
}

/// The quotient of the sine and the cosine as double words.
template <PlainNumber T>
inline T tan(T x) {
  using namespace elementary;
  if constexpr (std::is_same_v<T, long double>) {
    return __builtin_tanl(x);
  } else if constexpr (std::is_same_v<base_t<T>, float>) {
    return through_double([](auto wide) { return tan(wide); }, x);
  } else {
    const ReducedAngle<T> angle = reduce(x);
    const SinCos<DoubleWord<T>> part = sincos_kernel(angle.r, angle.tail);
    const DoubleWord<T> s = {part.sin.hi - part.sin.lo, (part.sin.hi - (part.sin.hi - part.sin.lo)) - part.sin.lo};
    const DoubleWord<T> c = ordered_two_sum(part.cos.hi, part.cos.lo);
    const SinCos<T> high = turned(s.hi, c.hi, angle.quadrant);
    const SinCos<T> low = turned(s.lo, c.lo, angle.quadrant);
    const T quotient = high.sin / high.cos;
    const T rest = remainder(high.sin, quotient, high.cos) + (low.sin - quotient * low.cos);
    return quotient - (T(0) - rest / high.cos);  // not a sum: -0 must stay -0
  }
}

}  // namespace pintle::inline PINTLE_ISA
