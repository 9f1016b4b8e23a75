#include "pintle/constraints/delassus.h"

#include "pintle/base/usage_error.h"

namespace pintle {

DelassusWorkspace::DelassusWorkspace(const Model& model, std::size_t max_rows)
    : unit(max_rows),
      effort(static_cast<std::size_t>(model.nv())),
      acceleration(static_cast<std::size_t>(model.nv())),
      values(max_rows) {}

void delassus(const Model& model, const ConstraintRows& rows, ResponseWorkspace& response, DelassusWorkspace& work,
              std::span<double> A) {
  const std::size_t n = rows.count();
  require_size_at_least("delassus", "work", work.unit.size(), n);
  require_size("delassus", "A", A.size(), n * n);
  const std::span<double> unit(work.unit.data(), n), values(work.values.data(), n);
  for (double& multiplier : unit) multiplier = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (double& effort : work.effort) effort = 0.0;
    unit[i] = 1.0;
    add_row_efforts(rows, unit, work.effort);
    unit[i] = 0.0;
    apply_mass_inverse(model, response, work.effort, {}, {}, work.acceleration);
    along_rows(rows, work.acceleration, values);
    for (std::size_t j = 0; j < n; ++j)
      if (!comes_after(rows, j, i)) A[i * n + j] = A[j * n + i] = values[j];
  }
}

}  // namespace pintle
