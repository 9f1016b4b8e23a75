// Shared by the law suites: every scalar type they run on, random values of it, and the distance of two values.
//
// A law is checked as |a - b| <= k eps scale: eps of the scalar type, scale the size of the terms in the sum, and k the
// rounding errors that do not cancel: about three times the maximum seen in any scalar or lane in both bit families.
// Derivatives are sums of several such products, so a dual may be off by 4 k, a dual of duals by 10 k.
#pragma once

#include <doctest/doctest.h>

#include "pintle/generic.h"
#include "support/counted.h"

namespace test {

using namespace pintle;

template <class T>
struct NumberTraits {  // built-in types and Counted
  static T random(RandomStream& stream, double low, double high) {
    return T(static_cast<base_t<T>>(stream.uniform(low, high)));
  }
  static long double distance(const T& a, const T& b) {
    if constexpr (std::is_same_v<T, Counted>) {
      return NumberTraits<double>::distance(a.value, b.value);
    } else {
      const long double difference = static_cast<long double>(a) - static_cast<long double>(b);
      return difference < 0 ? -difference : difference;
    }
  }
};

template <class T, int N>
struct NumberTraits<Pack<T, N>> {
  static Pack<T, N> random(RandomStream& stream, double low, double high) {
    Pack<T, N> x;
    for (int i = 0; i < N; ++i) x.set(i, static_cast<T>(stream.uniform(low, high)));
    return x;
  }
  static long double distance(const Pack<T, N>& a, const Pack<T, N>& b) {
    long double most = 0;
    for (int i = 0; i < N; ++i) {
      const long double d = NumberTraits<T>::distance(a[i], b[i]);
      if (!(d <= most)) most = d;  // keeps a NaN
    }
    return most;
  }
};

template <class T, int N>
struct NumberTraits<Dual<T, N>> {
  static Dual<T, N> random(RandomStream& stream, double low, double high) {
    Dual<T, N> x;
    x.value = NumberTraits<T>::random(stream, low, high);
    for (int i = 0; i < N; ++i) x.derivative[i] = NumberTraits<T>::random(stream, -1.0, 1.0);
    return x;
  }
  static long double distance(const Dual<T, N>& a, const Dual<T, N>& b) {
    long double most = NumberTraits<T>::distance(a.value, b.value);
    for (int i = 0; i < N; ++i) {
      const long double d = NumberTraits<T>::distance(a.derivative[i], b.derivative[i]);
      if (!(d <= most)) most = d;
    }
    return most;
  }
};

// ---- distance of composite values: the maximum over their components

template <class T>
concept Number = requires {
  typename ScalarTraits<T>::Base;
};

template <Number T>
long double distance(const T& a, const T& b) {
  return NumberTraits<T>::distance(a, b);
}

inline long double larger(long double a, long double b) {
  return !(b <= a) ? b : a;
}

template <class T, std::size_t N>
long double distance(const std::array<T, N>& a, const std::array<T, N>& b) {
  long double most = 0;
  for (std::size_t i = 0; i < N; ++i) most = larger(most, distance(a[i], b[i]));
  return most;
}

template <class V>
requires requires(V v) {
  to_array(v);
}
long double distance(const V& a, const V& b) {
  return distance(to_array(a), to_array(b));
}

template <class T>
long double distance(const Pose<T>& a, const Pose<T>& b) {
  return larger(distance(a.rotation, b.rotation), distance(a.translation, b.translation));
}

template <class T>
long double distance(const SpatialInertia<T>& a, const SpatialInertia<T>& b) {
  return larger(distance(a.mass, b.mass),
                larger(distance(a.first_moment, b.first_moment), distance(a.inertia, b.inertia)));
}

template <class T>
long double distance(const ArticulatedInertia<T>& a, const ArticulatedInertia<T>& b) {
  return larger(distance(a.linear, b.linear), larger(distance(a.coupling, b.coupling), distance(a.angular, b.angular)));
}

template <class T, int R, int C>
long double distance(const Matrix<T, R, C>& a, const Matrix<T, R, C>& b) {
  long double most = 0;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) most = larger(most, distance(a.m[i][j], b.m[i][j]));
  return most;
}

template <class T>
constexpr int kRoundingsOfDerivatives = 1;
template <class T, int N>
constexpr int kRoundingsOfDerivatives<Dual<T, N>> = kRoundingsOfDerivatives<T> == 1 ? 4 : 10;

/// |a - b| <= k eps scale (more for derivatives, see above), for every component.
template <class T, class V>
void check_close(const V& a, const V& b, double k, double scale = 1.0) {
  const long double roundings = static_cast<long double>(k) * kRoundingsOfDerivatives<T>;
  const long double bound = roundings * static_cast<long double>(kEpsilon<T>) * scale;
  const long double d = distance(a, b);
  CHECK_MESSAGE(d <= bound, "differs by ", static_cast<double>(d), ", allowed ", static_cast<double>(bound));
}

// ---- random values

template <class T>
struct Sampler {
  RandomStream stream;

  T number(double low = -1.0, double high = 1.0) { return NumberTraits<T>::random(stream, low, high); }
  Vec3<T> vec3(double size = 1.0) {
    const T x = number(-size, size), y = number(-size, size), z = number(-size, size);
    return {x, y, z};
  }
  Mat3<T> mat3() {
    const Vec3<T> x = vec3(), y = vec3(), z = vec3();
    return from_rows(x, y, z);
  }
  Twist<T> twist(double size = 1.0) {
    const Vec3<T> v = vec3(size), w = vec3(size);
    return {v, w};
  }
  Wrench<T> wrench() {
    const Vec3<T> f = vec3(), n = vec3();
    return {f, n};
  }
  /// A rotation that is exact to the last bit and for every derivative: the division by the norm is part of the value.
  Quaternion<T> unit_quaternion() {
    const T x = number(), y = number(), z = number(), w = number(0.25, 1.0);
    return normalized(Quaternion<T>{x, y, z, w});
  }
  Pose<T> pose() {
    const Quaternion<T> q = unit_quaternion();
    const Vec3<T> p = vec3();
    return pintle::pose(q, p);
  }
  /// Symmetric, eigenvalues from 0.25 up.
  SymMat3<T> positive_sym_mat3() {
    const Mat3<T> A = mat3();
    const T d(base_t<T>(0.25));
    return congruence(A, diagonal(Vec3<T>{T(1), T(1), T(1)})) + diagonal(Vec3<T>{d, d, d});
  }
  SpatialInertia<T> inertia() {
    const T m = number(0.5, 2.0);
    const Vec3<T> c = vec3();
    const SymMat3<T> I_c = positive_sym_mat3();
    return spatial_inertia(m, c, I_c);
  }
  ArticulatedInertia<T> articulated() { return (pose() * pintle::articulated(inertia())) + inertia(); }
};

/// Runs a law on 50 random samples of the scalar type.
template <class T, class Law>
void for_random(Law law, std::uint64_t seed = 1) {
  for (std::uint64_t run = 0; run < 50; ++run) {
    Sampler<T> sampler{RandomStream(seed, run)};
    law(sampler);
  }
}

}  // namespace test

/// Every scalar type a law runs on.
#define PINTLE_EVERY_SCALAR                                                                                   \
  double, float, long double, pintle::Pack<double, 2>, pintle::NativePack<double>, pintle::NativePack<float>, \
      pintle::Dual<double, 3>, pintle::Dual<float, 2>, pintle::Dual<pintle::NativePack<double>, 2>,           \
      pintle::Dual<pintle::Dual<double, 2>, 2>, test::Counted
