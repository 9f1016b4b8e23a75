#include "pintle/constraints/cone_forces.h"

#include <cmath>
#include <utility>

#include "pintle/base/usage_error.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

constexpr double kSharper = 8.0;      // factor of the barrier's weight from one centre to the next
constexpr double kCentred = 1e-3;     // Newton decrement at a centre
constexpr int kMaxCentring = 40;      // steps from one centre to the next
constexpr double kSharpest = 0x1p50;  // weight at which rounding hides any gain

/// Maximise t such that a - |x_t| >= t in every cone, x = x0 + N'p: for growing weights k Newton's method minimises
///   -k t - sum log((a - t)^2 - |x_t|^2),
/// whose minimum is within 2 m/k of the best t, m being the number of cones.
class ConeCentring {
 public:
  ConeCentring(std::size_t n, std::span<const ForceCone> cones, double slack, ConeWorkspace& work, double* x)
      : n_(n), cones_(cones), slack_(slack), work_(work), x_(x) {}

  ConeReport solve(std::size_t equations, const double* G, std::size_t max_rank) {
    find_null_space(equations, G, max_rank);
    const double n = static_cast<double>(n_), k = static_cast<double>(k_);
    const double barriers = static_cast<double>(cones_.size());
    report_.work = n * n * n;
    step_work_ = k * (k * (9.0 * barriers + k / 6.0) + n);
    double size = 0.0;
    for (std::size_t i = 0; i < n_; ++i) size = max(size, std::abs(x_[i]));
    report_.margin = margin();
    if (is_found() || k_ == 0 || !(size > 0.0)) return report_;
    t_ = report_.margin - size;
    const double gap = 2.0 * static_cast<double>(cones_.size());
    for (double weight = 1.0 / size; weight * size <= kSharpest; weight *= kSharper) {
      if (!centre(weight) || is_found() || t_ + gap / weight < -slack_) break;
    }
    return report_;
  }

 private:
  double a(const ForceCone& cone) const { return fma(cone.slope, x_[cone.normal], cone.offset); }
  double tangential(const ForceCone& cone) const {
    double square = 0.0;
    for (std::size_t i = cone.first; i < cone.first + cone.rows; ++i) square = fma(x_[i], x_[i], square);
    return std::sqrt(square);
  }
  double margin() const {
    double least = __builtin_inf();
    for (const ForceCone& cone : cones_) least = min(least, a(cone) - tangential(cone));
    return least;
  }
  bool is_found() { return report_.found = report_.margin >= -slack_; }

  /// Elimination with complete pivoting, then Gram and Schmidt's method, twice.
  void find_null_space(std::size_t m, const double* G, std::size_t max_rank) {
    double* const A = work_.G.data();
    for (std::size_t i = 0; i < m * n_; ++i) A[i] = G[i];
    for (std::size_t j = 0; j < n_; ++j) work_.order[j] = j;
    std::size_t rank = 0;
    double least = 0.0;
    for (; rank < m && rank < n_; ++rank) {
      std::size_t row = rank, column = rank;
      for (std::size_t i = rank; i < m; ++i)
        for (std::size_t j = rank; j < n_; ++j)
          if (std::abs(A[i * n_ + j]) > std::abs(A[row * n_ + column])) row = i, column = j;
      const double pivot = A[row * n_ + column];
      if (rank == 0) least = kNone * std::abs(pivot);
      if (rank == max_rank || !(std::abs(pivot) > least)) break;
      for (std::size_t j = 0; j < n_; ++j) std::swap(A[rank * n_ + j], A[row * n_ + j]);
      for (std::size_t i = 0; i < m; ++i) std::swap(A[i * n_ + rank], A[i * n_ + column]);
      std::swap(work_.order[rank], work_.order[column]);
      for (std::size_t j = 0; j < n_; ++j) A[rank * n_ + j] /= pivot;
      for (std::size_t i = 0; i < m; ++i) {
        if (i == rank) continue;
        const double factor = A[i * n_ + rank];
        for (std::size_t j = 0; j < n_; ++j) A[i * n_ + j] = fma(-factor, A[rank * n_ + j], A[i * n_ + j]);
      }
    }
    k_ = n_ - rank;
    for (std::size_t c = 0; c < k_; ++c) {
      double* const row = work_.N.data() + c * n_;
      for (std::size_t i = 0; i < n_; ++i) row[i] = 0.0;
      for (std::size_t i = 0; i < rank; ++i) row[work_.order[i]] = -A[i * n_ + rank + c];
      row[work_.order[rank + c]] = 1.0;
      for (int twice = 0; twice < 2; ++twice) make_orthonormal(c);
    }
  }

