#include "pintle/constraints/rows.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

void require_dofs(const char* function, const char* argument, const ConstraintRows& rows, std::size_t nv) {
  for (const int dof : rows.dof) {
    require(dof >= 0 && size(dof) < nv, function, argument, "a row refers to a dof that does not exist");
  }
}

}  // namespace

ConstraintRows::ConstraintRows(std::size_t max_rows) {
  dof.reserve(max_rows);
  lower.reserve(max_rows);
  upper.reserve(max_rows);
}

void ConstraintRows::clear() {
  dof.clear();
  lower.clear();
  upper.clear();
}

void ConstraintRows::add(int row_dof, double row_lower, double row_upper) {
  dof.push_back(row_dof);
  lower.push_back(row_lower);
  upper.push_back(row_upper);
}

void along_rows(const ConstraintRows& rows, std::span<const double> v, std::span<double> values) {
  require_size("along_rows", "values", values.size(), rows.count());
  require_dofs("along_rows", "v", rows, v.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = v[size(rows.dof[i])];
}

void add_row_efforts(const ConstraintRows& rows, std::span<const double> multipliers, std::span<double> tau) {
  require_size("add_row_efforts", "multipliers", multipliers.size(), rows.count());
  require_dofs("add_row_efforts", "tau", rows, tau.size());
  for (std::size_t i = 0; i < multipliers.size(); ++i) tau[size(rows.dof[i])] += multipliers[i];
}

}  // namespace pintle
