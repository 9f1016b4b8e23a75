#include "support/law.h"

using namespace test;

namespace {

template <class T>
Screw<T> random_screw(Sampler<T>& s, double magnitude) {
  const Vec3<T> direction = normalized(s.vec3() + Vec3<T>{T(0), T(2), T(1)});
  const Vec3<T> anywhere = s.vec3();
  const Vec3<T> nearest = anywhere - dot(anywhere, direction) * direction;
  return {nearest, direction, s.number(), T(static_cast<base_t<T>>(magnitude))};
}

template <class T>
void check_same(const Screw<T>& a, const Screw<T>& b, double k, double scale = 1.0) {
  check_close<T>(a.point, b.point, k, scale);
  check_close<T>(a.direction, b.direction, k, scale);
  check_close<T>(a.pitch, b.pitch, k, scale);
  check_close<T>(a.magnitude, b.magnitude, k, scale);
}

}  // namespace

TEST_CASE_TEMPLATE("screw: twists, wrenches and displacements have one screw each, and it gives them back", T,
                   PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    for (const double magnitude : {0.01, 0.5, 1.0, 2.9}) {
      const Screw<T> screw = random_screw(s, magnitude);
      const double scale = 4.0 / magnitude;  // the axis of a small rotation is found by dividing by it
      check_same(screw_of(twist_of(screw)), screw, 4, 4);
      check_same(screw_of(wrench_of(screw)), screw, 4, 4);
      check_same(screw_of(displacement_of(screw)), screw, 4, 4 * scale);
    }
    const Twist<T> V = s.twist();
    const Wrench<T> F = s.wrench();
    check_close<T>(twist_of(screw_of(V)), V, 2, 4);
    check_close<T>(wrench_of(screw_of(F)), F, 4, 4);
  });
}

TEST_CASE_TEMPLATE("screw: moves with the frame; pitch and magnitude stay", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Pose<T> X = s.pose();
    const Screw<T> a = random_screw(s, 1.0);
    const Screw<T> b = screw_of(X * twist_of(a));
    check_close<T>(b.pitch, a.pitch, 2, 10);
    check_close<T>(b.magnitude, a.magnitude, 4, 4);
    check_close<T>(b.direction, X.rotation * a.direction, 3, 4);
    check_close<T>(cross(b.direction, transform_point(X, a.point) - b.point), zero_twist<T>().linear, 2, 10);
    check_close<T>(dot(b.point, b.direction), T(0), 1, 10);  // the nearest point
  });
}

TEST_CASE_TEMPLATE("screw: points on the axis of a displacement advance by pitch times angle, and stay on it", T,
                   PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Screw<T> screw = random_screw(s, 2.0);
    const Pose<T> X = displacement_of(screw);
    check_close<T>(transform_point(X, screw.point), screw.point + (T(2) * screw.pitch) * screw.direction, 2, 6);
    check_close<T>(X.rotation * screw.direction, screw.direction, 2, 2);
  });
}

TEST_CASE_TEMPLATE("screw: zero and infinite pitch, zero screws", T, PINTLE_EVERY_SCALAR) {
  const T zero(0), one(1);
  const Vec3<T> nothing{zero, zero, zero}, z{zero, zero, one}, v{T(3), T(0), T(4)};

  const Screw<T> slide = screw_of(translation(v));
  CHECK(all(slide.pitch == T(static_cast<base_t<T>>(__builtin_inf()))));
  check_close<T>(slide.magnitude, T(5), 1, 5);
  check_close<T>(T(5) * slide.direction, v, 1, 5);
  check_close<T>(slide.point, nothing, 0);
  check_close<T>(twist_of(slide), translation(v), 1, 5);
  check_close<T>(wrench_of(screw_of(couple(v))), couple(v), 1, 5);
  check_close<T>(displacement_of(slide), Pose<T>{identity3<T>(), v}, 1, 5);
  check_close<T>(screw_of(Pose<T>{identity3<T>(), v}).magnitude, T(5), 1, 5);

  const Screw<T> rotation = screw_of(twist(z, Vec3<T>{T(1), T(2), T(3)}, zero));
  check_close<T>(rotation.pitch, zero, 0);
  check_close<T>(rotation.point, Vec3<T>{T(1), T(2), zero}, 0);

  const Screw<T> none = screw_of(zero_twist<T>());
  check_close<T>(none.magnitude, zero, 0);
  check_close<T>(none.pitch, zero, 0);
  check_close<T>(none.direction, z, 0);
  check_close<T>(twist_of(none), zero_twist<T>(), 0);
  check_close<T>(displacement_of(none), identity_pose<T>(), 0);
}