  void make_orthonormal(std::size_t c) {
    double* const row = work_.N.data() + c * n_;
    for (std::size_t other = 0; other < c; ++other) {
      const double* const before = work_.N.data() + other * n_;
      double along = 0.0;
      for (std::size_t i = 0; i < n_; ++i) along = fma(row[i], before[i], along);
      for (std::size_t i = 0; i < n_; ++i) row[i] = fma(-along, before[i], row[i]);
    }
    double square = 0.0;
    for (std::size_t i = 0; i < n_; ++i) square = fma(row[i], row[i], square);
    const double length = std::sqrt(square);
    for (std::size_t i = 0; i < n_; ++i) row[i] /= length;
  }

  /// Newton's method for one weight; damped as self-concordant functions allow. False where rounding stops it.
  bool centre(double k) {
    for (int step = 0; step < kMaxCentring; ++step) {
      collect(k);
      const double decrement = solve_newton();
      if (!std::isfinite(decrement)) return false;
      ++report_.steps;
      report_.work += step_work_;
      move(min(decrement < 0.25 ? 1.0 : 1.0 / (1.0 + decrement), longest_part()));
      if (is_found() || decrement <= kCentred) return true;
    }
    return true;
  }

  /// Gradient g and Hessian H in (p, t).
  void collect(double k) {
    const std::size_t m = k_ + 1;
    for (std::size_t i = 0; i < m * m; ++i) work_.H[i] = 0.0;
    for (std::size_t i = 0; i < m; ++i) work_.g[i] = 0.0;
    work_.g[k_] = -k;
    for (const ForceCone& cone : cones_) add_barrier(cone);
  }

  /// Of -log(b^2 - |x_t|^2) in y = (b, x_t), b = a - t; of -log b if there are no x_t.
  void add_barrier(const ForceCone& cone) {
    const std::size_t m = k_ + 1, rows = 1 + cone.rows;
    const double b = a(cone) - t_, tangent = tangential(cone);
    const double q = cone.rows > 0 ? (b - tangent) * (b + tangent) : b;
    double y[3] = {b, 0.0, 0.0}, slope[3] = {}, bend[3][3] = {};
    for (std::size_t i = 0; i < cone.rows; ++i) y[1 + i] = x_[cone.first + i];
    if (cone.rows == 0) {
      slope[0] = -1.0 / q;
      bend[0][0] = 1.0 / (q * q);
    } else {
      for (std::size_t i = 0; i < rows; ++i) {
        slope[i] = (i == 0 ? -2.0 : 2.0) * y[i] / q;
        for (std::size_t j = 0; j < rows; ++j) {
          const double sign = (i == 0) == (j == 0) ? 4.0 : -4.0;
          bend[i][j] = sign * (y[i] / q) * (y[j] / q) + (i != j ? 0.0 : i == 0 ? -2.0 / q : 2.0 / q);
        }
      }
    }
    for (std::size_t i = 0; i < rows; ++i) {  // dy/d(p, t)
      double* const D = work_.D.data() + i * m;
      const std::size_t unknown = i == 0 ? cone.normal : cone.first + i - 1;
      for (std::size_t c = 0; c < k_; ++c) D[c] = (i == 0 ? cone.slope : 1.0) * work_.N[c * n_ + unknown];
      D[k_] = i == 0 ? -1.0 : 0.0;
    }
    for (std::size_t i = 0; i < rows; ++i) {
      const double* const D_i = work_.D.data() + i * m;
      for (std::size_t c = 0; c < m; ++c) work_.g[c] = fma(slope[i], D_i[c], work_.g[c]);
      for (std::size_t j = 0; j < rows; ++j) {
        const double* const D_j = work_.D.data() + j * m;
        for (std::size_t c = 0; c < m; ++c) {
          const double factor = bend[i][j] * D_i[c];
          for (std::size_t e = 0; e < m; ++e) work_.H[c * m + e] = fma(factor, D_j[e], work_.H[c * m + e]);
        }
      }
    }
  }

