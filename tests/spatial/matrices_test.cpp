#include "support/law.h"

using namespace test;

TEST_CASE_TEMPLATE("matrices: the 6x6 view of every operation is that operation", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Pose<T> X = s.pose();
    const Twist<T> V = s.twist(), U = s.twist();
    const Wrench<T> F = s.wrench();
    const SpatialInertia<T> I = s.inertia();
    const ArticulatedInertia<T> A = s.articulated();
    check_close<T>(to_matrix(X) * to_matrix(V), to_matrix(X * V), 3, 4);
    check_close<T>(to_dual_matrix(X) * to_matrix(F), to_matrix(X * F), 2, 4);
    check_close<T>(cross_matrix(V) * to_matrix(U), to_matrix(cross(V, U)), 2, 4);
    check_close<T>(cross_dual_matrix(V) * to_matrix(F), to_matrix(cross_dual(V, F)), 2, 4);
    check_close<T>(to_matrix(I) * to_matrix(V), to_matrix(I * V), 3, 10);
    check_close<T>(to_matrix(A) * to_matrix(V), to_matrix(A * V), 1, 40);
    check_close<T>(to_matrix(momentum(I, V)), to_matrix(I * V), 0);
    check_close<T>((transpose(to_matrix(V)) * to_matrix(F)).m[0][0], dot(V, F), 3, 4);
  });
}

TEST_CASE_TEMPLATE("matrices: duals are inverse transposes, x* is -x', inertias are congruent", T,
                   PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Pose<T> X = s.pose();
    const Twist<T> V = s.twist();
    const SpatialInertia<T> I = s.inertia();
    const ArticulatedInertia<T> A = s.articulated();
    check_close<T>(transpose(to_dual_matrix(X)) * to_matrix(X), identity_matrix<T, 6>(), 6, 4);
    check_close<T>(cross_dual_matrix(V), T(-1) * transpose(cross_matrix(V)), 0);
    check_close<T>(to_dual_matrix(X) * to_matrix(I) * transpose(to_dual_matrix(X)), to_matrix(X * I), 3, 40);
    check_close<T>(to_dual_matrix(X) * to_matrix(A) * transpose(to_dual_matrix(X)), to_matrix(X * A), 1, 100);
    check_close<T>(to_matrix(A), transpose(to_matrix(A)), 0);
  });
}
