// SearchSpace: the independent dofs of a model as the search space of a solver, with limits and metric weights.
#pragma once

#include <span>
#include <vector>

#include "pintle/model/compiled/model.h"

namespace pintle {

/// All arrays have one entry per independent dof.
class SearchSpace {
 public:
  explicit SearchSpace(const Model& model);

  /// Makes a rotation of 1 rad count as much as a translation of `length` [m].
  void set_length(double length);

  /// Clamps q to the limits.
  void clamp(std::span<double> q) const;

  /// How far each dof may move down (not positive) and up (not negative) from q.
  void room(std::span<const double> q, std::span<double> below, std::span<double> above) const;

  /// result = q moved along the step, within the limits.
  void move(const Model& model, std::span<const double> q, std::span<const double> step,
            std::span<double> result) const;

  /// The length of a step [m] by the weights.
  double length_of(std::span<const double> step) const;

  /// -1, 0 or 1: at its lower limit, between, at its upper one.
  int side(std::span<const double> q, std::size_t dof) const;

  std::vector<double> lower, upper;  ///< [rad or m], infinite where there is no limit
  std::vector<int> q_number;         ///< its index in q, -1 where the joint has a quaternion
  std::vector<double> turn, travel;  ///< squares of the angular and linear part of its column, of followers too
  std::vector<double> weight;        ///< travel + length^2 turn
};

/// The path length along the links from the joint of its root to a link's frame [m]; 0 for a root and for -1.
double way_from_root(const Model& model, int link);

}  // namespace pintle
