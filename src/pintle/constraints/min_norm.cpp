#include "pintle/constraints/min_norm.h"

#include <cmath>
#include <utility>

#include "pintle/base/usage_error.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

/// Columns of a matrix kept by rows.
struct RowMatrix {
  double* numbers;
  std::size_t stride;

  double& operator()(std::size_t i, std::size_t j) const { return numbers[i * stride + j]; }
};

/// Turns the part of column k from row k to `rows` into a multiple of a unit vector. The reflection I - beta u u', u_k
/// = 1, is left below the diagonal; returns beta.
double reflect_column(const RowMatrix& A, std::size_t k, std::size_t rows) {
  double below = 0.0;
  for (std::size_t i = k + 1; i < rows; ++i) below = fma(A(i, k), A(i, k), below);
  const double head = A(k, k);
  if (below == 0.0) return 0.0;
  const double length = std::sqrt(fma(head, head, below));
  const double turned = head > 0.0 ? -length : length;
  const double u = head - turned;
  for (std::size_t i = k + 1; i < rows; ++i) A(i, k) /= u;
  A(k, k) = turned;
  return -u / turned;
}

/// x = (I - beta u u') x for the reflection of column k; x has a stride of `step`.
void apply(const RowMatrix& A, std::size_t k, std::size_t rows, double beta, double* x, std::size_t step) {
  if (beta == 0.0) return;
  double sum = x[k * step];
  for (std::size_t i = k + 1; i < rows; ++i) sum = fma(A(i, k), x[i * step], sum);
  sum *= beta;
  x[k * step] -= sum;
  for (std::size_t i = k + 1; i < rows; ++i) x[i * step] = fma(-sum, A(i, k), x[i * step]);
}

double column_square(const RowMatrix& A, std::size_t first, std::size_t column, std::size_t rows) {
  double sum = 0.0;
  for (std::size_t i = first; i < rows; ++i) sum = fma(A(i, column), A(i, column), sum);
  return sum;
}

/// A P = Q R with |R_00| >= |R_11| >= ..., b = Q'b; returns the rank.
std::size_t triangle(const RowMatrix& A, std::size_t n, double* b, MinNormWorkspace& work, std::size_t max_rank) {
  double min_length = 0.0;
  for (std::size_t k = 0; k < n; ++k) work.order[k] = k;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t largest = k;
    double square = -1.0;
    for (std::size_t j = k; j < n; ++j) {
      const double next = column_square(A, k, j, n);
      if (next > square) {
        square = next;
        largest = j;
      }
    }
    if (k == 0) min_length = 64.0 * static_cast<double>(n) * kEpsilon<double> * std::sqrt(square);
    if (k == max_rank || !(std::sqrt(square) > min_length)) return k;
    if (largest != k) {
      for (std::size_t i = 0; i < n; ++i) std::swap(A(i, k), A(i, largest));
      std::swap(work.order[k], work.order[largest]);
    }
    work.beta[k] = reflect_column(A, k, n);
    for (std::size_t j = k + 1; j < n; ++j) apply(A, k, n, work.beta[k], &A(0, j), A.stride);
    apply(A, k, n, work.beta[k], b, 1);
  }
  return n;
}

}  // namespace

MinNormWorkspace::MinNormWorkspace(std::size_t size)
    : max_size(size), T(size * size), beta(size), beta2(size), y(size), order(size) {}

std::size_t solve_min_norm(std::size_t n, double* A, double* b, MinNormWorkspace& work, double* x,
                           std::size_t max_rank) {
  require(n <= work.max_size, "solve_min_norm", "n", "the workspace was made for smaller systems");
  const RowMatrix R{A, n};
  const std::size_t rank = triangle(R, n, b, work, max_rank);
  for (std::size_t i = 0; i < n; ++i) work.y[i] = 0.0;
  if (rank == n) {
    for (std::size_t i = n; i-- > 0;) {
      double sum = b[i];
      for (std::size_t j = i + 1; j < n; ++j) sum = fma(-R(i, j), work.y[j], sum);
      work.y[i] = sum / R(i, i);
    }
  } else if (rank > 0) {
    // The remaining rows, transposed, are n x `rank`: T = Q2 R2. The shortest y with T'y = b is Q2 (R2'^-1 b).
    const RowMatrix T{work.T.data(), rank};
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < rank; ++j) T(i, j) = j <= i ? R(j, i) : 0.0;
    for (std::size_t k = 0; k < rank; ++k) {
      work.beta2[k] = reflect_column(T, k, n);
      for (std::size_t j = k + 1; j < rank; ++j) apply(T, k, n, work.beta2[k], &T(0, j), T.stride);
    }
    for (std::size_t i = 0; i < rank; ++i) {
      double sum = b[i];
      for (std::size_t j = 0; j < i; ++j) sum = fma(-T(j, i), work.y[j], sum);
      work.y[i] = sum / T(i, i);
    }
    for (std::size_t k = rank; k-- > 0;) apply(T, k, n, work.beta2[k], work.y.data(), 1);
  }
  for (std::size_t k = 0; k < n; ++k) x[work.order[k]] = work.y[k];
  return rank;
}

}  // namespace pintle
