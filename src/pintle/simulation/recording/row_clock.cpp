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
  return {t0, t1, t1 - t0, static_cast<double>(rows), rows, 0};
}

TimeRows round_time_rows(double t0, double t1, std::int64_t rows) {
  const TimeRows equal = time_rows(t0, t1, rows);
  const double shortest = (t1 - t0) / static_cast<double>(rows) * (1.0 - 1e-9);
  if (!(shortest > 0.0)) return equal;
  double power = 1.0, parts = 1.0;  // power / parts is the largest power of ten that is not longer
  while (power / parts > shortest && std::isfinite(parts)) parts *= 10.0;
  while (10.0 * power / parts <= shortest) power *= 10.0;
  for (const double digits : {10.0, 20.0, 25.0, 40.0, 50.0, 80.0, 100.0}) {
    const double span = digits * power, interval = span / (10.0 * parts);
    if (!(interval >= shortest) || !std::isfinite(parts)) continue;
    return {t0, t1, span, 10.0 * parts, static_cast<std::int64_t>(std::ceil((t1 - t0) / interval - 1e-6)), 0};
  }
  return equal;
}

}  // namespace pintle
