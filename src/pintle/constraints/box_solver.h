// The box problem: multipliers within bounds that hold their rows as far as they can.
#pragma once

#include <span>
#include <vector>

namespace pintle {

/// w = A lambda + b with lower <= lambda <= upper. Sought: w = 0 where lambda is between its bounds, w >= 0 where it is
/// at the lower one, w <= 0 where it is at the upper one. A has n rows of n numbers, symmetric and positive
/// semidefinite. Bounds may be infinite, and equal to each other.
struct BoxProblem {
  std::span<const double> A, b, lower, upper;
};

/// How a row ended.
enum class RowState : unsigned char {
  held,      ///< w = 0, up to rounding: the multiplier holds the row, perhaps just so, on a bound
  at_lower,  ///< the multiplier is at its lower bound, and w > 0
  at_upper,  ///< at its upper one, and w < 0
};

struct BoxReport {
  bool converged = true;  ///< every row obeys its law: the residual is below 1e-11
  int pivots = 0;         ///< steps of the active set
  /// The worst w of a wrong sign, against the sum of the sizes of its terms, |b_i| + sum sqrt(A_ii A_jj) XX
  double residual = 0.0;
  int worst_row = -1;  ///< the row it is of, -1 when there is none
};

class BoxWorkspace {
 public:
  /// For problems of up to `most` rows.
  explicit BoxWorkspace(std::size_t most);

  std::size_t most;

  std::vector<double> w;        ///< per row, after solve_box
  std::vector<RowState> state;  ///< per row, after solve_box

  std::vector<double> scale, root;          ///< of the terms of w; of A_ii
  std::vector<double> factor;               ///< of A of the rows that are held: L, by rows
  std::vector<std::size_t> order;           ///< the numbers of those rows
  std::vector<std::size_t> group;           ///< per row: the first of those that have to do with it
  std::vector<double> column, derivatives;  ///< of L; of the held multipliers against the one that is driven
  std::vector<unsigned char> marks;         ///< per row: held, out of reach
  std::vector<double> null_space, gram, step, kept;
};

/// Solves a box problem by driving one multiplier at a time from zero until its row is held or it meets its other
/// bound, while the rows that are held stay so and give way where they meet theirs. Every step lessens lambda'A
/// lambda/2
/// + b'lambda, so it ends, by itself, after finitely many. Of several answers (A singular: redundant rows) it takes one
/// that shares the load: it lessens sum A_ii lambda_i^2 as far as the straight way to its least value stays within the
/// bounds, then goes on along the bounds met. With rows that no multiplier can hold (infinite bounds and a b that
/// contradicts itself) it holds the others and reports converged = false.
///
/// Sizes must fit, lower <= upper, lower < inf and upper > -inf, else UsageError. Allocates nothing.  [eq. box-problem]
BoxReport solve_box(const BoxProblem& problem, BoxWorkspace& work, std::span<double> lambda);

}  // namespace pintle
