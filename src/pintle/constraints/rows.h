// Rows: the linear functionals of the velocity that constraints act along, with the bounds of their multipliers.
#pragma once

#include <span>
#include <vector>

namespace pintle {

/// A set of rows J, as one array per property. A row is one independent dof of the joints: (J v)_i = v[dof[i]].
/// Its multiplier is an effort [N m or N] or an impulse [N m s or N s] on that dof, within [lower, upper]; bounds
/// may be infinite. Only the functions of this file know what a row is.
class ConstraintRows {
 public:
  /// Room for `most` rows; adding more than that allocates.
  explicit ConstraintRows(std::size_t most);

  void clear();
  void add(int row_dof, double least, double most);
  std::size_t count() const { return dof.size(); }

  std::vector<int> dof;
  std::vector<double> lower, upper;
};

/// An order of the rows that does not depend on their numbers; of two rows that are alike neither comes after the
/// other.
inline bool comes_after(const ConstraintRows& rows, std::size_t i, std::size_t j) {
  return rows.dof[i] > rows.dof[j];
}

/// values = J v, one per row, of velocities, accelerations or jumps of velocity (nv numbers). `values` has a number per
/// row, else UsageError.  [eq. rows]
void along_rows(const ConstraintRows& rows, std::span<const double> v, std::span<double> values);

/// tau += J' multipliers: what the multipliers are at the dofs. A multiplier per row, else UsageError.  [eq. rows]
void add_row_efforts(const ConstraintRows& rows, std::span<const double> multipliers, std::span<double> tau);

}  // namespace pintle
