// The Delassus operator J M^-1 J': row velocities per unit of multiplier.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/rows.h"
#include "pintle/dynamics/response.h"

namespace pintle {

class DelassusWorkspace {
 public:
  /// For up to `max_rows` rows of a model.
  DelassusWorkspace(const Model& model, std::size_t max_rows);

  std::vector<double> unit;          ///< a unit multiplier of one row
  std::vector<double> effort;        ///< J' of that
  std::vector<double> acceleration;  ///< M^-1 of that
  std::vector<double> values;        ///< J of that
};

/// A = J M^-1 J' at the configuration of the last prepare_response: n x n for n rows, row-major, bitwise symmetric,
/// positive semidefinite up to rounding; equal rows have the same bits. One `apply_mass_inverse` per row. Throws
/// UsageError on a size mismatch.  [eq. delassus]
void delassus(const Model& model, const ConstraintRows& rows, ResponseWorkspace& response, DelassusWorkspace& work,
              std::span<double> A);

}  // namespace pintle