  /// H step = -g by Cholesky's method; returns the decrement sqrt(g' H^-1 g).
  double solve_newton() {
    const std::size_t m = k_ + 1;
    double* const H = work_.H.data();
    for (std::size_t i = 0; i < m; ++i) {
      const double own = H[i * m + i];
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = H[i * m + j];
        for (std::size_t e = 0; e < j; ++e) sum = fma(-H[i * m + e], H[j * m + e], sum);
        H[i * m + j] = j < i ? sum / H[j * m + j] : std::sqrt(max(sum, kNone * own));
      }
      double sum = -work_.g[i];
      for (std::size_t e = 0; e < i; ++e) sum = fma(-H[i * m + e], work_.step[e], sum);
      work_.step[i] = sum / H[i * m + i];
    }
    double square = 0.0;
    for (std::size_t i = 0; i < m; ++i) square = fma(work_.step[i], work_.step[i], square);
    for (std::size_t i = m; i-- > 0;) {
      double sum = work_.step[i];
      for (std::size_t e = i + 1; e < m; ++e) sum = fma(-H[e * m + i], work_.step[e], sum);
      work_.step[i] = sum / H[i * m + i];
    }
    return std::sqrt(square);
  }

  /// The part of Newton's step that at most doubles x: where forces have no bound (a wedge), neither has the step.
  double longest_part() const {
    double now = 0.0, change = 0.0;
    for (std::size_t i = 0; i < n_; ++i) now = fma(x_[i], x_[i], now);
    for (std::size_t c = 0; c < k_; ++c) change = fma(work_.step[c], work_.step[c], change);
    return change > now ? std::sqrt(now / change) : 1.0;
  }

  /// Part of Newton's step, less where rounding would lead out of a cone.
  void move(double part) {
    for (int halving = 0; halving < 60; ++halving) {
      add_step(part);
      const double now = margin();
      if (now > t_) {
        report_.margin = now;
        return;
      }
      add_step(-part);
      part *= 0.5;
    }
  }

  void add_step(double part) {
    for (std::size_t c = 0; c < k_; ++c)
      for (std::size_t i = 0; i < n_; ++i) x_[i] = fma(part * work_.step[c], work_.N[c * n_ + i], x_[i]);
    t_ = fma(part, work_.step[k_], t_);
  }

  static constexpr double kNone = 1e-13;  // relative to the largest: a pivot that is rounding

  std::size_t n_, k_ = 0;
  std::span<const ForceCone> cones_;
  double slack_;
  ConeWorkspace& work_;
  double* x_;
  double t_ = 0.0, step_work_ = 0.0;
  ConeReport report_;
};

}  // namespace

ConeWorkspace::ConeWorkspace(std::size_t size)
    : max_size(size),
      G(size * size),
      N(size * size),
      H((size + 1) * (size + 1)),
      g(size + 1),
      step(size + 1),
      D(3 * (size + 1)),
      order(size) {}

ConeReport move_into_cones(std::size_t m, std::size_t n, const double* G, std::span<const ForceCone> cones,
                           double slack, ConeWorkspace& work, double* x, std::size_t max_rank) {
  require(m <= work.max_size && n <= work.max_size, "move_into_cones", "n",
          "the workspace was made for fewer unknowns");
  return ConeCentring(n, cones, slack, work, x).solve(m, G, max_rank);
}

}  // namespace pintle
