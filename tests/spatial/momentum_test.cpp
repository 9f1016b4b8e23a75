#include "support/law.h"

using namespace test;

TEST_CASE_TEMPLATE("momentum: p = m v_c and L_b = L_c + c x p about any point b, and back (seed 004)", T,
                   PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const T m = s.number(0.5, 2.0);
    const Vec3<T> c = s.vec3(), v_b = s.vec3(), w = s.vec3();
    const SymMat3<T> I_c = s.positive_sym_mat3();
    const SpatialInertia<T> I_b = spatial_inertia(m, c, I_c);
    const Momentum<T> M = momentum(I_b, Twist<T>{v_b, w});
    // The seed's vector equations.
    const Vec3<T> p = m * (v_b + cross(w, c));
    check_close<T>(M.linear, p, 3, 4);
    check_close<T>(M.angular, I_c * w + cross(c, p), 2, 10);
    const Vec3<T> w_back = solve(I_c, M.angular - cross(c, M.linear));
    const Twist<T> V = velocity(I_b, M);
    check_close<T>(V.angular, w_back, 41);
    check_close<T>(V.linear, M.linear / m + cross(c, w_back), 61);
    check_close<T>(V, Twist<T>{v_b, w}, 48);
    check_close<T>(base_t<T>(0.5) * dot(V, M), kinetic_energy(I_b, Twist<T>{v_b, w}), 24);
  });
}

TEST_CASE_TEMPLATE("momentum: about another point it loses r x p, and it moves with the frame", T,
                   PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const SpatialInertia<T> I = s.inertia();
    const Twist<T> V = s.twist();
    const Pose<T> X = s.pose();
    const Vec3<T> r = s.vec3();
    const Momentum<T> M = momentum(I, V);
    const Pose<T> shift{identity3<T>(), -r};  // the frame at r sees everything moved by -r
    check_close<T>(transfer(M, r), momentum(shift * I, transfer(V, r)), 2, 20);
    check_close<T>(X * M, momentum(X * I, X * V), 4, 20);
    check_close<T>(dot(X * V, X * M), dot(V, M), 6, 20);
  });
}

TEST_CASE_TEMPLATE("momentum: its rate about a moving point follows from the rate about a fixed one", T,
                   PINTLE_EVERY_SCALAR) {
  // L_b = L_o - r_b x p, so dL_b/dt = tau_o - v_b x p - r_b x F = tau_b - v_b x p.
  for_random<T>([](auto& s) {
    const Wrench<T> F_o = s.wrench();
    const Twist<T> V = s.twist();
    const Momentum<T> M_o = momentum(s.inertia(), V);
    const Vec3<T> r_b = s.vec3(), v_b = s.vec3();
    const Wrench<T> rate = momentum_rate(transfer(F_o, r_b), v_b, transfer(M_o, r_b));
    check_close<T>(rate.force, F_o.force, 0);
    check_close<T>(rate.torque, F_o.torque - cross(v_b, M_o.linear) - cross(r_b, F_o.force), 2, 10);
    check_close<T>(cross_dual(V, M_o), cross_dual(V, Wrench<T>{M_o.linear, M_o.angular}), 0);
  });
}

TEST_CASE_TEMPLATE("momentum: a vector space", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Momentum<T> A{s.vec3(), s.vec3()}, B{s.vec3(), s.vec3()};
    Momentum<T> C = A;
    C += B;
    C -= A;
    check_close<T>(C, B, 2);
    check_close<T>((A + B) - B, A, 2);
    check_close<T>(T(2) * A, A + A, 0);
    check_close<T>(-A + A, T(0) * A, 0);
  });
}
