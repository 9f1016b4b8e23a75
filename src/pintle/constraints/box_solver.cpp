#include "pintle/constraints/box_solver.h"

#include "pintle/base/usage_error.h"
#include "pintle/constraints/held_factor.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

constexpr std::size_t kNone = ~std::size_t{0};
constexpr double kConverged = 1e-11;    // redundant rows multiply rounding by the condition of those they depend on
constexpr double kClearlyApart = 1e-6;  // a row with a smaller pivot, relative to A_ii, is nearly singular
constexpr unsigned char kHeld = 1, kOutOfReach = 2, kPinned = 4;

/// The first bound reached along a straight line.
struct Block {
  double step_length = kInfinity<double>;
  std::size_t row = kNone;
  double bound = 0.0;

  void meet(std::size_t at, double lambda, double rate, double lower, double upper) {
    if (!(rate != 0.0)) return;
    const double limit = rate < 0.0 ? lower : upper;
    const double until = max((limit - lambda) / rate, 0.0);
    if (until < step_length) *this = {until, at, limit};
  }
};

struct BoxSolver {
  BoxSolver(const BoxProblem& of, BoxWorkspace& with, std::span<double> result)
      : problem(of),
        work(with),
        lambda(result),
        n(of.b.size()),
        rounding(16.0 * static_cast<double>(n + 1) * kEpsilon<double>),
        max_pivots(100 + 50 * static_cast<int>(n)),
        held{work.factor.data(), work.order.data(), 0, work.max_rows} {}

  double A(std::size_t i, std::size_t j) const { return problem.A[i * n + j]; }
  bool is(std::size_t i, unsigned char mark) const { return (work.marks[i] & mark) != 0; }

  void start() {
    for (std::size_t i = 0; i < n; ++i) {
      lambda[i] = min(max(0.0, problem.lower[i]), problem.upper[i]);
      work.marks[i] = 0;
      work.root[i] = sqrt(A(i, i));
    }
    find_groups();
    find_w();
  }

