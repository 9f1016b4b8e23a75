// Matrices, energies, poses and Jacobians of a mechanism in one state, as text and as JSON.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pintle/model/compiled/model.h"
#include "pintle/text/json.h"

namespace pintle::cli {

/// What of it to print.
struct MatrixChoice {
  bool mass_matrix = false, coriolis_matrix = false, gravity = false, energies = false, poses = false;
  std::vector<std::string> jacobians;  ///< of these bodies or frames
};

/// The chosen parts as tables of at most 80 columns where numbers allow it, each with a heading; empty if none is chosen.
/// `dofs` are the names of the dofs. Throws CommandError when there is no such body or frame.
std::string matrices_text(const Model& model, const MatrixChoice& choice, std::span<const std::string> dofs,
                          std::span<const double> q, std::span<const double> v);

/// All of them, with the chosen Jacobians.
void add_matrices(const Model& model, const MatrixChoice& choice, std::span<const double> q, std::span<const double> v,
                  Json& json);

}  // namespace pintle::cli
