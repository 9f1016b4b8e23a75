// Laws of the Coriolis operator on every kind of number that the kernels run on.
#include "pintle/dynamics/recursions/coriolis_operator.h"

#include "support/law.h"

using namespace test;

// Sums of up to thirty products of numbers of size 1 to 4; the bounds are three times the worst seen.
TEST_CASE_TEMPLATE("coriolis operator: B = (V x* I - I V x + . x* I V) / 2", T, double, float, Pack<double, 2>,
                   Dual<double, 2>) {
  for_random<T>([](Sampler<T>& s) {
    const SpatialInertia<T> I = s.inertia();
    const Twist<T> V = s.twist(), U = s.twist();
    const T half(base_t<T>(0.5));
    const Wrench<T> expected = half * (cross_dual(V, I * U) - I * cross(V, U) + cross_dual(U, I * V));
    check_close<T>(coriolis_operator(I, V) * U, expected, 21);
  });
}

TEST_CASE_TEMPLATE("coriolis operator: its transpose; with I (V x) added it is skew, as a connection is", T, double,
                   float, Pack<double, 2>, Dual<double, 2>) {
  for_random<T>([](Sampler<T>& s) {
    const SpatialInertia<T> I = s.inertia();
    const Twist<T> V = s.twist(), U = s.twist(), W = s.twist();
    const CoriolisOperator<T> B = coriolis_operator(I, V);
    check_close<T>(dot(W.angular, transpose_times(B, U)), dot(U, B * W), 36);
    const auto connection = [&](const Twist<T>& X) { return B * X + I * cross(V, X); };
    check_close<T>(dot(W, connection(U)), -dot(U, connection(W)), 36);
  });
}

TEST_CASE_TEMPLATE("coriolis operator: in another frame it is that of the moved body; two bodies add", T, double, float,
                   Pack<double, 2>, Dual<double, 2>) {
  for_random<T>([](Sampler<T>& s) {
    const SpatialInertia<T> I_B = s.inertia(), other = s.inertia();
    const Twist<T> V_B = s.twist();
    const Pose<T> X_AB = s.pose();
    const CoriolisOperator<T> moved = X_AB * coriolis_operator(I_B, V_B);
    const CoriolisOperator<T> expected = coriolis_operator(X_AB * I_B, X_AB * V_B);
    check_close<T>(moved.momentum, expected.momentum, 36);
    check_close<T>(moved.flow, expected.flow, 36);
    const CoriolisOperator<T> both = coriolis_operator(I_B, V_B) + coriolis_operator(other, V_B);
    const CoriolisOperator<T> welded = coriolis_operator(I_B + other, V_B);
    check_close<T>(both.momentum, welded.momentum, 36);
    check_close<T>(both.flow, welded.flow, 36);
  });
}
