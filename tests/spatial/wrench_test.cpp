#include "support/law.h"

using namespace test;

TEST_CASE_TEMPLATE("wrench: x* is dual to x, and an action of it", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Twist<T> A = s.twist(), B = s.twist();
    const Wrench<T> F = s.wrench();
    check_close<T>(dot(cross(A, B), F), -dot(B, cross_dual(A, F)), 6, 2);
    check_close<T>(dot(A, cross_dual(A, F)), T(0), 3, 2);
    check_close<T>(cross_dual(cross(A, B), F), cross_dual(A, cross_dual(B, F)) - cross_dual(B, cross_dual(A, F)), 5, 2);
  });
}

TEST_CASE_TEMPLATE("wrench: the power does not depend on the reference point", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Twist<T> V = s.twist();
    const Wrench<T> F = s.wrench();
    const Vec3<T> r = s.vec3();
    check_close<T>(dot(transfer(V, r), transfer(F, r)), dot(V, F), 5, 2);
    check_close<T>(dot(F, V), dot(V, F), 0);
    check_close<T>(transfer(transfer(F, r), -r), F, 3);
  });
}

TEST_CASE_TEMPLATE("wrench: a force has no torque on its line but the pitch's", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Vec3<T> force = s.vec3(), point = s.vec3();
    const T pitch = s.number();
    const Wrench<T> F = wrench(force, point, pitch);
    check_close<T>(transfer(F, point).torque, pitch * force, 3);
    check_close<T>(transfer(F, point - T(2) * force).torque, pitch * force, 2, 4);
    check_close<T>(transfer(couple(force), point), couple(force), 0);
  });
}

TEST_CASE_TEMPLATE("wrench: a vector space, flattened force first", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Wrench<T> A = s.wrench(), B = s.wrench();
    const T k = s.number();
    check_close<T>((A + B) - B, A, 2);
    check_close<T>(k * A, A * k, 1);
    check_close<T>((A + A) / T(2), A, 1);
    check_close<T>(-A + A, zero_wrench<T>(), 0);
    Wrench<T> C = A;
    C += B;
    C -= A;
    check_close<T>(C, B, 2);
    check_close<T>(to_array(A)[0], A.force.x, 0);
    check_close<T>(wrench_from_array(to_array(A)), A, 0);
    check_close<T>(select(A.force.x < B.force.x, A, B).force.x, min(A.force.x, B.force.x), 0);
  });
}
