// One step of a solver: the minimum of a quadratic within bounds.
#pragma once

#include <span>
#include <vector>

namespace pintle {

/// g'x + x'(H + shift W)x / 2 over below <= x <= above, with W = diag(weight). H is n x n, row-major. below <= 0 <=
/// above.
struct BoundedQuadratic {
  std::span<const double> H, weight, gradient, below, above;
  double shift;
};

class BoundedStepWorkspace {
 public:
  explicit BoundedStepWorkspace(std::size_t n);

  std::vector<double> factors, right;
  std::vector<std::size_t> free;  ///< the indices of the dofs that are not fixed, in order
  std::vector<char> fixed;
};

/// Whether a dof is at a bound and its gradient pushes it outwards.
bool is_blocked(const BoundedQuadratic& problem, std::size_t dof);

/// The minimum, with every dof that would leave its bounds fixed on the bound. False when the matrix is not positive
/// definite on the remaining dofs. H may be a stiffness without a potential, which is not symmetric: then the result is
/// the point where g + (H + shift W) x vanishes, and false says that a pivot is not positive.
bool bounded_step(const BoundedQuadratic& problem, BoundedStepWorkspace& work, std::span<double> step);

/// A direction of negative curvature x'(H + shift W)x < 0 that moves no blocked dof; false when there is none. H is
/// symmetric.
bool negative_curvature(const BoundedQuadratic& problem, BoundedStepWorkspace& work, std::span<double> direction);

}  // namespace pintle
