#include "support/law.h"

using namespace test;

TEST_CASE_TEMPLATE("pose: displacements are a group", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Pose<T> X = s.pose(), Y = s.pose(), Z = s.pose();
    check_close<T>((X * Y) * Z, X * (Y * Z), 5, 2);
    check_close<T>(X * identity_pose<T>(), X, 1);
    check_close<T>(X * inverse(X), identity_pose<T>(), 11, 2);
    check_close<T>(inverse(X * Y), inverse(Y) * inverse(X), 10, 3);
    check_close<T>(inverse_times(X, Y), inverse(X) * Y, 3, 3);
  });
}

TEST_CASE_TEMPLATE("pose: points keep their distance and go there and back", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Pose<T> X = s.pose(), Y = s.pose();
    const Vec3<T> a = s.vec3(), b = s.vec3();
    check_close<T>(norm_squared(transform_point(X, a) - transform_point(X, b)), norm_squared(a - b), 9, 8);
    check_close<T>(inverse_transform_point(X, transform_point(X, a)), a, 10, 2);
    check_close<T>(transform_point(X * Y, a), transform_point(X, transform_point(Y, a)), 3, 3);
  });
}

TEST_CASE_TEMPLATE("pose: the adjoint is a homomorphism that keeps brackets, its dual keeps power", T,
                   PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Pose<T> X = s.pose(), Y = s.pose();
    const Twist<T> V = s.twist(), U = s.twist();
    const Wrench<T> F = s.wrench();
    check_close<T>((X * Y) * V, X * (Y * V), 5, 4);
    check_close<T>((X * Y) * F, X * (Y * F), 6, 4);
    check_close<T>(X * cross(V, U), cross(X * V, X * U), 3, 8);
    check_close<T>(X * cross_dual(V, F), cross_dual(X * V, X * F), 3, 8);
    check_close<T>(dot(X * V, X * F), dot(V, F), 4, 8);
    check_close<T>(inverse_times(X, X * V), V, 5, 4);
    check_close<T>(inverse_times(X, X * F), F, 6, 4);
    check_close<T>(inverse(X) * V, inverse_times(X, V), 6, 4);
    check_close<T>(inverse(X) * F, inverse_times(X, F), 4, 4);
  });
}

TEST_CASE_TEMPLATE("pose: a screw moves with the frame", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Pose<T> X = s.pose();
    const Vec3<T> axis = s.vec3(), point = s.vec3();
    const T pitch = s.number();
    check_close<T>(X * twist(axis, point, pitch), twist(X.rotation * axis, transform_point(X, point), pitch), 3, 4);
    check_close<T>(X * wrench(axis, point, pitch), wrench(X.rotation * axis, transform_point(X, point), pitch), 3, 4);
  });
}

TEST_CASE_TEMPLATE("pose: from a quaternion it has that rotation; select takes whole poses", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Quaternion<T> q = s.unit_quaternion();
    const Vec3<T> p = s.vec3(), v = s.vec3();
    check_close<T>(transform_point(pose(q, p), v), p + rotate(q, v), 3, 2);
    const Pose<T> X = s.pose(), Y = s.pose();
    check_close<T>(select(X.translation.x < Y.translation.x, X, Y).translation.x, min(X.translation.x, Y.translation.x),
                   0);
  });
}