TEST_CASE_TEMPLATE("screw: a NaN anywhere stays a NaN, it never looks like a zero screw", T, PINTLE_EVERY_SCALAR) {
  const T nan(static_cast<base_t<T>>(__builtin_nan("")));
  for (std::size_t i = 0; i < 6; ++i) {
    std::array<T, 6> a;
    for (T& x : a) x = T(0);
    a[i] = nan;
    const Screw<T> motion = screw_of(twist_from_array(a)), force = screw_of(wrench_from_array(a));
    CHECK_FALSE(any(motion.magnitude == T(0)));
    CHECK_FALSE(any(force.magnitude == T(0)));
    CHECK_FALSE(any(motion.direction.z == T(1)));
  }
}

TEST_CASE("screw: a pitch of minus infinity is infinite, and a rotation too slow for a finite pitch is none") {
  const Vec3<> z{0, 0, 1};
  const Twist<> V = twist_of(Screw<>{{0, 0, 0}, z, -__builtin_inf(), 2.0});
  CHECK(V.linear.z == 2.0);
  CHECK(V.angular.z == 0.0);
  const Screw<> slow = screw_of(Twist<>{{0, 0, 1}, {1e-320, 0, 0}});
  CHECK(slow.pitch == __builtin_inf());
  CHECK(slow.magnitude == 1.0);
  CHECK(slow.direction.z == 1.0);
}

TEST_CASE("screw: magnitudes whose squares overflow or underflow") {
  for (const double size : {1e-250, 1e-170, 1e170, 1e250}) {
    const Screw<> screw = screw_of(twist(Vec3<>{0, size, size}, Vec3<>{1, 0, 0}, 0.25));
    CHECK(screw.pitch == doctest::Approx(0.25).epsilon(1e-14));
    CHECK(screw.point.x == doctest::Approx(1.0).epsilon(1e-14));
    CHECK(screw.magnitude / size == doctest::Approx(sqrt(2.0)).epsilon(1e-14));
  }
}

TEST_CASE_TEMPLATE("screw: the reciprocal product is (h1 + h2) cos(alpha) - d sin(alpha)", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    // Two axes along z and along z turned by alpha about their common normal x, at distance d.
    const T alpha = s.number(-1.5, 1.5), d = s.number(), h1 = s.number(), h2 = s.number();
    const SinCos<T> f = sincos(alpha);
    const T zero(0), one(1);
    const Pose<T> X = s.pose();
    const auto placed = [&](const Vec3<T>& direction, const Vec3<T>& point, const T& pitch) {
      return Screw<T>{transform_point(X, point), X.rotation * direction, pitch, one};
    };
    const Screw<T> a = placed(Vec3<T>{zero, zero, one}, Vec3<T>{zero, zero, zero}, h1);
    const Screw<T> b = placed(Vec3<T>{zero, -f.sin, f.cos}, Vec3<T>{d, zero, zero}, h2);
    check_close<T>(reciprocal_product(a, b), (h1 + h2) * f.cos - d * f.sin, 4, 8);
    check_close<T>(reciprocal_product(a, b), reciprocal_product(b, a), 1, 8);
  });
}
