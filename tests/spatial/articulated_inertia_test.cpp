#include "support/law.h"

using namespace test;

TEST_CASE_TEMPLATE("articulated inertia: a rigid body is one, in every frame", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Pose<T> X = s.pose();
    const SpatialInertia<T> I = s.inertia();
    const Twist<T> V = s.twist();
    check_close<T>(articulated(I) * V, I * V, 2, 10);
    check_close<T>(X * articulated(I), articulated(X * I), 3, 20);
  });
}

TEST_CASE_TEMPLATE("articulated inertia: symmetric, and moves with the frame", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Pose<T> X = s.pose(), Y = s.pose();
    const ArticulatedInertia<T> A = s.articulated();
    const Twist<T> V = s.twist(), U = s.twist();
    check_close<T>(dot(V, A * U), dot(U, A * V), 3, 20);
    check_close<T>((X * A) * (X * V), X * (A * V), 3, 60);
    check_close<T>((X * Y) * A, X * (Y * A), 3, 100);
  });
}

TEST_CASE_TEMPLATE("articulated inertia: sums, differences and the rank-one part act as they should", T,
                   PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const ArticulatedInertia<T> A = s.articulated(), B = s.articulated();
    const SpatialInertia<T> I = s.inertia();
    const Twist<T> V = s.twist();
    const Wrench<T> U = s.wrench();
    const T k = s.number();
    check_close<T>((A + B) * V, A * V + B * V, 2, 40);
    check_close<T>((A - B) + B, A, 1, 40);
    check_close<T>((A + I) * V, A * V + I * V, 2, 40);
    ArticulatedInertia<T> C = A;
    C += B;
    check_close<T>(C, A + B, 0);
    check_close<T>(outer(U, k) * V, (k * dot(U, V)) * U, 2, 6);
  });
}

TEST_CASE_TEMPLATE("articulated inertia: without a joint's dof it does not resist that motion", T,
                   PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const ArticulatedInertia<T> A = s.articulated();
    const Twist<T> S = s.twist() + Twist<T>{{T(2), T(0), T(0)}, {T(0), T(2), T(0)}};
    const Wrench<T> U = A * S;
    const T D = dot(S, U);
    check_close<T>((A - outer(U, T(1) / D)) * S, zero_wrench<T>(), 3, 60);
  });
}

TEST_CASE_TEMPLATE("articulated inertia: solve undoes the product", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const ArticulatedInertia<T> A = s.articulated();
    const Twist<T> V = s.twist();
    check_close<T>(solve(A, A * V), V, 1, 100);  // the condition is up to 100
  });
}
