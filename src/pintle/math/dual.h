// Dual<T, N>: a number with its derivatives by N parameters. An algorithm run on duals computes its exact derivatives.
#pragma once

#include "pintle/math/elementary.h"
#include "pintle/math/scalar.h"

namespace pintle::inline PINTLE_ISA {

/// value + sum_i derivative[i] d_i with d_i d_j = 0. T may be a built-in number, a Pack, or again a Dual (second
/// derivatives). Comparisons use the value only.
template <class T, int N>
struct Dual {
  static_assert(N >= 1);
  T value;
  T derivative[N];

  Dual() = default;
  Dual(const T& constant) : value(constant) {
    for (int i = 0; i < N; ++i) derivative[i] = T(base_t<T>(0));
  }
  Dual(const base_t<T>& constant) requires(!std::is_same_v<T, base_t<T>>) : Dual(T(constant)) {}

  /// Parameter i itself: its derivative with respect to itself is 1.
  static Dual variable(const T& value, int i) {
    Dual x(value);
    x.derivative[i] = T(base_t<T>(1));
    return x;
  }

  friend Dual operator+(const Dual& a, const Dual& b) {
    Dual c;
    c.value = a.value + b.value;
    for (int i = 0; i < N; ++i) c.derivative[i] = a.derivative[i] + b.derivative[i];
    return c;
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    Dual c;
    c.value = a.value - b.value;
    for (int i = 0; i < N; ++i) c.derivative[i] = a.derivative[i] - b.derivative[i];
    return c;
  }
  friend Dual operator-(const Dual& a) {
    Dual c;
    c.value = -a.value;
    for (int i = 0; i < N; ++i) c.derivative[i] = -a.derivative[i];
    return c;
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    Dual c;
    c.value = a.value * b.value;
    for (int i = 0; i < N; ++i) c.derivative[i] = fma(a.derivative[i], b.value, a.value * b.derivative[i]);
    return c;
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    Dual c;
    c.value = a.value / b.value;
    for (int i = 0; i < N; ++i) c.derivative[i] = fma(-c.value, b.derivative[i], a.derivative[i]) / b.value;
    return c;
  }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend auto operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend auto operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend auto operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend auto operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend auto operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend auto operator!=(const Dual& a, const Dual& b) { return a.value != b.value; }
};

}  // namespace pintle::inline PINTLE_ISA

