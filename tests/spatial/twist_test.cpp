#include "support/law.h"

using namespace test;

// Types forbid nonsense: a power exists, the product of two motions or the sum of a motion and a force does not.
template <class A, class B>
concept CanDot = requires(A a, B b) {
  dot(a, b);
};
template <class A, class B>
concept CanAdd = requires(A a, B b) {
  a + b;
};
static_assert(CanDot<Twist<>, Wrench<>> && CanDot<Wrench<>, Twist<>> && CanDot<Twist<>, Momentum<>>);
static_assert(!CanDot<Twist<>, Twist<>> && !CanDot<Wrench<>, Wrench<>> && !CanDot<Wrench<>, Momentum<>>);
static_assert(CanAdd<Twist<>, Twist<>> && !CanAdd<Twist<>, Wrench<>> && !CanAdd<Wrench<>, Momentum<>>);
static_assert(!CanAdd<Twist<>, Momentum<>> && !CanAdd<SpatialInertia<>, Wrench<>>);

TEST_CASE_TEMPLATE("twist: x is a Lie bracket, antisymmetric and with Jacobi's identity", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Twist<T> A = s.twist(), B = s.twist(), C = s.twist();
    check_close<T>(cross(A, B), -cross(B, A), 6);
    check_close<T>(cross(A, A), zero_twist<T>(), 3);
    check_close<T>(cross(A, cross(B, C)) + cross(B, cross(C, A)) + cross(C, cross(A, B)), zero_twist<T>(), 6, 2);
    check_close<T>(cross(A, B + C), cross(A, B) + cross(A, C), 6, 2);
  });
}

TEST_CASE_TEMPLATE("twist: a screw's points on the axis move along it by the pitch", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Vec3<T> axis = s.vec3(), point = s.vec3();
    const T pitch = s.number();
    const Twist<T> S = twist(axis, point, pitch);
    check_close<T>(transfer(S, point).linear, pitch * axis, 5);
    check_close<T>(transfer(S, point + T(3) * axis).linear, pitch * axis, 3, 4);
    check_close<T>(S.angular, axis, 0);
  });
}

TEST_CASE_TEMPLATE("twist: transfer goes there and back, and in steps", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Twist<T> V = s.twist();
    const Vec3<T> r = s.vec3(), q = s.vec3();
    check_close<T>(transfer(transfer(V, r), -r), V, 3);
    check_close<T>(transfer(transfer(V, r), q), transfer(V, r + q), 3, 2);
    // A change of reference point is a change of frame by a translation.
    check_close<T>(transfer(V, r), inverse_times(Pose<T>{identity3<T>(), r}, V), 1);
  });
}

TEST_CASE_TEMPLATE("twist: a vector space, flattened linear first", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Twist<T> A = s.twist(), B = s.twist();
    const T k = s.number();
    check_close<T>((A + B) - B, A, 2);
    check_close<T>(k * A, A * k, 1);
    check_close<T>((A + A) / T(2), A, 1);
    Twist<T> C = A;
    C += B;
    C -= A;
    check_close<T>(C, B, 2);
    check_close<T>(to_array(A)[0], A.linear.x, 0);
    check_close<T>(twist_from_array(to_array(A)), A, 0);
    check_close<T>(translation(A.linear), Twist<T>{A.linear, zero_twist<T>().angular}, 0);
    check_close<T>(select(A.linear.x < B.linear.x, A, B).linear.x, min(A.linear.x, B.linear.x), 0);
  });
}
