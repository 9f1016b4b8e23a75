#include "support/law.h"

using namespace test;

namespace {

/// Well away from singular: identity plus a small random part, so that a fixed multiple of eps bounds the error.
template <class T>
Mat3<T> regular(Sampler<T>& s) {
  return identity3<T>() + T(base_t<T>(0.25)) * s.mat3();
}

template <class T, int N>
Matrix<T, N, N> positive(Sampler<T>& s) {
  Matrix<T, N, N> A;
  for (auto& row : A.m)
    for (T& a : row) a = s.number();
  return transpose(A) * A + identity_matrix<T, N>();
}

}  // namespace

TEST_CASE_TEMPLATE("solve: 3x3 inverses and solves undo the product", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Mat3<T> A = regular(s);
    const SymMat3<T> S = s.positive_sym_mat3();
    const Vec3<T> v = s.vec3();
    // The condition of A is below 10, of S below 20; duals square it in their derivatives.
    check_close<T>(inverse(A) * A, identity3<T>(), 1, 10);
    check_close<T>(solve(A, A * v), v, 1, 10);
    check_close<T>(solve(S, S * v), v, 16);
    check_close<T>(full(inverse(S)) * full(S), identity3<T>(), 15);
  });
}

TEST_CASE_TEMPLATE("solve: L D L' of a positive matrix multiplies out and solves several right sides", T,
                   PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const auto A = positive<T, 6>(s);
    const auto F = ldlt(A);
    Matrix<T, 6, 6> L = identity_matrix<T, 6>(), D = zero_matrix<T, 6, 6>();
    for (int i = 0; i < 6; ++i) {
      D.m[i][i] = F.LD.m[i][i];
      for (int j = 0; j < i; ++j) L.m[i][j] = F.LD.m[i][j];
    }
    check_close<T>(L * D * transpose(L), A, 2, 10);
    Matrix<T, 6, 2> X;
    for (auto& row : X.m)
      for (T& x : row) x = s.number();
    check_close<T>(solve(F, A * X), X, 1, 30);  // the condition is up to 30
  });
}

TEST_CASE_TEMPLATE("solve: symmetric eigenvalues are sorted, eigenvectors orthonormal, and A V = V D", T, double, float,
                   long double) {
  for_random<T>([](auto& s) {
    auto A = positive<T, 6>(s);
    A = A - T(3) * identity_matrix<T, 6>();  // not definite
    const auto E = symmetric_eigen(A);
    Matrix<T, 6, 6> D = zero_matrix<T, 6, 6>();
    for (int i = 0; i < 6; ++i) D.m[i][i] = E.values[i];
    for (int i = 1; i < 6; ++i) CHECK(E.values[i - 1] <= E.values[i]);
    check_close<T>(transpose(E.vectors) * E.vectors, identity_matrix<T, 6>(), 33);
    check_close<T>(A * E.vectors, E.vectors * D, 6, 15);
  });
}

TEST_CASE("solve: eigenvalues of matrices with known ones") {
  // Zero diagonal, eigenvalues -1 and 1; and the identity, which needs no rotation.
  Matrix<double, 2, 2> swap{{{0, 1}, {1, 0}}};
  CHECK(symmetric_eigen(swap).values[0] == doctest::Approx(-1.0).epsilon(1e-15));
  CHECK(symmetric_eigen(swap).values[1] == doctest::Approx(1.0).epsilon(1e-15));
  const auto E = symmetric_eigen(identity_matrix<double, 3>());
  for (const double value : E.values) CHECK(value == 1.0);
  // Toeplitz 2,-1: eigenvalues 2 - 2 cos(k pi / 4).
  Matrix<double, 3, 3> toeplitz{{{2, -1, 0}, {-1, 2, -1}, {0, -1, 2}}};
  const auto F = symmetric_eigen(toeplitz);
  for (int k = 1; k <= 3; ++k)
    CHECK(F.values[k - 1] == doctest::Approx(2.0 - 2.0 * cos(k * kPi<double> / 4)).epsilon(1e-14));
}
