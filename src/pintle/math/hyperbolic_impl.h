// sinh, cosh and tanh, computed from the engine's exp: for built-in numbers, packs and duals; a lane equals the scalar
// result, bit for bit. Errors, in units in the last place of the result: the guaranteed bound is 5, in brackets the
// worst measured (tests/math/hyperbolic_test.cpp).
//   double   sinh 5 [3.5]   cosh 5 [2.3]   tanh 5 [2.9]
#pragma once

#include "pintle/math/dual.h"
#include "pintle/math/elementary_impl.h"

namespace pintle::inline PINTLE_ISA {

/// Hyperbolic cosine; overflows where the result does.
template <PlainNumber T>
inline T cosh(T x) {
  using B = base_t<T>;
  const T half_power = exp(T(B(0.5)) * abs(x));
  const T size = half_power * (T(B(0.5)) * half_power);  // e^|x| / 2, which may be finite where e^|x| is not
  return size + T(B(0.25)) / size;
}

/// Hyperbolic sine: its series within +-1, where the difference of two powers would cancel.
template <PlainNumber T>
inline T sinh(T x) {
  using B = base_t<T>;
  const T x2 = x * x;
  T series(B(1) / B(355687428096000));  // 1/17!, then 1/15! down to 1/3!
  constexpr B kFactorials[] = {B(1307674368000), B(6227020800), B(39916800), B(362880), B(5040), B(120), B(6)};
  for (const B factorial : kFactorials) series = fma(x2, series, T(B(1) / factorial));
  const T near = fma(x * x2, series, x);

  const T half_power = exp(T(B(0.5)) * abs(x));
  const T size = half_power * (T(B(0.5)) * half_power);
  const T far = copysign(size - T(B(0.25)) / size, x);
  return select(x2 < T(B(1)), near, far);
}

/// Hyperbolic tangent.
template <PlainNumber T>
inline T tanh(T x) {
  using B = base_t<T>;
  const T far = T(B(1)) - T(B(2)) / (exp(T(B(2)) * abs(x)) + T(B(1)));
  return select(x * x < T(B(1)), sinh(x) / cosh(x), copysign(far, x));
}

template <class T, int N>
inline Dual<T, N> cosh(const Dual<T, N>& x) {
  return chain(x, cosh(x.value), sinh(x.value));
}

template <class T, int N>
inline Dual<T, N> sinh(const Dual<T, N>& x) {
  return chain(x, sinh(x.value), cosh(x.value));
}

template <class T, int N>
inline Dual<T, N> tanh(const Dual<T, N>& x) {
  const T one(base_t<T>(1)), t = tanh(x.value);
  return chain(x, t, (one - t) * (one + t));
}

}  // namespace pintle::inline PINTLE_ISA
