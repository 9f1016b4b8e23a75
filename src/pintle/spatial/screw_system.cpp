#include "pintle/spatial/screw_system.h"

#include <utility>

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

/// sqrt(a^2 + b^2) without overflow or underflow of the squares.
double hypotenuse(double a, double b) {
  const double larger = max(abs(a), abs(b)), smaller = min(abs(a), abs(b));
  if (larger == 0.0) return 0.0;
  const double ratio = smaller / larger;
  return larger * sqrt(1.0 + ratio * ratio);
}

/// A running upper triangle R of the QR factorisation of all rows added so far: R'R = sum of row' row, without
/// squaring.
class RowTriangle {
 public:
  void add(Row row) {
    for (std::size_t i = 0; i < 6; ++i) {
      if (row[i] == 0.0) continue;
      const double r = hypotenuse(R_[i][i], row[i]);
      const double c = R_[i][i] / r, s = row[i] / r;
      for (std::size_t j = i; j < 6; ++j) {
        const double a = R_[i][j], b = row[j];
        R_[i][j] = c * a + s * b;
        row[j] = c * b - s * a;
      }
    }
  }

  /// One-sided Jacobi (Hestenes): rotates pairs of columns until all are orthogonal; small singular values stay
  /// accurate.
  RightSingular singular() const {
    std::array<Row, 6> columns{}, V{};
    for (std::size_t i = 0; i < 6; ++i) {
      V[i][i] = 1.0;
      for (std::size_t j = 0; j < 6; ++j) columns[j][i] = R_[i][j];
    }
    constexpr int kMaxSweeps = 60;
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < kMaxSweeps; ++sweep) {
      rotated = false;
      for (std::size_t p = 0; p < 6; ++p)
        for (std::size_t q = p + 1; q < 6; ++q) rotated |= orthogonalize(columns[p], columns[q], V[p], V[q]);
    }
    RightSingular result{};
    for (std::size_t i = 0; i < 6; ++i) {  // selection sort, largest first
      std::size_t largest_one = i;
      for (std::size_t j = i + 1; j < 6; ++j)
        if (product(columns[j], columns[j]) > product(columns[largest_one], columns[largest_one])) largest_one = j;
      std::swap(columns[i], columns[largest_one]);
      std::swap(V[i], V[largest_one]);
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

  static void rotate(Row& a, Row& b, double c, double s) {
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
    rotate(a, b, c, s);
    rotate(u, v, c, s);
    return true;
  }

  std::array<Row, 6> R_{};
};

/// In scaled coordinates metres and radians are comparable: lengths are divided by the characteristic length. This
/// affects the linear part of a twist and the torque of a wrench.
template <class Vector>
constexpr std::size_t kFirstLength = 0;
template <>
constexpr std::size_t kFirstLength<Wrench<>> = 3;

template <class Vector>
Row scaled(const Vector& vector, double length) {
  Row r = to_array(vector);
  for (std::size_t i = kFirstLength<Vector>; i < kFirstLength<Vector> + 3; ++i) r[i] /= length;
  return r;
}

template <class Vector>
Vector unscaled(Row r, double length) {
  for (std::size_t i = kFirstLength<Vector>; i < kFirstLength<Vector> + 3; ++i) r[i] *= length;
  return {{r[0], r[1], r[2]}, {r[3], r[4], r[5]}};
}

void check(const RankOptions& options, const char* function) {
  require(options.length > 0.0 && options.length < __builtin_inf(), function, "options.length",
          "the characteristic length must be positive and finite");
  require(options.tolerance > 0.0 && options.tolerance < 1.0, function, "options.tolerance",
          "the tolerance must lie between 0 and 1");
}

/// Singular values and vectors of a set of twists or wrenches, in scaled coordinates. The values are relative to the
/// largest entry, so that no square overflows or underflows.
template <class Vector>
RightSingular singular_of(std::span<const Vector> vectors, double length, const char* function) {
  double largest = 0.0;
  for (const Vector& vector : vectors) {
    for (const double x : scaled(vector, length)) {
      require(abs(x) < __builtin_inf(), function, "vectors", "every component must be finite");
      largest = max(largest, abs(x));
    }
  }
  RowTriangle triangle;
  for (const Vector& vector : vectors) {
    if (largest == 0.0) break;
    Row row = scaled(vector, length);
    for (double& x : row) x /= largest;
    triangle.add(row);
  }
  return triangle.singular();
}

std::size_t rank_of(const RightSingular& s, double tolerance) {
  std::size_t rank = 0;
  for (const double value : s.values) rank += value > tolerance * s.values[0] ? 1 : 0;
  return rank;
}

/// The singular vectors `first` to `last` as a system.
template <class System, class Vector>
System system_of(const RightSingular& s, std::size_t first, std::size_t last, double length) {
  System system{.rank = static_cast<int>(last - first)};
  for (std::size_t i = first; i < last; ++i) system.basis[i - first] = unscaled<Vector>(s.vectors[i], length);
  return system;
}

template <class System>
auto basis_of(const System& system, const char* function) {
  require(system.rank >= 0 && system.rank <= 6, function, "system.rank", "a rank lies between 0 and 6");
  return std::span(system.basis).first(static_cast<std::size_t>(system.rank));
}

}  // namespace

TwistSystem span_of(std::span<const Twist<>> twists, const RankOptions& options) {
  check(options, "span_of");
  const RightSingular s = singular_of(twists, options.length, "span_of");
  return system_of<TwistSystem, Twist<>>(s, 0, rank_of(s, options.tolerance), options.length);
}

WrenchSystem span_of(std::span<const Wrench<>> wrenches, const RankOptions& options) {
  check(options, "span_of");
  const RightSingular s = singular_of(wrenches, options.length, "span_of");
  return system_of<WrenchSystem, Wrench<>>(s, 0, rank_of(s, options.tolerance), options.length);
}

WrenchSystem reciprocal(const TwistSystem& system, const RankOptions& options) {
  check(options, "reciprocal");
  const RightSingular s = singular_of<Twist<>>(basis_of(system, "reciprocal"), options.length, "reciprocal");
  return system_of<WrenchSystem, Wrench<>>(s, rank_of(s, options.tolerance), 6, options.length);
}

TwistSystem reciprocal(const WrenchSystem& system, const RankOptions& options) {
  check(options, "reciprocal");
  const RightSingular s = singular_of<Wrench<>>(basis_of(system, "reciprocal"), options.length, "reciprocal");
  return system_of<TwistSystem, Twist<>>(s, rank_of(s, options.tolerance), 6, options.length);
}

PrincipalScrewsOfInertia principal_screws_of_inertia(const SpatialInertia<>& I, const TwistSystem& system) {
  // In coordinates x of the system (V = B x), an impulsive wrench on the screw of V is Delta V, where Delta swaps the
  // two halves. It starts the motion V itself if B' Delta B x = mu B' I B x: a symmetric pencil, positive definite on
  // the right.
  basis_of(system, "principal_screws_of_inertia");
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
