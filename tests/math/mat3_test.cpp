#include "support/law.h"

using namespace test;

TEST_CASE_TEMPLATE("mat3: products are associative and act on vectors; the transpose reverses them", T,
                   PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Mat3<T> A = s.mat3(), B = s.mat3(), C = s.mat3();
    const Vec3<T> v = s.vec3();
    check_close<T>((A * B) * C, A * (B * C), 9);
    check_close<T>((A * B) * v, A * (B * v), 6);
    check_close<T>(transpose(A * B), transpose(B) * transpose(A), 2);
    check_close<T>(transpose_times(A, v), transpose(A) * v, 1);
    check_close<T>(transpose_times(A, B), transpose(A) * B, 1);
    check_close<T>(identity3<T>() * A, A, 0);
    check_close<T>((A + B) - B, A, 2);
    check_close<T>(-A + A, T(0) * A, 0);
  });
}

TEST_CASE_TEMPLATE("mat3: rows, columns and arrays agree with the matrix", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Mat3<T> A = s.mat3();
    check_close<T>(from_rows(row(A, 0), row(A, 1), row(A, 2)), A, 0);
    check_close<T>(from_columns(column(A, 0), column(A, 1), column(A, 2)), A, 0);
    check_close<T>(mat3_from_array(to_array(A)), A, 0);
    check_close<T>(column(A, 1), A * Vec3<T>{T(0), T(1), T(0)}, 0);
    check_close<T>(row(A, 2), transpose_times(A, Vec3<T>{T(0), T(0), T(1)}), 0);
    check_close<T>(trace(A), trace(symmetric_part(A)), 0);
  });
}

TEST_CASE_TEMPLATE("mat3: a matrix is its symmetric part and its skew part", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Mat3<T> A = s.mat3();
    const Vec3<T> a = s.vec3(), b = s.vec3();
    check_close<T>(full(symmetric_part(A)) + skew(skew_part(A)), A, 2);
    check_close<T>(skew(a) * b, cross(a, b), 3);
    check_close<T>(skew_part(skew(a)), a, 0);
    check_close<T>(full(minus_skew_squared(a)), -(skew(a) * skew(a)), 3);
    check_close<T>(outer(a, b) * a, dot(b, a) * a, 3);
    check_close<T>(full(outer(a)), outer(a, a), 1);
  });
}

TEST_CASE_TEMPLATE("mat3: congruence R S R' keeps symmetry, energy and order", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Mat3<T> A = s.mat3(), B = s.mat3();
    const SymMat3<T> S = s.positive_sym_mat3(), U = s.positive_sym_mat3();
    const Vec3<T> v = s.vec3();
    check_close<T>(full(congruence(A, S)), A * full(S) * transpose(A), 3, 4);
    check_close<T>(congruence(A, congruence(B, S)), congruence(A * B, S), 9, 8);
    check_close<T>(dot(v, congruence(A, S) * v), dot(transpose_times(A, v), S * transpose_times(A, v)), 6, 8);
    check_close<T>(transpose_congruence(A, S), congruence(transpose(A), S), 0);
    check_close<T>((S + U) - U, S, 2, 4);
    check_close<T>((T(2) * S) * v, S * v + S * v, 1, 4);
    check_close<T>(S * T(2), S + S, 1, 4);
    check_close<T>(-S + S, T(0) * S, 0);
    check_close<T>(A * T(2), A + A, 1);
    check_close<T>(sym_mat3_from_array(to_array(S)), S, 0);
  });
}

TEST_CASE_TEMPLATE("mat3: elementary rotations are orthonormal, turn the right way and compose", T,
                   PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const T angle = s.number(-3.0, 3.0);
    const SinCos<T> f = sincos(angle);
    const T zero(0), one(1);
    const Vec3<T> x{one, zero, zero}, y{zero, one, zero}, z{zero, zero, one};
    const Mat3<T> X = rotation_x(f.cos, f.sin), Y = rotation_y(f.cos, f.sin), Z = rotation_z(f.cos, f.sin);
    for (const Mat3<T>& R : {X, Y, Z}) {
      check_close<T>(transpose_times(R, R), identity3<T>(), 3);
      check_close<T>(determinant(R), one, 3);
    }
    check_close<T>(X * y, f.cos * y + f.sin * z, 1);
    check_close<T>(Y * z, f.cos * z + f.sin * x, 1);
    check_close<T>(Z * x, f.cos * x + f.sin * y, 1);
  });
}

TEST_CASE_TEMPLATE("mat3: select takes whole matrices lane by lane", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Mat3<T> A = s.mat3(), B = s.mat3();
    check_close<T>(select(A.xx < B.xx, A, B).xx, min(A.xx, B.xx), 0);
  });
}
