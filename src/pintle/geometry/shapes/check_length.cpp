#include "pintle/geometry/shapes/check_length.h"

#include <cmath>

#include "pintle/math/number_text.h"

namespace pintle {

void check_length(Diagnostics& problems, const char* shape, const char* length, double value) {
  if (std::isfinite(value) && value > 0.0) return;
  const std::string what = std::string("the ") + length + " of the " + shape + " is " + number_text(value) + " m";
  if (std::isfinite(value)) {
    problems.push_back(make_error("shape-size", {}, what, "a solid must have a positive size in every direction",
                                  std::string("give a ") + length + " above 0 m"));
  } else {
    problems.push_back(
        make_error("shape-not-finite", {}, what, "every result that depends on it would be meaningless",
                   std::string("give a finite ") + length + ", and check where this value was computed or read"));
  }
}

}  // namespace pintle
