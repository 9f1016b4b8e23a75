// Motion with a closed form, computed here by means that the library does not use.
#include <doctest/doctest.h>

#include <cmath>

#include "oracles/reference_scenes.h"
#include "oracles/run_of.h"

using namespace test;

namespace {

constexpr double kTolerance = 1e-9;

/// Jacobi's elliptic functions of the argument u and the modulus k, by the arithmetic-geometric mean (Abramowitz and
/// Stegun 16.4).
struct Jacobi {
  double sn, cn, dn;
};

Jacobi jacobi(double u, double k) {
  double a[16] = {1.0}, c[16] = {k};
  double b = std::sqrt(1.0 - k * k);
  int n = 0;
  for (; std::abs(c[n]) > 1e-17 && n < 15; ++n) {
    a[n + 1] = 0.5 * (a[n] + b);
    c[n + 1] = 0.5 * (a[n] - b);
    b = std::sqrt(a[n] * b);
  }
  double phi = std::ldexp(a[n] * u, n);
  for (; n > 0; --n) phi = 0.5 * (phi + std::asin(c[n] / a[n] * std::sin(phi)));
  const double sn = std::sin(phi);
  return {sn, std::cos(phi), std::sqrt(1.0 - k * k * sn * sn)};
}

Mat3<> about_x(double angle) {
  return rotation_x(std::cos(angle), std::sin(angle));
}

Mat3<> about_z(double angle) {
  return rotation_z(std::cos(angle), std::sin(angle));
}

/// A body without forces whose energy and angular momentum are given (Landau and Lifshitz, Mechanics, section 37, for
/// I1 < I2 < I3 and L^2 > 2 E I2). The angular momentum is along the world's z.
struct TorqueFree {
  AsymmetricBody body;
  double E, L;

  Vec3<> angular_velocity(double t) const {
    const auto [I1, I2, I3] = body;
    const double rate = std::sqrt((I3 - I2) * (L * L - 2.0 * E * I1) / (I1 * I2 * I3));
    const double k = std::sqrt((I2 - I1) * (2.0 * E * I3 - L * L) / ((I3 - I2) * (L * L - 2.0 * E * I1)));
    const Jacobi f = jacobi(rate * t, k);
    return {std::sqrt((2.0 * E * I3 - L * L) / (I1 * (I3 - I1))) * f.cn,
            std::sqrt((2.0 * E * I3 - L * L) / (I2 * (I3 - I2))) * f.sn,
            std::sqrt((L * L - 2.0 * E * I1) / (I3 * (I3 - I1))) * f.dn};
  }

  /// The rate of the precession about L: L (I1 w1^2 + I2 w2^2) / (I1^2 w1^2 + I2^2 w2^2).
  double precession_rate(double t) const {
    const Vec3<> w = angular_velocity(t);
    const double l1 = body.I1 * w.x, l2 = body.I2 * w.y;
    return L * (l1 * w.x + l2 * w.y) / (l1 * l1 + l2 * l2);
  }

  /// The precession since t = 0, by Simpson's rule.
  double precession(double t) const {
    const int n = 20000;
    double sum = precession_rate(0.0) + precession_rate(t);
    for (int i = 1; i < n; ++i) sum += (i % 2 == 1 ? 4.0 : 2.0) * precession_rate(i * t / n);
    return sum * t / (3.0 * n);
  }

  /// Euler's angles: about z by the precession, about x by the angle between L and the third axis, about z.
  Mat3<> orientation(double t) const {
    const Vec3<> w = angular_velocity(t);
    const Vec3<> l{body.I1 * w.x, body.I2 * w.y, body.I3 * w.z};
    return about_z(precession(t)) * about_x(std::atan2(std::hypot(l.x, l.y), l.z)) * about_z(std::atan2(l.x, l.y));
  }
};

}  // namespace

TEST_CASE("closed form: a torque-free body of three different moments turns by Jacobi's elliptic functions") {
  const AsymmetricBody body;
  const double E = 0.5;
  // The modulus is 0.79: far from the symmetric body and from the separatrix.
  const TorqueFree exact{body, E, std::sqrt(2.0 * E * 0.0215)};
  RunOf run(accurate(torque_free_body(body, quaternion(exact.orientation(0.0)), exact.angular_velocity(0.0))));
  for (const double t : {0.1, 1.0, 5.0, 10.0}) {
    CAPTURE(t);
    run.to(t);
    const Vec3<> w{run.v(3), run.v(4), run.v(5)};
    // Seen: 3e-13 rad/s, 3e-13 rad.
    CHECK(largest(w - exact.angular_velocity(t)) <= kTolerance);
    CHECK(turn_between(run.pose("body").rotation, exact.orientation(t)) <= kTolerance);
    CHECK(largest(run.position("body")) == 0.0);
  }
}

TEST_CASE("closed form: the steady precession of Lagrange's top") {
  // m g l = W (I3 w3 - I1 W cos(theta)), with I1 about the tip and w3 the spin component of the body.
  const LagrangeTop top;
  const double W = top.W, spin = top.spin();
  RunOf run(accurate(lagrange_top(top)));
  for (const double t : {0.3, 1.0, 5.0}) {
    CAPTURE(t);
    run.to(t);
    const Mat3<> R = about_z(W * t) * about_x(top.theta) * about_z(spin * t);
    const Vec3<> w = Vec3<>{0.0, 0.0, W} + spin * (R * Vec3<>{0.0, 0.0, 1.0});
    // Seen: 1e-11 rad after 550 rad of spin, 6e-12 of |w|.
    CHECK(turn_between(run.pose("top").rotation, R) <= kTolerance);
    CHECK(largest(run.turning("top") - w) <= kTolerance * norm(w));
  }
}

TEST_CASE("closed form: the conical pendulum") {
  // W^2 = g / (l cos(theta)).
  const double l = 0.8, theta = 0.6, W = conical_rate(l, theta);
  RunOf run(accurate(conical_pendulum(l, theta)));
  for (const double t : {1.0, 10.0}) {
    CAPTURE(t);
    run.to(t);
    const double radius = l * std::sin(theta);
    const Vec3<> there{radius * std::cos(W * t), radius * std::sin(W * t), -l * std::cos(theta)};
    CHECK(largest(run.position("bob") - there) <= kTolerance);  // seen: 9e-14
  }
}

TEST_CASE("closed form: the centre of mass of a spinning projectile follows its parabola") {
  RunOf run(accurate(projectile()));
  run.to(0.0);
  const Vec3<> c = run.position("center");
  for (const double t : {0.5, 2.0}) {
    CAPTURE(t);
    run.to(t);
    const Vec3<> there = c + t * kThrow + (0.5 * t * t) * Vec3<>{0.0, 0.0, -9.81};
    CHECK(largest(run.position("center") - there) <= kTolerance);  // seen: 8e-14
  }
}

TEST_CASE("closed form: springs of joints, of the model and along lines swing harmonically") {
  for (const SpringOf by : {SpringOf::joint, SpringOf::model, SpringOf::line}) {
    RunOf run(accurate(harmonic_spring(by)));
    const double w = std::sqrt(200.0 / 0.5);
    for (const double t : {0.1, 1.0, 10.0}) {
      CAPTURE(t);
      run.to(t);
      // Seen: 9e-14 m, 4e-12 m/s.
      CHECK(abs(run.q(0) - 0.1 * std::cos(w * t)) <= kTolerance);
      CHECK(abs(run.v(0) + 0.1 * w * std::sin(w * t)) <= kTolerance);
    }
  }
}
