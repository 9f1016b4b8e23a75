#include "support/law.h"

using namespace test;

namespace {

/// Angles at which something changes: zero, tiny, the borders of the series, near and at pi.
constexpr double kAngles[] = {0.0,      1e-300,     1e-160,       1e-20,           1e-9,  1e-5, 1e-3, 0.1,  0.19,
                              0.21,     0.999,      1.001,        1.999,           2.001, 2.5,  3.0,  3.14, 3.1415,
                              3.141592, 3.14159265, 3.1415926535, 3.14159265358979};

/// A pitch-free twist of the given angle about a random axis.
template <class T>
Twist<T> twist_of_angle(Sampler<T>& s, double angle) {
  const Vec3<T> axis = normalized(s.vec3() + Vec3<T>{T(2), T(1), T(0)});
  return {s.vec3(), T(static_cast<base_t<T>>(angle)) * axis};
}

template <class T>
Twist<T> times(const Matrix6<T>& J, const Twist<T>& V) {
  const std::array<T, 6> from = to_array(V);
  T to[6];
  for (int i = 0; i < 6; ++i) {
    to[i] = T(0);
    for (int k = 0; k < 6; ++k) to[i] += J.m[i][k] * from[static_cast<std::size_t>(k)];
  }
  return {{to[0], to[1], to[2]}, {to[3], to[4], to[5]}};
}

}  // namespace

TEST_CASE_TEMPLATE("exp and log: round trips at every angle from 0 to pi", T, PINTLE_EVERY_SCALAR) {
  // Derivatives of log grow like 1 / (pi - angle) in the translation's coefficient: duals stop at 3.
  constexpr bool is_dual = !std::is_same_v<T, base_t<T>> && requires(T t) {
    t.derivative;
  };
  for_random<T>([](auto& s) {
    for (const double angle : kAngles) {
      if (is_dual && angle > 3.0) continue;
      CAPTURE(angle);
      const Twist<T> xi = twist_of_angle(s, angle);
      const Pose<T> X = exp(xi);
      check_close<T>(transpose_times(X.rotation, X.rotation), identity3<T>(), 14, 2);
      check_close<T>(exp(log(X)), X, 6, 4);
      check_close<T>(exp_so3(xi.angular), X.rotation, 0);
      check_close<T>(rotation_matrix(exp_quaternion(xi.angular)), X.rotation, 5, 2);
      const RotationAndTranslation<T> both = exp_rotation_and_translation(xi);
      check_close<T>(both.rotation, exp_quaternion(xi.angular), 0);
      check_close<T>(both.translation, X.translation, 2, 4);
      check_close<T>(log_quaternion(-exp_quaternion(xi.angular)), log_quaternion(exp_quaternion(xi.angular)), 0, 1);
      // Closer to pi than a rounding of the matrix the axis may come out reversed.
      if (angle < 3.14159) check_close<T>(log(X), xi, 1, angle > 3.0 ? 400 : 20);
    }
  });
}

TEST_CASE_TEMPLATE("exp: one-parameter groups, and conjugation by a displacement is the adjoint", T,
                   PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Twist<T> xi = s.twist(1.5);
    const Pose<T> X = s.pose();
    const T a = s.number(), b = s.number();
    check_close<T>(exp((a + b) * xi), exp(a * xi) * exp(b * xi), 2, 8);
    check_close<T>(exp(X * xi), X * exp(xi) * inverse(X), 3, 10);
    check_close<T>(exp(-xi), inverse(exp(xi)), 2, 6);
    check_close<T>(exp(xi) * xi, xi, 3, 8);  // a twist is fixed by its own displacement
  });
}

TEST_CASE_TEMPLATE("exp: turns of more than pi, where the series end, still compose", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    for (const double angle : {3.16, 3.17, 5.0, 9.0, 40.0}) {
      const Twist<T> xi = twist_of_angle(s, angle);
      const T half(base_t<T>(0.5));
      check_close<T>(exp(xi), exp(half * xi) * exp(half * xi), 2, 4 + 2 * angle);
    }
  });
}

