#include "pintle/math/number_text.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace pintle;

TEST_CASE("number text: nine digits, or two for what is an order of magnitude") {
  CHECK(number_text(0.1 + 0.2) == "0.3");
  CHECK(number_text(1e-17) == "1e-17");
  CHECK(number_text(-std::nan("")) == "nan");
  CHECK(rough_text(7853.0) == "7900");
  CHECK(rough_text(-0.001349) == "-0.0013");
  CHECK(rough_text(9.96e5) == "1000000");
  CHECK(rough_text(0.0) == "0");
  CHECK(rough_text(INFINITY) == "inf");
}
