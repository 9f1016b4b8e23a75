#include "support/law.h"

using namespace test;

TEST_CASE_TEMPLATE("quaternion: unit quaternions are a group", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Quaternion<T> p = s.unit_quaternion(), q = s.unit_quaternion(), r = s.unit_quaternion();
    check_close<T>((p * q) * r, p * (q * r), 5);
    check_close<T>(p * identity_quaternion<T>(), p, 1);
    check_close<T>(p * conjugate(p), identity_quaternion<T>(), 6);
    check_close<T>(norm(p * q), T(1), 5);
    check_close<T>(conjugate(p * q), conjugate(q) * conjugate(p), 3);
  });
}

TEST_CASE_TEMPLATE("quaternion: acts on vectors like its rotation matrix, products like products", T,
                   PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Quaternion<T> p = s.unit_quaternion(), q = s.unit_quaternion();
    const Vec3<T> v = s.vec3();
    const Mat3<T> R = rotation_matrix(p);
    check_close<T>(rotate(p, v), R * v, 8);
    check_close<T>(rotation_matrix(p * q), R * rotation_matrix(q), 14);
    check_close<T>(transpose_times(R, R), identity3<T>(), 21);
    check_close<T>(determinant(R), T(1), 20);
    check_close<T>(rotate(p, v), vector_part(p * quaternion(v, T(0)) * conjugate(p)), 6);
  });
}

TEST_CASE_TEMPLATE("quaternion: a rotation matrix gives its quaternion back, whichever component is largest", T,
                   PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Quaternion<T> r = s.unit_quaternion();
    const T zero(0), one(1);
    // Turning by pi about x, y, z first moves the weight to each component in turn.
    for (const Quaternion<T>& turn : {Quaternion<T>{zero, zero, zero, one}, Quaternion<T>{one, zero, zero, zero},
                                      Quaternion<T>{zero, one, zero, zero}, Quaternion<T>{zero, zero, one, zero}}) {
      const Quaternion<T> q = r * turn;
      const Quaternion<T> positive = select(q.w < zero, -q, q);
      check_close<T>(quaternion(rotation_matrix(q)), positive, 8);
    }
  });
}

TEST_CASE_TEMPLATE("quaternion: rates keep the norm, agree in world and body axes, and turn the matrix", T,
                   PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Quaternion<T> q = s.unit_quaternion();
    const Vec3<T> w_B = s.vec3(), v = s.vec3();
    const Quaternion<T> rate = rate_from_body(q, w_B);
    check_close<T>(dot(q, rate), T(0), 2);
    check_close<T>(rate, rate_from_world(q, rotate(q, w_B)), 6);
    // d/dt (q v q*) = R (w_B x v)
    const Quaternion<T> V = quaternion(v, T(0));
    const Quaternion<T> rate_of_v = rate * V * conjugate(q) + q * V * conjugate(rate);
    check_close<T>(vector_part(rate_of_v), rotate(q, cross(w_B, v)), 5, 2);
  });
}

TEST_CASE_TEMPLATE("quaternion: stored x, y, z, w; algebra is component by component", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Quaternion<T> p = s.unit_quaternion(), q = s.unit_quaternion();
    const auto a = to_array(p);
    check_close<T>(a[3], p.w, 0);
    check_close<T>(quaternion_from_array(a), p, 0);
    check_close<T>((p + q) - q, p, 2);
    check_close<T>(T(2) * p, p + p, 0);
    check_close<T>(vector_part(-p), -vector_part(p), 0);
  });
}
