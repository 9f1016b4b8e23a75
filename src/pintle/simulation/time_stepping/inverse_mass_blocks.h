// InverseMassBlocks: M^-1 of the trees that take part in a step.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "pintle/dynamics/response.h"
#include "pintle/simulation/time_stepping/trees.h"

namespace pintle {

/// Velocities of free joints are in the axes of the start of the step [eq. start-axes], where q is.
class InverseMassBlocks {
 public:
  InverseMassBlocks(const Model& model, const Trees& trees);

  /// The blocks of the flagged trees at q, with prescribed dofs locked (flags per dof). A failure names the joint that
  /// moves a singular inertia.
  DynamicsReport find(std::span<const double> q, std::span<const unsigned char> prescribed,
                      std::span<const unsigned char> needed);

  /// n x n, row-major, bitwise symmetric, of the n dofs of a tree that was flagged.
  const double* of(std::size_t tree) const { return blocks_.data() + first_[tree]; }

 private:
  void find_lone_body(std::size_t tree);
  void find_columns(std::size_t tree);

  const Model& model_;
  const Trees& trees_;
  std::vector<std::size_t> first_;
  std::vector<double> blocks_;
  std::optional<MassMatrixInverseWorkspace> whole_;  // of a model of one tree
  ResponseWorkspace response_;
  std::vector<unsigned char> links_;  // of the tree whose columns are found
  std::vector<double> effort_, column_;
};

}  // namespace pintle
