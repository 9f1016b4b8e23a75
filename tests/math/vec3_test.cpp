#include "support/law.h"

using namespace test;

TEST_CASE_TEMPLATE("vec3: dot is symmetric and bilinear, cross is antisymmetric and orthogonal", T,
                   PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Vec3<T> a = s.vec3(), b = s.vec3(), c = s.vec3();
    const T k = s.number();
    check_close<T>(dot(a, b), dot(b, a), 1);
    check_close<T>(dot(a + k * b, c), dot(a, c) + k * dot(b, c), 6);
    check_close<T>(cross(a, b), -cross(b, a), 3);
    check_close<T>(dot(a, cross(a, b)), T(0), 6);
    check_close<T>(dot(a, cross(b, c)), dot(b, cross(c, a)), 9);
  });
}

TEST_CASE_TEMPLATE("vec3: a x (b x c) = b (a.c) - c (a.b), and |a x b|^2 + (a.b)^2 = |a|^2 |b|^2", T,
                   PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Vec3<T> a = s.vec3(), b = s.vec3(), c = s.vec3();
    check_close<T>(cross(a, cross(b, c)), dot(a, c) * b - dot(a, b) * c, 6);
    check_close<T>(norm_squared(cross(a, b)) + square(dot(a, b)), norm_squared(a) * norm_squared(b), 3, 4);
  });
}

TEST_CASE_TEMPLATE("vec3: a normalised vector has length one and the same direction", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Vec3<T> a = s.vec3() + Vec3<T>{T(2), T(0), T(0)};  // away from zero, where derivatives grow
    check_close<T>(norm(normalized(a)), T(1), 3);
    check_close<T>(norm(a) * normalized(a), a, 3);
  });
}

TEST_CASE_TEMPLATE("vec3: small operations are the ones their names say", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Vec3<T> a = s.vec3(), b = s.vec3();
    const T k = s.number();
    check_close<T>(vec3_from_array(to_array(a)), a, 0);
    check_close<T>(a * k, k * a, 1);
    check_close<T>((a / T(2)) + (a / T(2)), a, 1);
    check_close<T>(fma(k, a, b), k * a + b, 2, 2);
    check_close<T>(componentwise_product(a, b), diagonal(a) * b, 1);
    Vec3<T> d = a;
    d *= T(4);
    d /= T(2);
    check_close<T>(d, a + a, 1);
    Vec3<T> c = a;
    c += b;
    c -= a;
    check_close<T>(c, b, 2);
    check_close<T>(select(a.x < b.x, a, b).x, min(a.x, b.x), 0);
    check_close<T>(select(a.x > b.x, a, b).x, max(a.x, b.x), 0);
  });
}
