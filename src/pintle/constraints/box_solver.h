// The box-constrained LCP: multipliers within bounds that satisfy their rows as far as they can.
#pragma once

#include <span>
#include <vector>

namespace pintle {

/// w = A lambda + b with lower <= lambda <= upper. Find lambda such that w = 0 where lambda is between its bounds, w >=
/// 0 at the lower bound and w <= 0 at the upper one. A is n x n, row-major, symmetric and positive semidefinite. Bounds
/// may be infinite, and equal to each other.
struct BoxProblem {
  std::span<const double> A, b, lower, upper;
};

/// Final state of a row.
enum class RowState : unsigned char {
  held,      ///< w = 0, up to rounding: the row is active; its multiplier may be on a bound
  at_lower,  ///< the multiplier is at its lower bound, and w > 0
  at_upper,  ///< at its upper bound, and w < 0
};

struct BoxReport {
  bool converged = true;  ///< every row satisfies its condition: the residual is below 1e-11
  int pivots = 0;         ///< pivots of the active set
  /// The worst w of a wrong sign, relative to the sum of the absolute terms, |b_i| + sum sqrt(A_ii A_jj) |lambda_j|
  double residual = 0.0;
  int worst_row = -1;  ///< its row, -1 when there is none
};

class BoxWorkspace {
 public:
  /// For problems of up to `most` rows.
  explicit BoxWorkspace(std::size_t rows);

  std::size_t max_rows;

  std::vector<double> w;        ///< per row, after solve_box
  std::vector<RowState> state;  ///< per row, after solve_box

  std::vector<double> scale, root;          ///< of the terms of w; of A_ii
  std::vector<double> factor;               ///< Cholesky factor L of A on the held rows, row-major
  std::vector<std::size_t> order;           ///< the indices of those rows
  std::vector<std::size_t> group;           ///< per row: the first row of its coupled group
  std::vector<double> column, derivatives;  ///< a column of L; d(held multipliers)/d(driven multiplier)
  std::vector<unsigned char> marks;         ///< per row: held, out of reach
  std::vector<double> null_space, gram, step, kept;
};

/// Solves a box problem by a principal pivoting method. It drives one multiplier at a time from zero until its row is
/// held or the multiplier reaches its other bound; held rows stay held until their multipliers reach a bound. Every
/// step decreases lambda'A lambda/2 + b'lambda, so the method terminates. If the solution is not unique (A singular:
/// redundant rows), it picks one that shares the load: it decreases sum A_ii lambda_i^2 along the straight line to its
/// minimum as far as the bounds allow, then along the bounds reached. If no multiplier can hold some rows (infinite
/// bounds and an inconsistent b), it holds the others and reports converged = false.
///
/// Throws UsageError on a size mismatch and unless lower <= upper, lower < inf and upper > -inf. Allocates nothing.
/// [eq. box-problem]
BoxReport solve_box(const BoxProblem& problem, BoxWorkspace& work, std::span<double> lambda);

}  // namespace pintle