  /// Groups of coupled rows (directly or through others): work.group is the first row of each group.
  void find_groups() {
    for (std::size_t i = 0; i < n; ++i) work.group[i] = i;
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          if (A(i, j) == 0.0 || work.group[i] == work.group[j]) continue;
          work.group[i] = work.group[j] = work.group[i] < work.group[j] ? work.group[i] : work.group[j];
          again = true;
        }
      }
    }
  }

  /// w and the sizes of its terms. The effect of a multiplier on a row, also through others, is at most root_i root_j
  /// times it.
  void find_w() {
    for (std::size_t i = 0; i < n; ++i) {
      double sum = problem.b[i], sizes = 0.0;
      for (std::size_t j = 0; j < n; ++j) {
        sum = fma(A(i, j), lambda[j], sum);
        if (work.group[i] == work.group[j]) sizes = fma(work.root[j], abs(lambda[j]), sizes);
      }
      work.w[i] = sum;
      work.scale[i] = fma(work.root[i], sizes, abs(problem.b[i]));
    }
  }

  bool vanishes(std::size_t i) const { return abs(work.w[i]) <= rounding * work.scale[i]; }

  /// By how much w_i violates its sign condition.
  double wrong(std::size_t i) const {
    if (work.w[i] > 0.0) return lambda[i] > problem.lower[i] ? work.w[i] : 0.0;
    if (work.w[i] < 0.0) return lambda[i] < problem.upper[i] ? -work.w[i] : 0.0;
    return work.w[i];
  }

  /// The row with the largest gain; kNone when all conditions hold.
  std::size_t worst_row() const {
    std::size_t worst = kNone;
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      if (is(i, kHeld | kOutOfReach) || vanishes(i)) continue;
      const double by = wrong(i);
      const double gain = A(i, i) > 0.0 ? by * by / A(i, i) : by > 0.0 ? kInfinity<double> : 0.0;
      if (!(gain > largest)) continue;
      largest = gain;
      worst = i;
    }
    return worst;
  }

  /// L^-1 of row i's column, and its pivot: A_ii minus the part that the held rows explain; zero at rounding level.
  double pivot_of(std::size_t i) {
    for (std::size_t r = 0; r < held.count; ++r) work.column[r] = A(held.order[r], i);
    const double pivot = A(i, i) - held.divide(work.column.data());
    return pivot > rounding * A(i, i) ? pivot : 0.0;
  }

  /// The derivatives of the held multipliers by the one of the last pivot_of, from its column, such that w of the held
  /// rows stays constant. Values at rounding level, relative to the sizes of the multipliers, become zero.
  void find_derivatives(std::size_t i) {
    held.divide_transposed(work.column.data(), work.derivatives.data());
    for (std::size_t r = 0; r < held.count; ++r) {
      const std::size_t j = held.order[r];
      const bool nothing = A(j, j) * work.derivatives[r] * work.derivatives[r] <= rounding * rounding * A(i, i);
      work.derivatives[r] = nothing ? 0.0 : -work.derivatives[r];
    }
  }

  void meet_bounds(std::size_t row, double rate, Block& block) const {
    block.meet(row, lambda[row], rate, problem.lower[row], problem.upper[row]);
  }

  /// Releases a held row: its multiplier stays on the bound it has reached.
  void let_go(std::size_t row) {
    held.remove(row);
    work.marks[row] &= static_cast<unsigned char>(~kHeld);
  }

  /// Whether a small pivot exceeds the errors of the factor: the residuals of the derivatives in the held rows, and in
  /// row i besides the pivot, must be clearly smaller.
  bool is_trusted(std::size_t i, double pivot) const {
    if (pivot >= kClearlyApart * A(i, i)) return true;
    const auto effect_on = [&](std::size_t row) {
      double sum = A(row, i);
      for (std::size_t r = 0; r < held.count; ++r) sum = fma(A(row, held.order[r]), work.derivatives[r], sum);
      return sum;
    };
    double error = abs(effect_on(i) - pivot);
    for (std::size_t r = 0; r < held.count; ++r) error += abs(work.derivatives[r] * effect_on(held.order[r]));
    return error <= 0.25 * pivot;
  }

  /// Drives multiplier i until its row is held or it reaches its other bound. If nothing stops it, it stays: its row is
  /// out of reach, at least until others have moved.
  void drive(std::size_t i) {
    const double sign = work.w[i] > 0.0 ? -1.0 : 1.0;
    double left = abs(work.w[i]);
    while (pivots < max_pivots) {
      ++pivots;
      double pivot = pivot_of(i);
      find_derivatives(i);
      if (!is_trusted(i, pivot)) pivot = 0.0;
      Block block;
      if (pivot > 0.0) block.step_length = left / pivot;
      meet_bounds(i, sign, block);
      for (std::size_t r = 0; r < held.count; ++r) meet_bounds(held.order[r], sign * work.derivatives[r], block);
      if (!(block.step_length < kInfinity<double>)) {
        work.marks[i] |= kOutOfReach;
        return;
      }
      for (std::size_t row = 0; row < n; ++row) work.marks[row] &= static_cast<unsigned char>(~kOutOfReach);
      lambda[i] += sign * block.step_length;
      for (std::size_t r = 0; r < held.count; ++r)
        lambda[held.order[r]] += sign * work.derivatives[r] * block.step_length;
      if (block.row == kNone) {
        held.append(i, work.column.data(), pivot);
        work.marks[i] |= kHeld;
        return;
      }
      lambda[block.row] = block.bound;
      if (block.row == i) return;
      let_go(block.row);
      left = max(left - pivot * block.step_length, 0.0);
    }
  }

  /// Iterative refinement: removes the rounding residual of w in the held rows.
  void refine() {
    for (std::size_t r = 0; r < held.count; ++r) work.column[r] = work.w[held.order[r]];
    (void)held.divide(work.column.data());
    held.divide_transposed(work.column.data(), work.derivatives.data());
    for (std::size_t r = 0; r < held.count; ++r) {
      const std::size_t j = held.order[r];
      lambda[j] = min(max(lambda[j] - work.derivatives[r], problem.lower[j]), problem.upper[j]);
    }
    find_w();
  }

  void solve() {
    start();
    bool refined = false;
    while (pivots < max_pivots) {
      const std::size_t worst = worst_row();
      if (worst != kNone) {
        drive(worst);
        find_w();
        refined = false;
      } else if (!refined) {
        refine();
        refined = true;
      } else {
        return;
      }
    }
  }

  /// The directions in which multipliers of rows with w = 0 can change without changing any w: one row of
  /// work.null_space each. Rows that are clearly independent join the held ones; nearly singular ones are left alone.
  std::size_t find_null_space() {
    std::size_t directions = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (is(i, kHeld | kPinned) || !(A(i, i) > 0.0) || !vanishes(i) || problem.lower[i] == problem.upper[i]) continue;
      const double pivot = pivot_of(i);
      if (pivot > 0.0 && pivot < kClearlyApart * A(i, i)) continue;
      if (pivot > 0.0) {
        held.append(i, work.column.data(), pivot);
        work.marks[i] |= kHeld;
        continue;
      }
      find_derivatives(i);
      double* const direction = work.null_space.data() + directions++ * n;
      for (std::size_t j = 0; j < n; ++j) direction[j] = 0.0;
      direction[i] = 1.0;
      for (std::size_t r = 0; r < held.count; ++r) direction[held.order[r]] = work.derivatives[r];
    }
    return directions;
  }

  /// work.step: along the null space to the minimum of sum A_ii lambda_i^2.
  void find_sharing_step(std::size_t directions) {
    const double* const N = work.null_space.data();
    HeldFactor gram{work.gram.data(), nullptr, 0, work.max_rows};
    for (std::size_t d = 0; d < directions; ++d) {
      work.derivatives[d] = 0.0;
      double square = 0.0;
      for (std::size_t j = 0; j < n; ++j) {
        work.derivatives[d] = fma(A(j, j) * N[d * n + j], lambda[j], work.derivatives[d]);
        square = fma(A(j, j) * N[d * n + j], N[d * n + j], square);
      }
      for (std::size_t c = 0; c < d; ++c) {
        work.column[c] = 0.0;
        for (std::size_t j = 0; j < n; ++j) work.column[c] = fma(A(j, j) * N[d * n + j], N[c * n + j], work.column[c]);
      }
      const double pivot = square - gram.divide(work.column.data());
      gram.append_column(work.column.data(), max(pivot, rounding * square));
    }
    (void)gram.divide(work.derivatives.data());
    gram.divide_transposed(work.derivatives.data(), work.column.data());
    for (std::size_t j = 0; j < n; ++j) {
      work.step[j] = 0.0;
      for (std::size_t d = 0; d < directions; ++d) work.step[j] = fma(-work.column[d], N[d * n + j], work.step[j]);
    }
  }

  /// Whether every row satisfies its condition, up to rounding.
  bool all_obey() const {
    for (std::size_t i = 0; i < n; ++i)
      if (wrong(i) > rounding * work.scale[i]) return false;
    return true;
  }

  /// Shares the load among redundant rows; keeps the solution where rounding would spoil it.
  void share() {
    if (!all_obey()) return;
    for (std::size_t round = 0; round <= n; ++round) {
      const std::size_t directions = find_null_space();
      if (directions == 0) return;
      find_sharing_step(directions);
      for (std::size_t j = 0; j < n; ++j) work.kept[j] = lambda[j];
      Block block;
      block.step_length = 1.0;
      for (std::size_t j = 0; j < n; ++j) meet_bounds(j, work.step[j], block);
      for (std::size_t j = 0; j < n; ++j) lambda[j] = fma(work.step[j], block.step_length, lambda[j]);
      if (block.row != kNone) {
        lambda[block.row] = block.bound;
        if (is(block.row, kHeld)) let_go(block.row);
        work.marks[block.row] |= kPinned;
      }
      find_w();
      refine();
      if (!all_obey()) {
        for (std::size_t j = 0; j < n; ++j) lambda[j] = work.kept[j];
        find_w();
        return;
      }
      if (block.row == kNone) return;
    }
  }

  BoxReport report() {
    BoxReport result;
    result.pivots = pivots;
    for (std::size_t i = 0; i < n; ++i) {
      work.state[i] = vanishes(i) ? RowState::held : work.w[i] > 0.0 ? RowState::at_lower : RowState::at_upper;
      const double by = wrong(i);
      const double relative = by == 0.0 ? 0.0 : by / work.scale[i];
      if (!(relative <= result.residual) && result.residual == result.residual) {
        result.residual = relative;
        result.worst_row = static_cast<int>(i);
      }
    }
    result.converged = result.residual <= kConverged;
    return result;
  }

  const BoxProblem& problem;
  BoxWorkspace& work;
  std::span<double> lambda;
  std::size_t n;
  double rounding;
  int max_pivots;
  HeldFactor held;
  int pivots = 0;
};

}  // namespace

