#include "pintle/simulation/system/event_function.h"

namespace pintle {

double EventFunction::rate(const MotionInstant&, std::span<const double>) {
  return __builtin_nan("");
}

double EventFunction::size(const MotionInstant&) {
  return 0.0;
}

}  // namespace pintle
