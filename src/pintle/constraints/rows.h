// Constraint rows: linear functionals of the velocity, with the bounds of their multipliers.
#pragma once

#include <span>
#include <vector>

namespace pintle {

/// A set of rows J, as one array per property. A row is one independent dof of the joints: (J v)_i = v[dof[i]]. Its
/// multiplier is an effort [N m or N] or an impulse [N m s or N s] on that dof, within [lower, upper]; bounds may be
/// infinite. Only the functions of this file depend on what a row is.
class ConstraintRows {
 public:
  /// Capacity for `most` rows; adding more allocates.
  explicit ConstraintRows(std::size_t max_rows);

  void clear();
  void add(int row_dof, double row_lower, double row_upper);
  std::size_t count() const { return dof.size(); }

  std::vector<int> dof;
  std::vector<double> lower, upper;
};

/// An order of the rows that does not depend on their indices; of two equal rows neither comes after the other.
inline bool comes_after(const ConstraintRows& rows, std::size_t i, std::size_t j) {
  return rows.dof[i] > rows.dof[j];
}

/// values = J v, one per row, of velocities, accelerations or velocity jumps (nv values). `values` has one entry per
/// row, else UsageError.  [eq. rows]
void along_rows(const ConstraintRows& rows, std::span<const double> v, std::span<double> values);

/// tau += J' multipliers. One multiplier per row, else UsageError.  [eq. rows]
void add_row_efforts(const ConstraintRows& rows, std::span<const double> multipliers, std::span<double> tau);

}  // namespace pintle
