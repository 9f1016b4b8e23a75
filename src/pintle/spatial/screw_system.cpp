#include "pintle/spatial/screw_system.h"

#include "pintle/base/usage_error.h"
#include "pintle/math/solve.h"
#include "pintle/spatial/matrices.h"

namespace pintle {
namespace {

using Row = std::array<double, 6>;

/// The singular values of a set of rows, largest first, and the orthonormal right singular vectors.
struct RightSingular {
  std::array<double, 6> values;
  std::array<Row, 6> vectors;
};

/// A running upper triangle R of the QR factorisation of all rows added so far: R'R = sum of row' row, without
/// squaring.
class RowTriangle {
 public:
  void add(Row row) {
    for (std::size_t i = 0; i < 6; ++i) {
      if (row[i] == 0.0) continue;
      const double r = sqrt(R_[i][i] * R_[i][i] + row[i] * row[i]);
      const double c = R_[i][i] / r, s = row[i] / r;
      for (std::size_t j = i; j < 6; ++j) {
        const double a = R_[i][j], b = row[j];
        R_[i][j] = c * a + s * b;
        row[j] = c * b - s * a;
      }
    }
  }

  /// One-sided Jacobi (Hestenes): turns pairs of columns until all are orthogonal; small singular values stay accurate.
  RightSingular singular() const {
    std::array<Row, 6> columns{}, V{};
    for (std::size_t i = 0; i < 6; ++i) {
      V[i][i] = 1.0;
      for (std::size_t j = 0; j < 6; ++j) columns[j][i] = R_[i][j];
    }
    constexpr int kMostSweeps = 60;
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < kMostSweeps; ++sweep) {
      rotated = false;
      for (std::size_t p = 0; p < 6; ++p)
        for (std::size_t q = p + 1; q < 6; ++q) rotated |= orthogonalize(columns[p], columns[q], V[p], V[q]);
    }
    RightSingular result{};
    for (std::size_t i = 0; i < 6; ++i) {  // selection sort, largest first
      std::size_t most = i;
      for (std::size_t j = i + 1; j < 6; ++j)
        if (product(columns[j], columns[j]) > product(columns[most], columns[most])) most = j;
      std::swap(columns[i], columns[most]);
      std::swap(V[i], V[most]);
      result.values[i] = sqrt(product(columns[i], columns[i]));
      result.vectors[i] = V[i];
    }
    return result;
  }

 private:
  static double product(const Row& a, const Row& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < 6; ++i) sum += a[i] * b[i];
    return sum;
  }

  static void turn(Row& a, Row& b, double c, double s) {
    for (std::size_t i = 0; i < 6; ++i) {
      const double x = a[i], y = b[i];
      a[i] = c * x - s * y;
      b[i] = s * x + c * y;
    }
  }

  static bool orthogonalize(Row& a, Row& b, Row& u, Row& v) {
    const double aa = product(a, a), bb = product(b, b), ab = product(a, b);
    if (abs(ab) <= 0.5 * kEpsilon<double> * sqrt(aa) * sqrt(bb)) return false;
    const double tau = (bb - aa) / (2.0 * ab);
    const double t = copysign(1.0, tau) / (abs(tau) + sqrt(1.0 + tau * tau));
    const double c = 1.0 / sqrt(1.0 + t * t), s = c * t;
    turn(a, b, c, s);
    turn(u, v, c, s);
    return true;
  }

  std::array<Row, 6> R_{};
};

/// In scaled coordinates metres and radians are alike: lengths are divided by the characteristic length.
Row scaled(const Twist<>& V, double length) {
  Row r = to_array(V);
  for (std::size_t i = 0; i < 3; ++i) r[i] /= length;
  return r;
}
Row scaled(const Wrench<>& F, double length) {
  Row r = to_array(F);
  for (std::size_t i = 3; i < 6; ++i) r[i] /= length;
  return r;
}
Twist<> unscaled_twist(Row r, double length) {
  for (std::size_t i = 0; i < 3; ++i) r[i] *= length;
  return twist_from_array(r);
}
Wrench<> unscaled_wrench(Row r, double length) {
  for (std::size_t i = 3; i < 6; ++i) r[i] *= length;
  return wrench_from_array(r);
}

void check(const RankOptions& options, const char* function) {
  require(options.length > 0.0, function, "options.length", "the characteristic length must be positive");
  require(options.tolerance > 0.0 && options.tolerance < 1.0, function, "options.tolerance",
          "the tolerance must lie between 0 and 1");
}

int rank_of(const RightSingular& s, double tolerance) {
  int rank = 0;
  for (const double value : s.values) rank += value > tolerance * s.values[0] ? 1 : 0;
  return rank;
}

template <class System>
RightSingular singular_of(const System& system, double length) {
  RowTriangle triangle;
  for (std::size_t i = 0; i < static_cast<std::size_t>(system.rank); ++i) triangle.add(scaled(system.basis[i], length));
  return triangle.singular();
}

}  // namespace

