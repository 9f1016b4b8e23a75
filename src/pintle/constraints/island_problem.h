// IslandProblem: the contact problem of an island, the trees that contacts join, at velocity level.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace pintle {

/// A tree of the island: its dofs, and the inverse of its joint-space inertia matrix (dofs x dofs, row-major, bitwise
/// symmetric). `M` is that matrix itself; without it the solver inverts `M_inverse`.
struct IslandTree {
  std::size_t dofs = 0;
  const double* M_inverse = nullptr;
  const double* M = nullptr;
};

/// Rows of a contact on one tree: rows x dofs of it, row-major. tree -1: none (the world, or both sides are on one
/// tree: then they are summed in side 0).
struct IslandSide {
  int tree = -1;
  const double* J = nullptr;
};

/// One contact. Its rows: normal, two tangents, then (if it spins) one about the normal, then (if it rolls) two about
/// the tangents.
struct IslandContact {
  std::array<IslandSide, 2> sides{};
  double friction = 0.0;
  double rolling = 0.0, spinning = 0.0;  ///< [m]
  bool spins = false, rolls = false;

  std::size_t rows() const { return 3 + (spins ? std::size_t{1} : 0) + (rolls ? std::size_t{2} : 0); }
};

/// One scalar row with bounds on its impulse: a joint limit (0, infinity), friction of a joint (-f h, f h), an equation
/// (-infinity, infinity). Its J is `sign`, 1 or -1, at one dof of a tree, else 0.
struct IslandBound {
  int tree = -1;
  std::size_t dof = 0;
  double sign = 1.0;
  double lower = 0.0, upper = 0.0;
};

/// w = A P + b with A = J M^-1 J'. Find P such that for each contact
///   P_n >= 0, w_n >= 0, P_n w_n = 0;  |P_t| <= mu P_n, and P_t = -mu P_n w_t/|w_t| where w_t is not 0;
/// the same as for tangents for the rows of spinning and of rolling, with their own coefficients; and for each bound
/// lower <= P <= upper with w >= 0 at the lower, w <= 0 at the upper one and w = 0 between.
struct IslandProblem {
  std::span<const IslandTree> trees;
  std::span<const IslandContact> contacts;
  std::span<const IslandBound> bounds;
  std::span<const double> b;  ///< per row, those of contacts in order, then bounds: free velocity plus closing term
  double tolerance = 1e-12;   ///< relative residual asked for (IslandReport)
  int max_iterations = 1000;  ///< of ADMM, before it gives up
};

}  // namespace pintle