TEST_CASE("exp: coefficients against long double, on both sides of every border") {
  for (const double t : {1e-30, 1e-3, 0.5, 0.999999, 1.0, 1.000001, 4.0, 9.5, 9.999999, 10.0, 10.1, 30.0}) {
    const RotationCoefficients<double> k = rotation_coefficients(t);
    const long double theta = sqrt(static_cast<long double>(t));
    const long double sine = sin(theta), cosine = cos(theta);
    // Where the closed form cancels even in long double, the first terms of the series are the reference.
    const long double x = static_cast<long double>(t);
    const bool tiny = t < 1e-2;
    const long double sinc = tiny ? 1 - x / 6 * (1 - x / 20 * (1 - x / 42)) : sine / theta;
    const long double versine = tiny ? (1 - x / 12 * (1 - x / 30 * (1 - x / 56))) / 2 : (1 - cosine) / x;
    const long double rest = tiny ? (1 - x / 20 * (1 - x / 42 * (1 - x / 72))) / 6 : (theta - sine) / (x * theta);
    CAPTURE(t);
    CHECK(abs(k.sinc - static_cast<double>(sinc)) < 1e-15);  // passes zero at pi
    CHECK(abs(k.versine / static_cast<double>(versine) - 1.0) < 1e-15);
    CHECK(abs(k.theta_minus_sine / static_cast<double>(rest) - 1.0) < 2e-15);
    const long double half = theta / 2;
    const long double cotangent =
        tiny ? (1 + x / 60 * (1 + x / 42 * (1 + x / 40))) / 12 : (1 - half * cos(half) / sin(half)) / x;
    // The condition of the cotangent is 20 at the largest angle here.
    CHECK(abs(cotangent_coefficient(t) / static_cast<double>(cotangent) - 1.0) < 20 * kEpsilon<double>);
  }
}

TEST_CASE("jacobians: exp(xi + d) = exp(J_l d) exp(xi), by dual numbers, for every angle") {
  // With duals for d the law is exact to rounding: the derivative of exp(xi + d) exp(-xi) at d = 0 is J_l as a twist.
  using D = Dual<double, 6>;
  for_random<double>([](auto& s) {
    for (const double angle : {0.0, 1e-12, 1e-4, 0.3, 0.999, 1.001, 2.0, 3.0, 3.15, 3.17, 4.0, 6.0}) {
      CAPTURE(angle);
      const Twist<double> xi = twist_of_angle(s, angle);
      const auto a = to_array(xi);
      std::array<D, 6> moved;
      for (int i = 0; i < 6; ++i) moved[static_cast<std::size_t>(i)] = D::variable(a[static_cast<std::size_t>(i)], i);
      const Pose<D> X = exp(twist_from_array(moved));
      const Pose<double> back = exp(-xi);
      const auto minus_gravity = [](const Vec3<double>& v) { return Vec3<D>{D(v.x), D(v.y), D(v.z)}; };
      const Pose<D> Y =
          X * Pose<D>{from_rows(minus_gravity(row(back.rotation, 0)), minus_gravity(row(back.rotation, 1)),
                                minus_gravity(row(back.rotation, 2))),
                      minus_gravity(back.translation)};
      // Y is the identity plus the twist of the change: skew part of the rotation, and the translation.
      const Vec3<D> turn = skew_part(Y.rotation);
      const std::array<D, 6> change = to_array(Twist<D>{Y.translation, turn});
      const Matrix6<double> J = left_jacobian(xi);
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) CHECK(abs(change[static_cast<std::size_t>(i)].derivative[j] - J.m[i][j]) < 2e-14);
    }
  });
}

TEST_CASE_TEMPLATE("jacobians: their inverses, their block form, and the right one", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    for (const double angle : {0.0, 1e-9, 0.5, 1.5, 3.0, 4.0}) {
      CAPTURE(angle);
      const Twist<T> xi = twist_of_angle(s, angle);
      check_close<T>(left_jacobian_inverse_so3(xi.angular) * left_jacobian_so3(xi.angular), identity3<T>(), 1, 10);
      check_close<T>(left_jacobian_inverse(xi) * left_jacobian(xi), identity_matrix<T, 6>(), 1, 40);
      const Twist<T> V = twist_of_angle(s, 1.0);
      check_close<T>(times(left_jacobian(xi), left_jacobian_inverse_times(xi, V)), V, 1, 40);
      // J_l(xi) = Ad(exp xi) J_r(xi), with J_r(xi) = J_l(-xi).
      check_close<T>(left_jacobian(xi), to_matrix(exp(xi)) * left_jacobian(-xi), 1, 20);
      // The translation of exp is J_l(phi) v.
      check_close<T>(exp(xi).translation, left_jacobian_so3(xi.angular) * xi.linear, 2, 4);
    }
  });
}

TEST_CASE("exp: derivatives at zero rotation are the right ones, not NaN") {
  using D = Dual<double, 3>;
  const Vec3<D> phi{D::variable(0.0, 0), D::variable(0.0, 1), D::variable(0.0, 2)};
  const Mat3<D> R = exp_so3(phi);
  CHECK(R.zy.derivative[0] == 1.0);
  CHECK(R.yz.derivative[0] == -1.0);
  CHECK(R.xz.derivative[1] == 1.0);
  const Vec3<D> back = log_so3(R);
  CHECK(back.x.derivative[0] == 1.0);
  CHECK(back.y.derivative[0] == 0.0);
}