namespace pintle {

template <class T, int N>
struct ScalarTraits<PINTLE_ISA::Dual<T, N>> {
  using Base = base_t<T>;
  using Mask = mask_t<T>;
};

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

/// f(x) for a function of one variable, given its value and its slope at x.value: the chain rule.
template <class T, int N>
inline Dual<T, N> chain(const Dual<T, N>& x, const Same<T>& value, const Same<T>& slope) {
  Dual<T, N> y;
  y.value = value;
  for (int i = 0; i < N; ++i) y.derivative[i] = slope * x.derivative[i];
  return y;
}

template <class T, int N>
inline Dual<T, N> fma(const Dual<T, N>& a, const Same<Dual<T, N>>& b, const Same<Dual<T, N>>& c) {
  Dual<T, N> d;
  d.value = fma(a.value, b.value, c.value);
  for (int i = 0; i < N; ++i) {
    d.derivative[i] = fma(a.derivative[i], b.value, fma(a.value, b.derivative[i], c.derivative[i]));
  }
  return d;
}

template <class T, int N>
inline Dual<T, N> select(const mask_t<T>& condition, const Dual<T, N>& a, const Same<Dual<T, N>>& b) {
  Dual<T, N> c;
  c.value = select(condition, a.value, b.value);
  for (int i = 0; i < N; ++i) c.derivative[i] = select(condition, a.derivative[i], b.derivative[i]);
  return c;
}

template <class T, int N>
inline Dual<T, N> sqrt(const Dual<T, N>& x) {
  const T root = sqrt(x.value);
  return chain(x, root, T(base_t<T>(0.5)) / root);
}

template <class T, int N>
inline Dual<T, N> abs(const Dual<T, N>& x) {
  return chain(x, abs(x.value), copysign(T(base_t<T>(1)), x.value));
}

template <class T, int N>
inline Dual<T, N> copysign(const Dual<T, N>& magnitude, const Same<Dual<T, N>>& sign) {
  const T one(base_t<T>(1));
  return chain(magnitude, copysign(magnitude.value, sign.value),
               copysign(one, magnitude.value) * copysign(one, sign.value));
}

template <class T, int N>
inline SinCos<Dual<T, N>> sincos(const Dual<T, N>& x) {
  const SinCos<T> f = sincos(x.value);
  return {chain(x, f.sin, f.cos), chain(x, f.cos, -f.sin)};
}

template <class T, int N>
inline Dual<T, N> sin(const Dual<T, N>& x) {
  return sincos(x).sin;
}

template <class T, int N>
inline Dual<T, N> cos(const Dual<T, N>& x) {
  return sincos(x).cos;
}

template <class T, int N>
inline Dual<T, N> tan(const Dual<T, N>& x) {
  const T t = tan(x.value);
  return chain(x, t, fma(t, t, T(base_t<T>(1))));
}

template <class T, int N>
inline Dual<T, N> exp(const Dual<T, N>& x) {
  const T e = exp(x.value);
  return chain(x, e, e);
}

template <class T, int N>
inline Dual<T, N> log(const Dual<T, N>& x) {
  return chain(x, log(x.value), T(base_t<T>(1)) / x.value);
}

/// Where a value is zero with all its derivatives: a constant zero.
template <class T>
inline mask_t<T> is_constant_zero(const T& x) {
  return x == T(base_t<T>(0));
}
template <class T, int N>
inline mask_t<T> is_constant_zero(const Dual<T, N>& x) {
  mask_t<T> zero = is_constant_zero(x.value);
  for (int i = 0; i < N; ++i) zero = zero && is_constant_zero(x.derivative[i]);
  return zero;
}

/// x^y. Where the exponent is constant (no derivative) the base may be negative or zero.
template <class T, int N>
inline Dual<T, N> pow(const Dual<T, N>& x, const Same<Dual<T, N>>& y) {
  const T zero(base_t<T>(0)), one(base_t<T>(1));
  const T power = pow(x.value, y.value);
  const T by_base = y.value * pow(x.value, y.value - one);
  const T by_exponent = power * log(x.value);
  Dual<T, N> z;
  z.value = power;
  for (int i = 0; i < N; ++i) {
    const T from_exponent = select(is_constant_zero(y.derivative[i]), zero, by_exponent * y.derivative[i]);
    z.derivative[i] = fma(by_base, x.derivative[i], from_exponent);
  }
  return z;
}

template <class T, int N>
inline Dual<T, N> atan2(const Dual<T, N>& y, const Same<Dual<T, N>>& x) {
  const T r2 = fma(x.value, x.value, y.value * y.value);
  Dual<T, N> angle;
  angle.value = atan2(y.value, x.value);
  for (int i = 0; i < N; ++i) {
    angle.derivative[i] = fma(x.value, y.derivative[i], -(y.value * x.derivative[i])) / r2;
  }
  return angle;
}

template <class T, int N>
inline Dual<T, N> atan(const Dual<T, N>& x) {
  const T one(base_t<T>(1));
  return chain(x, atan(x.value), one / fma(x.value, x.value, one));
}

template <class T, int N>
inline Dual<T, N> asin(const Dual<T, N>& x) {
  const T one(base_t<T>(1));
  return chain(x, asin(x.value), one / sqrt((one - x.value) * (one + x.value)));
}

template <class T, int N>
inline Dual<T, N> acos(const Dual<T, N>& x) {
  const T one(base_t<T>(1));
  return chain(x, acos(x.value), -(one / sqrt((one - x.value) * (one + x.value))));
}

}  // namespace pintle::inline PINTLE_ISA
