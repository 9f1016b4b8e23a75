// Bodies of atan2, atan, asin and acos: all are the angle of a point whose coordinates are double words.
// Constants: tools/minimax.py.
#pragma once

#include "pintle/math/double_word_impl.h"
#include "pintle/math/elementary.h"
#include "pintle/math/lane_bits_impl.h"

namespace pintle::inline PINTLE_ISA::elementary {

// atan t = t - t^3 A(t^2) for |t| <= tan(pi/8)
inline constexpr double kAtan[] = {
    0x1.555555555553dp-2, -0x1.99999999957cep-3, 0x1.24924922aa501p-3, -0x1.c71c70e50ebe2p-4,
    0x1.745cf8c37b974p-4, -0x1.3b11179559ac2p-4, 0x1.10eba8c831657p-4, -0x1.df0e800e0c368p-5,
    0x1.9ccf7e1f2f8eep-5, -0x1.37ce1d6000007p-5, 0x1.255b389220c03p-6,
};
inline constexpr double kTanEighthPi = 0x1.a827999fcef32p-2;

// pi/4 in 50 bits, so that 3 times it is exact, and the rest.
inline constexpr double kQuarterPi[] = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};

/// The angle of the point (x, y) for double lanes; finite, not both zero, and of a magnitude at which the products of a
/// coordinate and the ratio neither over- nor underflow, unless the ratio does.
///
/// With the smaller coordinate a and the larger b (in magnitude), the angle is a multiple of pi/4 plus or minus atan t,
/// where t = a/b or, above tan(pi/8), t = (a - b)/(a + b).
template <class T>
PINTLE_INLINE T angle_of(const DoubleWord<T>& y, const DoubleWord<T>& x) {
  const T y_sign = copysign(T(1), y.hi);
  const T x_sign = copysign(T(1), x.hi);
  const DoubleWord<T> y_size = {y.hi * y_sign, y.lo * y_sign};
  const DoubleWord<T> x_size = {x.hi * x_sign, x.lo * x_sign};
  const auto steep = y_size.hi > x_size.hi;
  const DoubleWord<T> a = {select(steep, x_size.hi, y_size.hi), select(steep, x_size.lo, y_size.lo)};
  const DoubleWord<T> b = {select(steep, y_size.hi, x_size.hi), select(steep, y_size.lo, x_size.lo)};

  const auto wide = a.hi > b.hi * T(kTanEighthPi);
  const DoubleWord<T> difference = ordered_two_sum(b.hi, -a.hi);
  const DoubleWord<T> sum = ordered_two_sum(b.hi, a.hi);
  const T n = select(wide, -difference.hi, a.hi);
  const T n_lo = select(wide, (a.lo - b.lo) - difference.lo, a.lo);
  const T d = select(wide, sum.hi, b.hi);
  const T d_lo = select(wide, sum.lo + (a.lo + b.lo), b.lo);
  const T t = n / d;
  const T t_lo = (remainder(n, t, d) + (n_lo - t * d_lo)) / d;

  const T z = t * t;
  const T z2 = z * z;
  // atan(t + t_lo) = t + rest; the derivative of atan is 1 / (1 + z), to the few bits that t_lo needs 1 - z + z^2.
  const T rest = fma(t_lo, z2 + (T(1) - z), -(t * z * polynomial(z, z2, kAtan)));

  // Angle = sign (quarters pi/4 + turn atan t).
  T quarters = select(wide, T(1), T(0));
  T turn = T(1);
  quarters = select(steep, T(2) - quarters, quarters);
  turn = select(steep, -turn, turn);
  quarters = select(x_sign < T(0), T(4) - quarters, quarters);
  turn = turn * x_sign;
  const DoubleWord<T> total = ordered_two_sum(quarters * T(kQuarterPi[0]), turn * t);
  return y_sign * (total.hi + (total.lo + fma(turn, rest, quarters * T(kQuarterPi[1]))));
}

/// sqrt(1 - x^2) as a double word for double lanes, |x| <= 1.
template <class T>
PINTLE_INLINE DoubleWord<T> other_leg(T x) {
  const DoubleWord<T> x2 = two_product(x, x);
  const DoubleWord<T> leg2 = ordered_two_sum(T(1), -x2.hi);
  const T low2 = leg2.lo - x2.lo;
  const T root = sqrt(leg2.hi);
  const T rest = remainder(leg2.hi, root, root) + low2;
  return {root, select(root > T(0), rest / (root + root), T(0))};
}

}  // namespace pintle::inline PINTLE_ISA::elementary

namespace pintle::inline PINTLE_ISA {

template <PlainNumber T>
inline T atan2(T y, Same<T> x) {
  using namespace elementary;
  if constexpr (std::is_same_v<T, long double>) {
    return __builtin_atan2l(y, x);
  } else if constexpr (std::is_same_v<base_t<T>, float>) {
    return through_double([](auto wide_y, auto wide_x) { return atan2(wide_y, wide_x); }, y, x);
  } else {
    const T infinity = kInfinity<T>;
    const T larger = max(abs(x), abs(y));
    // Zeros and infinities become finite points of the same angle; powers of two keep the angle of the others.
    const T scale = select(larger > T(0x1p800), T(0x1p-60), T(0x1p120));
    const auto infinite = larger == infinity;
    const T size_y = select(infinite, select(abs(y) == infinity, T(1), T(0)), abs(y) * scale);
    const T size_x = select(infinite, select(abs(x) == infinity, T(1), T(0)), abs(x) * scale);
    const T finite_x = select(larger == T(0), T(1), size_x);
    const T angle = angle_of(DoubleWord<T>{copysign(size_y, y), T(0)}, DoubleWord<T>{copysign(finite_x, x), T(0)});
    return select((x == x) & (y == y), angle, T(kNaN<T>));
  }
}

template <PlainNumber T>
inline T atan(T x) {
  if constexpr (std::is_same_v<T, long double>)
    return __builtin_atanl(x);
  else
    return atan2(x, T(1));
}

template <PlainNumber T>
inline T asin(T x) {
  using namespace elementary;
  if constexpr (std::is_same_v<T, long double>)
    return __builtin_asinl(x);
  else if constexpr (std::is_same_v<base_t<T>, float>)
    return through_double([](auto wide) { return asin(wide); }, x);
  else
    return select(abs(x) <= T(1), angle_of(DoubleWord<T>{x, T(0)}, other_leg(x)), T(kNaN<T>));
}

template <PlainNumber T>
inline T acos(T x) {
  using namespace elementary;
  if constexpr (std::is_same_v<T, long double>)
    return __builtin_acosl(x);
  else if constexpr (std::is_same_v<base_t<T>, float>)
    return through_double([](auto wide) { return acos(wide); }, x);
  else
    return select(abs(x) <= T(1), angle_of(other_leg(x), DoubleWord<T>{x, T(0)}), T(kNaN<T>));
}

}  // namespace pintle::inline PINTLE_ISA
