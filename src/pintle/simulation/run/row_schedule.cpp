#include "pintle/simulation/run/row_schedule.h"

#include <cmath>

namespace pintle {

void RowSchedule::plan(const RunSpec& run, const StepClock& clock, double t, double end, bool goes_on) {
  any_ = true;
  by_time_ = clock.adaptive() || run.row_every == 0;
  same_ = clock.adaptive() ? 0.0 : kSameTime * clock.h();
  if (by_time_) {
    time_rows_ = round_time_rows(run.t0, end, run.rows);
    if (goes_on) time_rows_.intervals = std::int64_t{1} << 52;
    while (is_due(t)) time_rows_.advance();
    return;
  }
  const double count = goes_on ? kInfinity<double> : std::ceil((end - run.t0) / clock.h() - kSameTime);
  step_rows_ = {count < 9e15 ? static_cast<std::int64_t>(count) : std::int64_t{9000000000000000}, run.row_every};
}

}  // namespace pintle