TwistSystem span_of(std::span<const Twist<>> twists, const RankOptions& options) {
  check(options, "span_of");
  RowTriangle triangle;
  for (const Twist<>& V : twists) triangle.add(scaled(V, options.length));
  const RightSingular s = triangle.singular();
  TwistSystem system{.rank = rank_of(s, options.tolerance)};
  for (std::size_t i = 0; i < static_cast<std::size_t>(system.rank); ++i)
    system.basis[i] = unscaled_twist(s.vectors[i], options.length);
  return system;
}

WrenchSystem span_of(std::span<const Wrench<>> wrenches, const RankOptions& options) {
  check(options, "span_of");
  RowTriangle triangle;
  for (const Wrench<>& F : wrenches) triangle.add(scaled(F, options.length));
  const RightSingular s = triangle.singular();
  WrenchSystem system{.rank = rank_of(s, options.tolerance)};
  for (std::size_t i = 0; i < static_cast<std::size_t>(system.rank); ++i)
    system.basis[i] = unscaled_wrench(s.vectors[i], options.length);
  return system;
}

WrenchSystem reciprocal(const TwistSystem& system, const RankOptions& options) {
  check(options, "reciprocal");
  const RightSingular s = singular_of(system, options.length);
  WrenchSystem result{.rank = 6 - system.rank};
  for (std::size_t i = 0; i < static_cast<std::size_t>(result.rank); ++i)
    result.basis[i] = unscaled_wrench(s.vectors[static_cast<std::size_t>(system.rank) + i], options.length);
  return result;
}

TwistSystem reciprocal(const WrenchSystem& system, const RankOptions& options) {
  check(options, "reciprocal");
  const RightSingular s = singular_of(system, options.length);
  TwistSystem result{.rank = 6 - system.rank};
  for (std::size_t i = 0; i < static_cast<std::size_t>(result.rank); ++i)
    result.basis[i] = unscaled_twist(s.vectors[static_cast<std::size_t>(system.rank) + i], options.length);
  return result;
}

PrincipalScrewsOfInertia principal_screws_of_inertia(const SpatialInertia<>& I, const TwistSystem& system) {
  // In coordinates x of the system (V = B x), an impulsive wrench on the screw of V is Delta V, where Delta swaps the
  // two halves. It starts the motion V itself if B' Delta B x = mu B' I B x: a symmetric pencil, positive definite on
  // the right.
  const int n = system.rank;
  Matrix6<double> M = identity_matrix<double, 6>(), D = zero_matrix<double, 6, 6>();
  for (int i = 0; i < n; ++i) {
    const Twist<> V = system.basis[static_cast<std::size_t>(i)];
    for (int j = 0; j < n; ++j) {
      const Twist<> U = system.basis[static_cast<std::size_t>(j)];
      M.m[i][j] = dot(V, I * U);
      D.m[i][j] = dot(V.linear, U.angular) + dot(V.angular, U.linear);
    }
  }
  // Scale to unit diagonal, factor M = L L', and solve the ordinary problem L^-1 D L^-T y = mu y.
  double scale[6];
  for (int i = 0; i < 6; ++i) {
    require(M.m[i][i] > 0.0, "principal_screws_of_inertia", "I", "the inertia must be positive on the system");
    scale[i] = 1.0 / sqrt(M.m[i][i]);
  }
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      M.m[i][j] *= scale[i] * scale[j];
      D.m[i][j] *= scale[i] * scale[j];
    }
  }
  const Ldlt<double, 6> F = ldlt(M);
  Matrix6<double> L_inverse = identity_matrix<double, 6>();
  for (int i = 0; i < 6; ++i) {
    const double pivot = F.LD.m[i][i];
    require(pivot > 16.0 * kEpsilon<double>, "principal_screws_of_inertia", "I",
            "the inertia must be positive definite on the system");
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < i; ++k) L_inverse.m[i][j] -= F.LD.m[i][k] * L_inverse.m[k][j];
  }
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) L_inverse.m[i][j] /= sqrt(F.LD.m[i][i]);
  // The rows beyond the system's rank are zero in D, so they only add eigenvalue 0 with vectors outside; keep them
  // apart by moving them beyond every other eigenvalue.
  Matrix6<double> K = L_inverse * D * transpose(L_inverse);
  double bound = 1.0;
  for (const auto& row : K.m)
    for (const double k : row) bound += abs(k);
  for (int i = n; i < 6; ++i) K.m[i][i] = 2.0 * bound;
  const SymmetricEigen<double, 6> E = symmetric_eigen(K);
  const Matrix6<double> X = transpose(L_inverse) * E.vectors;

  PrincipalScrewsOfInertia result{.rank = n};
  for (int e = 0; e < n; ++e) {
    Twist<> V = zero_twist<double>();
    for (int i = 0; i < n; ++i) V += (X.m[i][e] * scale[i]) * system.basis[static_cast<std::size_t>(i)];
    Screw<> screw = screw_of(V);
    screw.magnitude = 1.0;
    result.screws[static_cast<std::size_t>(e)] = screw;
  }
  return result;
}

PrincipalScrewsOfInertia principal_screws_of_inertia(const SpatialInertia<>& I) {
  TwistSystem free{.rank = 6};
  for (std::size_t i = 0; i < 6; ++i) {
    Row unit{};
    unit[i] = 1.0;
    free.basis[i] = twist_from_array(unit);
  }
  return principal_screws_of_inertia(I, free);
}

}  // namespace pintle
