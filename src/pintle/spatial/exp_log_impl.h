// Bodies of exp_log.h.
//
// All coefficients are functions of t = |phi|^2. Near zero they are Taylor series, so that neither cancellation nor the
// root at zero (whose derivative is infinite) matters: a dual number passes through phi = 0 with the right derivative.
#pragma once

#include "pintle/math/elementary.h"
#include "pintle/spatial/exp_log.h"

namespace pintle::inline PINTLE_ISA {

/// sum_k c[k] t^k by Horner's rule.
template <class T, int N>
PINTLE_INLINE T series(const base_t<T> (&c)[N], const T& t) {
  T sum(c[N - 1]);
  for (int k = N - 2; k >= 0; --k) sum = fma(sum, t, T(c[k]));
  return sum;
}

/// The same sum by its even and its odd powers, which are independent of each other.
template <class T, int N>
PINTLE_INLINE T series_by_halves(const base_t<T> (&c)[N], const T& t) {
  static_assert(N % 2 == 0);
  const T t2 = t * t;
  T even(c[N - 2]), odd(c[N - 1]);
  for (int k = N - 4; k >= 0; k -= 2) {
    even = fma(even, t2, T(c[k]));
    odd = fma(odd, t2, T(c[k + 1]));
  }
  return fma(odd, t, even);
}

/// The Taylor coefficients (-1)^k / (2 k + First)!, or (k + 1) times that, in the base type B.
template <class B, int N>
struct Taylor {
  B c[N];
};
template <class B, int N, int First, bool WithFactor = false>
constexpr Taylor<B, N> alternating_taylor() {
  Taylor<B, N> taylor{};
  long double factorial = 1;
  for (int i = 2; i <= First; ++i) factorial *= i;
  for (int k = 0; k < N; ++k) {
    const long double c = (WithFactor ? k + 1 : 1) / factorial;
    taylor.c[k] = static_cast<B>(k % 2 == 0 ? c : -c);
    factorial *= static_cast<long double>(2 * k + First + 1) * (2 * k + First + 2);
  }
  return taylor;
}

// With ten terms the first one left out is below 2^-64 of the sum for t <= 1, with sixteen for t <= 10.
template <class B>  // sin(th) / th
inline constexpr auto kSinc = alternating_taylor<B, 10, 1>();
template <class B>  // (1 - cos th) / th^2
inline constexpr auto kVersine = alternating_taylor<B, 10, 2>();
template <class B>  // (th - sin th) / th^3
inline constexpr auto kThetaMinusSine = alternating_taylor<B, 16, 3>();
template <class B>  // the same for t <= 4
inline constexpr auto kThetaMinusSineToTwo = alternating_taylor<B, 12, 3>();
template <class B>  // (th^2/2 - 1 + cos th) / th^4
inline constexpr auto kCosineRest = alternating_taylor<B, 16, 4>();
template <class B>  // (2 th - 3 sin th + th cos th) / (2 th^5)
inline constexpr auto kMixedRest = alternating_taylor<B, 16, 5, true>();

/// |B_2k| / (2k)!, k = 1, 2, ...: the Taylor coefficients of (1 - (th/2) cot(th/2)) / th^2 in th^2, with B_2k
/// Bernoulli's numbers. The radius of convergence is th = 2 pi; twelve terms suffice for t <= 1.
template <class B>
inline constexpr B kCotangent[12] = {
    B(0.083333333333333333333L),   B(0.0013888888888888888889L),  B(0.000033068783068783068783L),
    B(8.2671957671957671958e-7L),  B(2.0876756987868098979e-8L),  B(5.2841901386874931848e-10L),
    B(1.3382536530684678833e-11L), B(3.3896802963225828668e-13L), B(8.5860620562778445641e-15L),
    B(2.174868698558061873e-16L),  B(5.5090028283602295152e-18L), B(1.3954464685812523341e-19L)};

/// Those of the derivative by t of that sum.
template <class B>
constexpr Taylor<B, 12> cotangent_slope() {
  Taylor<B, 12> slope{};
  for (int k = 0; k < 11; ++k) slope.c[k] = static_cast<B>(k + 1) * kCotangent<B>[k + 1];
  return slope;
}
template <class B>
inline constexpr auto kCotangentSlope = cotangent_slope<B>();

/// 1, -1/3, 1/5, ...: the arctangent's, for x^2 <= 0.01.
template <class B>
inline constexpr B kArctangent[10] = {B(1),          B(-1) / B(3), B(1) / B(5),   B(-1) / B(7), B(1) / B(9),
                                      B(-1) / B(11), B(1) / B(13), B(-1) / B(15), B(1) / B(17), B(-1) / B(19)};

/// sin(th) / th, (1 - cos th) / th^2 and (th - sin th) / th^3 of an angle with th^2 = t.
template <class T>
struct RotationCoefficients {
  T sinc, versine, theta_minus_sine;
};

template <class T>
PINTLE_INLINE RotationCoefficients<T> rotation_coefficients(const T& t) {
  const T one(1);
  const auto near_zero = t < one;
  const T safe_t = select(near_zero, one, t);
  const T theta = sqrt(safe_t);
  const SinCos<T> half = sincos(T(base_t<T>(0.5) * theta));
  const T sine = base_t<T>(2) * half.sin * half.cos;
  const T chord = half.sin / theta;  // (1 - cos th) / th^2 = 2 sin^2(th/2) / th^2 loses no digits
  const T series_of_rest = series(kThetaMinusSine<base_t<T>>.c, t);
  return {select(near_zero, series(kSinc<base_t<T>>.c, t), sine / theta),
          select(near_zero, series(kVersine<base_t<T>>.c, t), base_t<T>(2) * chord * chord),
          select(t < T(10), series_of_rest, (theta - sine) / (theta * safe_t))};
}

/// (1 - (th/2) cot(th/2)) / th^2 of an angle with th^2 = t.
template <class T>
PINTLE_INLINE T cotangent_coefficient(const T& t) {
  const T one(1);
  const auto near_zero = t < one;
  const T safe_t = select(near_zero, one, t);
  const T half_theta = base_t<T>(0.5) * sqrt(safe_t);
  const SinCos<T> half = sincos(half_theta);
  return select(near_zero, series(kCotangent<base_t<T>>, t), (one - half_theta * half.cos / half.sin) / safe_t);
}

/// The same coefficient c, and dc/dt.
template <class T>
struct CotangentCoefficients {
  T c, slope;
};

template <class T>
PINTLE_INLINE CotangentCoefficients<T> cotangent_coefficients(const T& t) {
  const T one(1);
  const auto near_zero = t < one;
  const T safe_t = select(near_zero, one, t);
  const T half_theta = base_t<T>(0.5) * sqrt(safe_t);
  const SinCos<T> half = sincos(half_theta);
  const T cotangent = half.cos / half.sin;
  const T c = (one - half_theta * cotangent) / safe_t;
  const T bend = (half_theta / (half.sin * half.sin) - cotangent) / (base_t<T>(8) * half_theta);
  return {select(near_zero, series_by_halves(kCotangent<base_t<T>>, t), c),
          select(near_zero, series_by_halves(kCotangentSlope<base_t<T>>.c, t), (bend - c) / safe_t)};
}

/// a 1 + b [phi x] + c [phi x]^2
template <class T>
PINTLE_INLINE Mat3<T> polynomial_of_skew(const T& a, const T& b, const T& c, const Vec3<T>& phi) {
  const SymMat3<T> S = minus_skew_squared(phi);
  const Vec3<T> k = b * phi;
  const T xy = -(c * S.xy), xz = -(c * S.xz), yz = -(c * S.yz);
  return {fma(-c, S.xx, a), xy - k.z, xz + k.y, xy + k.z,        fma(-c, S.yy, a),
          yz - k.x,         xz - k.y, yz + k.x, fma(-c, S.zz, a)};
}

template <class T>
Mat3<T> exp_so3(const Vec3<T>& phi) {
  const auto k = rotation_coefficients(norm_squared(phi));
  return polynomial_of_skew(T(1), k.sinc, k.versine, phi);
}

template <class T>
Quaternion<T> exp_quaternion(const Vec3<T>& phi) {
  const T t = base_t<T>(0.25) * norm_squared(phi);  // of the half angle
  const T one(1);
  const auto near_zero = t < one;
  const T theta = sqrt(select(near_zero, one, t));
  const SinCos<T> f = sincos(theta);
  const T sinc = select(near_zero, series(kSinc<base_t<T>>.c, t), f.sin / theta);
  const T cosine = select(near_zero, fma(-t, series(kVersine<base_t<T>>.c, t), one), f.cos);
  return quaternion(base_t<T>(0.5) * sinc * phi, cosine);
}

/// A displacement with its rotation as a quaternion.
template <class T>
struct RotationAndTranslation {
  Quaternion<T> rotation;
  Vec3<T> translation;
};

/// exp(xi) as such: exp_quaternion, and the translation by the same sine.
template <class T>
PINTLE_INLINE RotationAndTranslation<T> exp_rotation_and_translation(const Twist<T>& xi) {
  const Vec3<T> phi = xi.angular;
  const T t = norm_squared(phi);
  const T quarter = base_t<T>(0.25) * t;  // (th/2)^2
  const T one(1);
  const auto near_zero = quarter < one;
  const T half_theta = sqrt(select(near_zero, one, quarter));
  const SinCos<T> f = sincos(half_theta);
  const T half_sinc = base_t<T>(0.5) * select(near_zero, series(kSinc<base_t<T>>.c, quarter), f.sin / half_theta);
  const T cosine = select(near_zero, fma(-quarter, series(kVersine<base_t<T>>.c, quarter), one), f.cos);
  const T theta_minus_sine = select(near_zero, series_by_halves(kThetaMinusSineToTwo<base_t<T>>.c, t),
                                    (one - base_t<T>(2) * half_sinc * cosine) / select(near_zero, one, t));
  const Vec3<T> phi_x_v = cross(phi, xi.linear);
  const T versine = base_t<T>(2) * half_sinc * half_sinc;  // (1 - cos th) / th^2 = 2 (sin(th/2) / th)^2
  return {quaternion(half_sinc * phi, cosine),
          fma(theta_minus_sine, cross(phi, phi_x_v), fma(versine, phi_x_v, xi.linear))};
}

template <class T>
Vec3<T> log_quaternion(const Quaternion<T>& q) {
  // phi = 2 atan(s / w) / s * u with s = |u|; by its series where s is small against w.
  const T one(1), zero(0);
  const Quaternion<T> p = select(q.w < zero, -q, q);
  const Vec3<T> u = vector_part(p);
  const T s2 = norm_squared(u);
  const auto near_zero = s2 < T(base_t<T>(0.01)) * p.w * p.w;
  const T x = s2 / select(near_zero, p.w * p.w, one);
  const T s = sqrt(select(near_zero, one, s2));
  const T by_series = series(kArctangent<base_t<T>>, x) / select(near_zero, p.w, one);
  return base_t<T>(2) * select(near_zero, by_series, atan2(s, p.w) / s) * u;
}

template <class T>
Vec3<T> log_so3(const Mat3<T>& R) {
  return log_quaternion(quaternion(R));
}

template <class T>
Pose<T> exp(const Twist<T>& xi) {
  const Vec3<T> phi = xi.angular;
  const auto k = rotation_coefficients(norm_squared(phi));
  const Vec3<T> phi_x_v = cross(phi, xi.linear);
  return {polynomial_of_skew(T(1), k.sinc, k.versine, phi),
          fma(k.theta_minus_sine, cross(phi, phi_x_v), fma(k.versine, phi_x_v, xi.linear))};
}

template <class T>
Twist<T> log(const Pose<T>& X) {
  const Vec3<T> phi = log_so3(X.rotation);
  const Vec3<T> phi_x_p = cross(phi, X.translation);
  const T k = cotangent_coefficient(norm_squared(phi));
  return {fma(k, cross(phi, phi_x_p), fma(base_t<T>(-0.5), phi_x_p, X.translation)), phi};
}

template <class T>
Mat3<T> left_jacobian_so3(const Vec3<T>& phi) {
  const auto k = rotation_coefficients(norm_squared(phi));
  return polynomial_of_skew(T(1), k.versine, k.theta_minus_sine, phi);
}

template <class T>
Mat3<T> left_jacobian_inverse_so3(const Vec3<T>& phi) {
  return polynomial_of_skew(T(1), T(base_t<T>(-0.5)), cotangent_coefficient(norm_squared(phi)), phi);
}

/// The upper right block Q of J_l of SE(3): the derivative of J_l(phi) v by phi, in closed form (Barfoot and Furgale
/// 2014).
template <class T>
inline Mat3<T> left_jacobian_coupling(const Twist<T>& xi) {
  const T t = norm_squared(xi.angular);
  const auto by_series = t < T(10);
  const T safe_t = select(by_series, T(10), t);
  const T theta = sqrt(safe_t);
  const SinCos<T> f = sincos(theta);
  const base_t<T> half(0.5);
  const T a = rotation_coefficients(t).theta_minus_sine;
  const T b =
      select(by_series, series(kCosineRest<base_t<T>>.c, t), (half * safe_t - T(1) + f.cos) / (safe_t * safe_t));
  const T c = select(by_series, series(kMixedRest<base_t<T>>.c, t),
                     (theta - base_t<T>(1.5) * f.sin + half * theta * f.cos) / (safe_t * safe_t * theta));
  const Mat3<T> P = skew(xi.angular), V = skew(xi.linear);
  const Mat3<T> PV = P * V, VP = V * P, PVP = PV * P;
  return half * V + a * (PV + VP + PVP) + b * (P * PV + VP * P - base_t<T>(3) * PVP) + c * (PVP * P + P * PVP);
}

template <class T>
Matrix6<T> left_jacobian(const Twist<T>& xi) {
  const Mat3<T> J = left_jacobian_so3(xi.angular);
  return from_blocks(J, left_jacobian_coupling(xi), zero_mat3<T>(), J);
}

template <class T>
Matrix6<T> left_jacobian_inverse(const Twist<T>& xi) {
  const Mat3<T> K = left_jacobian_inverse_so3(xi.angular);
  return from_blocks(K, -(K * left_jacobian_coupling(xi) * K), zero_mat3<T>(), K);
}

// J_l^-1 = 1 - ad/2 + g(ad^2) ad^2 with g(x) = sum of B_2k/(2k)! x^(k-1), and ad^2 (ad^2 + t)^2 = 0 on se(3): so g may
// be replaced by its tangent at x = -t, where its value is the c of cotangent_coefficients and its slope -dc/dt. And
// (ad^2 + t) ad^2 V has a linear part only, -2 phi.u times the angular one of ad^2 V.
template <class T>
Twist<T> left_jacobian_inverse_times(const Twist<T>& xi, const Twist<T>& V) {
  const auto [c, slope] = cotangent_coefficients(norm_squared(xi.angular));
  const Twist<T> V1 = cross(xi, V), V2 = cross(xi, V1);
  const T half(base_t<T>(0.5)), along = base_t<T>(2) * slope * dot(xi.angular, xi.linear);
  return {fma(along, V2.angular, fma(c, V2.linear, fma(-half, V1.linear, V.linear))),
          fma(c, V2.angular, fma(-half, V1.angular, V.angular))};
}

}  // namespace pintle::inline PINTLE_ISA
