#include "support/law.h"

using namespace test;

TEST_CASE_TEMPLATE("spatial inertia: momentum and energy are the same in every frame", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Pose<T> X = s.pose(), Y = s.pose();
    const SpatialInertia<T> I = s.inertia();
    const Twist<T> V = s.twist();
    check_close<T>((X * I) * (X * V), X * (I * V), 5, 20);
    check_close<T>(kinetic_energy(X * I, X * V), kinetic_energy(I, V), 8, 20);
    check_close<T>((X * Y) * I, X * (Y * I), 3, 40);
    check_close<T>(inverse(X) * (X * I), I, 5, 40);
  });
}

TEST_CASE_TEMPLATE("spatial inertia: symmetric, positive, additive", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const SpatialInertia<T> I = s.inertia(), J = s.inertia();
    const Twist<T> V = s.twist(), U = s.twist();
    check_close<T>(dot(V, I * U), dot(U, I * V), 3, 10);
    CHECK(all(kinetic_energy(I, V) > T(0)));
    check_close<T>((I + J) * V, I * V + J * V, 3, 10);
    check_close<T>((I + J) - J, I, 2, 10);
    check_close<T>((T(2) * I) * V, I * V + I * V, 1, 10);
    check_close<T>(zero_inertia<T>() + I, I, 0);
  });
}

TEST_CASE_TEMPLATE("spatial inertia: made from the centre of mass and taken apart again", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const T m = s.number(0.5, 2.0);
    const Vec3<T> c = s.vec3();
    const SymMat3<T> I_c = s.positive_sym_mat3();
    const SpatialInertia<T> I = spatial_inertia(m, c, I_c);
    check_close<T>(center_of_mass(I), c, 2);
    check_close<T>(inertia_about_center_of_mass(I), I_c, 2, 10);
    // The body with its centre of mass at the origin, carried to c.
    const Vec3<T> zero = zero_twist<T>().linear;
    check_close<T>(Pose<T>{identity3<T>(), c} * spatial_inertia(m, zero, I_c), I, 2, 10);
    // A dumb-bell: two half masses at +-d are a point mass plus the inertia of the arms.
    const Vec3<T> d = s.vec3();
    const SymMat3<T> none = T(0) * I_c;
    const T half = base_t<T>(0.5) * m;
    check_close<T>(spatial_inertia(half, c + d, none) + spatial_inertia(half, c - d, none),
                   spatial_inertia(m, c, m * minus_skew_squared(d)), 2, 20);
  });
}

TEST_CASE_TEMPLATE("spatial inertia: the wrench on a body gives the motion back", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const SpatialInertia<T> I = s.inertia();
    const Twist<T> V = s.twist();
    // The condition of I is up to about 50 here; derivatives square it.
    check_close<T>(solve(I, I * V), V, 39);
  });
}