BoxWorkspace::BoxWorkspace(std::size_t rows)
    : max_rows(rows),
      w(rows),
      state(rows),
      scale(rows),
      root(rows),
      factor(rows * rows),
      order(rows),
      group(rows),
      column(rows),
      derivatives(rows),
      marks(rows),
      null_space(rows * rows),
      gram(rows * rows),
      step(rows),
      kept(rows) {}

BoxReport solve_box(const BoxProblem& problem, BoxWorkspace& work, std::span<double> lambda) {
  const std::size_t n = problem.b.size();
  require_size("solve_box", "A", problem.A.size(), n * n);
  require_size("solve_box", "lower", problem.lower.size(), n);
  require_size("solve_box", "upper", problem.upper.size(), n);
  require_size("solve_box", "lambda", lambda.size(), n);
  require_size_at_least("solve_box", "work", work.max_rows, n);
  for (std::size_t i = 0; i < n; ++i) {
    require(problem.lower[i] <= problem.upper[i], "solve_box", "lower", "a lower bound is above the upper one");
    require(problem.lower[i] < kInfinity<double>, "solve_box", "lower", "a lower bound is plus infinity");
    require(problem.upper[i] > -kInfinity<double>, "solve_box", "upper", "an upper bound is minus infinity");
  }
  BoxSolver solver(problem, work, lambda);
  solver.solve();
  solver.share();
  return solver.report();
}

}  // namespace pintle
