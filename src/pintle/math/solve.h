// Small solves: 3x3 in closed form, N x N symmetric by L D L', eigenvalues of symmetric matrices by Jacobi's rotations.
#pragma once

#include "pintle/math/mat3.h"
#include "pintle/math/matrix.h"

namespace pintle {

/// A = L D L' of a symmetric matrix: unit lower triangle L below the diagonal, D on it.
template <class T, int N>
struct Ldlt {
  Matrix<T, N, N> LD;
};

/// The eigenvalues of a symmetric matrix, smallest first, and its eigenvectors as columns in the same order.
template <class T, int N>
struct SymmetricEigen {
  T values[N];
  Matrix<T, N, N> vectors;
};

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

/// A^-1 by the adjugate. Fine for well-scaled matrices; a vanishing determinant is not detected (the result is inf or
/// NaN).
template <class T>
PINTLE_INLINE Mat3<T> inverse(const Mat3<T>& A) {
  const Vec3<T> x = row(A, 0), y = row(A, 1), z = row(A, 2);
  const Vec3<T> yz = cross(y, z);
  const T scale = T(1) / dot(x, yz);
  return scale * from_columns(yz, cross(z, x), cross(x, y));
}

/// A^-1 b by Cramer's rule, like inverse(A) * b in fewer operations.
template <class T>
PINTLE_INLINE Vec3<T> solve(const Mat3<T>& A, const Vec3<T>& b) {
  const Vec3<T> p = column(A, 0), q = column(A, 1), r = column(A, 2);
  const Vec3<T> qr = cross(q, r);
  return Vec3<T>{dot(b, qr), dot(b, cross(r, p)), dot(b, cross(p, q))} / dot(p, qr);
}

/// S^-1 b of a symmetric positive definite matrix, by L D L' (backward stable, unlike the closed forms).
template <class T>
PINTLE_INLINE Vec3<T> solve(const SymMat3<T>& S, const Vec3<T>& b) {
  const T d0 = S.xx;
  const T l1 = S.xy / d0, l2 = S.xz / d0;
  const T d1 = fma(-l1, S.xy, S.yy);
  const T u = fma(-l1, S.xz, S.yz), l3 = u / d1;
  const T d2 = fma(-l3, u, fma(-l2, S.xz, S.zz));
  const T y = fma(-l1, b.x, b.y);
  const T z = fma(-l3, y, fma(-l2, b.x, b.z)) / d2;
  const T y1 = fma(-l3, z, y / d1);
  return {fma(-l1, y1, fma(-l2, z, b.x / d0)), y1, z};
}

/// S^-1 of a symmetric positive definite matrix.
template <class T>
PINTLE_INLINE SymMat3<T> inverse(const SymMat3<T>& S) {
  const T one(1), zero(0);
  const Vec3<T> x = solve(S, Vec3<T>{one, zero, zero});
  const Vec3<T> y = solve(S, Vec3<T>{zero, one, zero});
  const Vec3<T> z = solve(S, Vec3<T>{zero, zero, one});
  return {x.x, x.y, x.z, y.y, y.z, z.z};
}

/// Factors a symmetric positive definite matrix (only the lower triangle is read). A pivot that is not positive shows
/// in LD.m[i][i]; the caller decides what it means.
template <class T, int N>
inline Ldlt<T, N> ldlt(const Matrix<T, N, N>& A) {
  Ldlt<T, N> F{A};
  auto& m = F.LD.m;
  for (int j = 0; j < N; ++j) {
    for (int k = 0; k < j; ++k) m[j][j] = fma(-(m[j][k] * m[j][k]), m[k][k], m[j][j]);
    for (int i = j + 1; i < N; ++i) {
      for (int k = 0; k < j; ++k) m[i][j] = fma(-(m[i][k] * m[k][k]), m[j][k], m[i][j]);
      m[i][j] = m[i][j] / m[j][j];
    }
  }
  return F;
}

/// A^-1 B from the factors of A.
template <class T, int N, int C>
inline Matrix<T, N, C> solve(const Ldlt<T, N>& F, Matrix<T, N, C> B) {
  const auto& m = F.LD.m;
  for (int c = 0; c < C; ++c) {
    for (int i = 0; i < N; ++i)
      for (int k = 0; k < i; ++k) B.m[i][c] = fma(-m[i][k], B.m[k][c], B.m[i][c]);
    for (int i = 0; i < N; ++i) B.m[i][c] = B.m[i][c] / m[i][i];
    for (int i = N - 1; i >= 0; --i)
      for (int k = i + 1; k < N; ++k) B.m[i][c] = fma(-m[k][i], B.m[k][c], B.m[i][c]);
  }
  return B;
}

/// Eigenvalues and orthonormal eigenvectors of a symmetric matrix of built-in numbers, by cyclic Jacobi rotations:
/// every eigenvalue is accurate to a few epsilon of the largest. Branches on values, so it is not for packs.
template <BuiltinScalar T, int N>
inline SymmetricEigen<T, N> symmetric_eigen(Matrix<T, N, N> A) {
  SymmetricEigen<T, N> E{{}, identity_matrix<T, N>()};
  auto& V = E.vectors.m;
  T sum_of_squares(0);
  for (const auto& matrix_row : A.m)
    for (const T& a : matrix_row) sum_of_squares += a * a;
  const T negligible = T(0.01) * kEpsilon<T> * sqrt(sum_of_squares);
  constexpr int kMaxSweeps = 60;  // converges quadratically: 6 to 10 sweeps in practice
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    bool rotated = false;
    for (int p = 0; p < N; ++p) {
      for (int q = p + 1; q < N; ++q) {
        const T a_pq = A.m[p][q];
        if (abs(a_pq) <= negligible) continue;
        rotated = true;
        const T tau = (A.m[q][q] - A.m[p][p]) / (T(2) * a_pq);
        const T t = copysign(T(1), tau) / (abs(tau) + sqrt(T(1) + tau * tau));
        const T c = T(1) / sqrt(T(1) + t * t), s = c * t;
        for (int k = 0; k < N; ++k) {
          const T a_kp = A.m[k][p], a_kq = A.m[k][q];
          A.m[k][p] = c * a_kp - s * a_kq;
          A.m[k][q] = s * a_kp + c * a_kq;
        }
        for (int k = 0; k < N; ++k) {
          const T a_pk = A.m[p][k], a_qk = A.m[q][k];
          A.m[p][k] = c * a_pk - s * a_qk;
          A.m[q][k] = s * a_pk + c * a_qk;
        }
        A.m[p][q] = A.m[q][p] = T(0);
        for (int k = 0; k < N; ++k) {
          const T v_kp = V[k][p], v_kq = V[k][q];
          V[k][p] = c * v_kp - s * v_kq;
          V[k][q] = s * v_kp + c * v_kq;
        }
      }
    }
    if (!rotated) break;
  }
  for (int i = 0; i < N; ++i) E.values[i] = A.m[i][i];
  for (int i = 0; i < N; ++i) {  // selection sort, columns along
    int smallest = i;
    for (int j = i + 1; j < N; ++j)
      if (E.values[j] < E.values[smallest]) smallest = j;
    const T value = E.values[i];
    E.values[i] = E.values[smallest];
    E.values[smallest] = value;
    for (int k = 0; k < N; ++k) {
      const T v = V[k][i];
      V[k][i] = V[k][smallest];
      V[k][smallest] = v;
    }
  }
  return E;
}

}  // namespace pintle::inline PINTLE_ISA
