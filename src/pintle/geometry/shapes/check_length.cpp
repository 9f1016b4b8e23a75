#include "pintle/geometry/shapes/check_length.h"

#include <cmath>

#include "pintle/math/number_text.h"

namespace pintle {

void check_length(Diagnostics& problems, const char* shape, const char* length, double value) {
  if (std::isfinite(value) && value > 0.0) return;
  Diagnostic problem;
  problem.what = std::string("the ") + length + " of the " + shape + " is " + number_text(value) + " m";
  if (std::isfinite(value)) {
    problem.code = "shape-size";
    problem.why = "a solid has a positive size in every direction, or it has no volume";
    problem.fix = std::string("give a ") + length + " above 0 m";
  } else {
    problem.code = "shape-not-finite";
    problem.why = "every result that depends on it would be meaningless";
    problem.fix = std::string("give a finite ") + length + ", and look where this number was computed or read";
  }
  problems.push_back(std::move(problem));
}

}  // namespace pintle
