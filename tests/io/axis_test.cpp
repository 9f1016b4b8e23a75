#include "pintle/io/report/axis.h"

#include <doctest/doctest.h>

namespace pintle {
namespace {

TEST_CASE("steps are round") {
  CHECK(round_up_to_step(1.0) == 1.0);
  CHECK(round_up_to_step(1.1) == 2.0);
  CHECK(round_up_to_step(3.0) == 5.0);
  CHECK(round_up_to_step(6.0) == 10.0);
  CHECK(round_up_to_step(0.03) == 0.05);
  CHECK(round_up_to_step(1e-300) == 1e-300);
  CHECK(decimals_of_step(0.05) == 2);
  CHECK(decimals_of_step(0.1) == 1);
  CHECK(decimals_of_step(20.0) == 0);
}

TEST_CASE("numbers are written in a size that reads well") {
  CHECK(decimal_exponent(999.0) == 2);
  CHECK(decimal_exponent(1e-15) == -15);
  CHECK(power_of_ten(-3) == 1e-3);
  CHECK(readable_exponent(0.0) == 0);
  CHECK(readable_exponent(0.01) == 0);
  CHECK(readable_exponent(0.0099) == -3);
  CHECK(readable_exponent(0.5e-3) == -6);
  CHECK(readable_exponent(3e-12) == -12);
  CHECK(readable_exponent(99999.0) == 0);
  CHECK(readable_exponent(1e5) == 3);
  CHECK(readable_exponent(1e7) == 6);
  CHECK(scaled_unit("J", 0) == "J");
  CHECK(scaled_unit("J", -12) == "10⁻¹² J");
  CHECK(scaled_unit("1", 3) == "10³");
  CHECK(fixed_text(-0.25, 3) == "-0.250");
  CHECK(fixed_text(-1e-9, 3) == "0.000");
  CHECK(fixed_text(1e300, 0).size() == 301);
}

}  // namespace
}  // namespace pintle
