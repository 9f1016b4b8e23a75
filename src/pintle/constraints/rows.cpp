#include "pintle/constraints/rows.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

void require_freedoms(const char* function, const char* argument, const ConstraintRows& rows, std::size_t nv) {
  for (const int freedom : rows.freedom) {
    require(freedom >= 0 && size(freedom) < nv, function, argument, "a row is of a freedom that it does not have");
  }
}

}  // namespace

ConstraintRows::ConstraintRows(std::size_t most) {
  freedom.reserve(most);
  lower.reserve(most);
  upper.reserve(most);
}

void ConstraintRows::clear() {
  freedom.clear();
  lower.clear();
  upper.clear();
}

void ConstraintRows::add(int row_freedom, double least, double most) {
  freedom.push_back(row_freedom);
  lower.push_back(least);
  upper.push_back(most);
}

void along_rows(const ConstraintRows& rows, std::span<const double> v, std::span<double> values) {
  require_size("along_rows", "values", values.size(), rows.count());
  require_freedoms("along_rows", "v", rows, v.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = v[size(rows.freedom[i])];
}

void add_row_efforts(const ConstraintRows& rows, std::span<const double> multipliers, std::span<double> tau) {
  require_size("add_row_efforts", "multipliers", multipliers.size(), rows.count());
  require_freedoms("add_row_efforts", "tau", rows, tau.size());
  for (std::size_t i = 0; i < multipliers.size(); ++i) tau[size(rows.freedom[i])] += multipliers[i];
}

}  // namespace pintle
