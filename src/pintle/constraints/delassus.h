// The Delassus operator: how rows answer to multipliers, J M^-1 J'.
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

  std::vector<double> unit;    ///< the multiplier of one row alone
  std::vector<double> effort;  ///< that at the dofs
  std::vector<double> answer;  ///< M^-1 of that
  std::vector<double> values;  ///< J of that
};

/// A = J M^-1 J' at the configuration of the last prepare_response: as many rows of numbers as there are rows,
/// symmetric to the bit, positive semidefinite up to rounding; rows that are alike have the same bits. One
/// `apply_mass_inverse` per row. Sizes must fit, else UsageError.  [eq. delassus]
void delassus(const Model& model, const ConstraintRows& rows, ResponseWorkspace& response, DelassusWorkspace& work,
              std::span<double> A);

}  // namespace pintle
