// Matrix<T, R, C>: a small dense matrix of fixed size, for the 6x6 view of spatial quantities and for small solves.
// Hot code uses Vec3, Mat3 and the spatial types instead.
#pragma once

#include "pintle/math/mat3.h"

namespace pintle {

/// R rows, C columns; m[row][column].
template <class T, int R, int C>
struct Matrix {
  T m[R][C];

  static constexpr int kRows = R;
  static constexpr int kColumns = C;
};

template <class T>
using Matrix6 = Matrix<T, 6, 6>;

template <class T, int N>
using ColumnVector = Matrix<T, N, 1>;

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

template <class T, int R, int C>
inline Matrix<T, R, C> zero_matrix() {
  Matrix<T, R, C> A;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) A.m[i][j] = T(base_t<T>(0));
  return A;
}

template <class T, int N>
inline Matrix<T, N, N> identity_matrix() {
  Matrix<T, N, N> A = zero_matrix<T, N, N>();
  for (int i = 0; i < N; ++i) A.m[i][i] = T(base_t<T>(1));
  return A;
}

template <class T, int R, int C>
inline Matrix<T, R, C> operator+(const Matrix<T, R, C>& A, const Matrix<T, R, C>& B) {
  Matrix<T, R, C> D;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) D.m[i][j] = A.m[i][j] + B.m[i][j];
  return D;
}

template <class T, int R, int C>
inline Matrix<T, R, C> operator-(const Matrix<T, R, C>& A, const Matrix<T, R, C>& B) {
  Matrix<T, R, C> D;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) D.m[i][j] = A.m[i][j] - B.m[i][j];
  return D;
}

template <class T, int R, int C>
inline Matrix<T, R, C> operator*(const Same<T>& s, const Matrix<T, R, C>& A) {
  Matrix<T, R, C> D;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) D.m[i][j] = s * A.m[i][j];
  return D;
}

template <class T, int R, int K, int C>
inline Matrix<T, R, C> operator*(const Matrix<T, R, K>& A, const Matrix<T, K, C>& B) {
  Matrix<T, R, C> D;
  for (int i = 0; i < R; ++i) {
    for (int j = 0; j < C; ++j) {
      T sum = A.m[i][0] * B.m[0][j];
      for (int k = 1; k < K; ++k) sum = fma(A.m[i][k], B.m[k][j], sum);
      D.m[i][j] = sum;
    }
  }
  return D;
}

template <class T, int R, int C>
inline Matrix<T, C, R> transpose(const Matrix<T, R, C>& A) {
  Matrix<T, C, R> D;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) D.m[j][i] = A.m[i][j];
  return D;
}

/// [a b; c d] of four 3x3 blocks.
template <class T>
inline Matrix6<T> from_blocks(const Mat3<T>& a, const Mat3<T>& b, const Mat3<T>& c, const Mat3<T>& d) {
  Matrix6<T> M;
  const Mat3<T>* const blocks[2][2] = {{&a, &b}, {&c, &d}};
  for (int I = 0; I < 2; ++I) {
    for (int J = 0; J < 2; ++J) {
      const std::array<T, 9> e = to_array(*blocks[I][J]);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) M.m[3 * I + i][3 * J + j] = e[static_cast<std::size_t>(3 * i + j)];
    }
  }
  return M;
}

template <class T>
PINTLE_INLINE Mat3<T> zero_mat3() {
  return T(base_t<T>(0)) * identity3<T>();
}

}  // namespace pintle::inline PINTLE_ISA
