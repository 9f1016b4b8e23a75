#include "pintle/simulation/recording/row_clock.h"

#include <cmath>

#include "pintle/base/usage_error.h"

namespace pintle {

StepRows step_rows(std::int64_t steps, std::int64_t rows) {
  require(steps >= 0, "step_rows", "steps", "is negative");
  require(rows >= 1, "step_rows", "rows", "must be 1 or more");
  const std::int64_t stride = steps / rows + (steps % rows != 0 ? 1 : 0);
  return {steps, stride > 0 ? stride : 1};
}

TimeRows time_rows(double t0, double t1, std::int64_t rows) {
  require(std::isfinite(t0) && std::isfinite(t1) && std::isfinite(t1 - t0), "time_rows", "t0, t1", "are not finite");
  require(t0 <= t1, "time_rows", "t1", "is before t0");
  require(rows >= 1, "time_rows", "rows", "must be 1 or more");
  return {t0, t1, rows, 0};
}

}  // namespace pintle
