#include "support/law.h"

using namespace test;

namespace {

template <class T, int R, int C>
Matrix<T, R, C> random_matrix(Sampler<T>& s) {
  Matrix<T, R, C> A;
  for (auto& row : A.m)
    for (T& a : row) a = s.number();
  return A;
}

}  // namespace

TEST_CASE_TEMPLATE("matrix: products of any shape are associative and distribute over sums", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const auto A = random_matrix<T, 4, 6>(s);
    const auto B = random_matrix<T, 6, 3>(s), C = random_matrix<T, 6, 3>(s);
    const auto D = random_matrix<T, 3, 2>(s);
    check_close<T>((A * B) * D, A * (B * D), 5, 4);
    check_close<T>(A * (B + C), A * B + A * C, 6, 4);
    check_close<T>((B - C) + C, B, 2);
    check_close<T>(transpose(A * B), transpose(B) * transpose(A), 1, 4);
    check_close<T>(identity_matrix<T, 4>() * A, A, 0);
    check_close<T>(T(2) * A, A + A, 0);
    const auto zero = zero_matrix<T, 4, 6>();
    check_close<T>(A + zero, A, 0);
  });
}

TEST_CASE_TEMPLATE("matrix: four blocks multiply like a matrix of matrices", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const Mat3<T> A = s.mat3(), B = s.mat3(), C = s.mat3(), D = s.mat3(), E = s.mat3();
    const Matrix6<T> left = from_blocks(A, B, C, D), right = from_blocks(E, zero_mat3<T>(), zero_mat3<T>(), E);
    check_close<T>(left * right, from_blocks(A * E, B * E, C * E, D * E), 3, 2);
  });
}
