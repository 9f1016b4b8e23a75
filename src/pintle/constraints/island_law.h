// IslandLaw: the law of one contact of an island as a natural map, its derivative and its cone. For island_solver.h.
#pragma once

#include <array>
#include <cstddef>

#include "pintle/constraints/island_problem.h"

namespace pintle {

/// Rows whose impulse is bounded by the normal one: tangents, spinning, rolling.
struct IslandFriction {
  std::size_t first = 0, rows = 0;  ///< among those of the contact
  double ratio = 0.0;               ///< |P| <= ratio P_n
  double r = 0.0;                   ///< impulse per velocity, of the natural map: 1/(largest A_ii)
};

struct IslandLaw {
  double r = 0.0;  ///< of the normal row: 1/A_nn; 0 where that is zero
  std::size_t frictions = 0;
  std::array<IslandFriction, 3> friction{};

  /// `A`: rows x rows of the contact by itself.
  IslandLaw(const IslandContact& contact, const double* A);
  IslandLaw() = default;

  /// The natural map z(P - r w): P obeys the law exactly where z = P. Normal: max(0, q_n); friction: the point of the
  /// disk of radius ratio z_n next to q.  [eq. island-natural-map]
  void find_natural(const double* P, const double* w, double* z) const;

  /// The worst of |P - z|/r over its groups of rows, each divided by the size of the terms of w.
  double find_residual(const double* P, const double* w, const double* size) const;

  /// Newton's method on z = P, damped by e where P itself does not appear: step of P = p - G (step of w).
  /// G is rows x rows. [eq. island-newton]
  void linearise(const double* P, const double* w, double damping, double* p, double* G) const;

  /// Into the cone: negative normal impulses become zero, friction keeps its direction.
  void confine(double* P) const;

  /// The point of the cone next to q in the metric of 1/r.  [eq. island-cone]
  void project(const double* q, double* z) const;

  /// sum ratio |u|: what de Saxce adds to the normal velocity.
  double saxce(const double* u) const;

  std::size_t rows() const { return frictions == 0 ? 1 : friction[frictions - 1].first + friction[frictions - 1].rows; }
};

}  // namespace pintle
