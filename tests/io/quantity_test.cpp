#include "pintle/io/quantity.h"

#include <doctest/doctest.h>

#include "pintle/math/scalar.h"

namespace pintle {
namespace {

TEST_CASE("a quantity is a number and a unit") {
  CHECK(read_quantity("20 mm")->value == 0.02);
  CHECK(read_quantity("8500 kg/m^3")->value == 8500.0);
  CHECK(read_quantity("8500 kg/m^3")->dimension == Dimension{.length = -3, .mass = 1});
  CHECK(read_quantity("1e-4 N m s/rad")->dimension == kTorque * kTime / kAngle);
  CHECK(read_quantity("30 deg")->value == doctest::Approx(kPi<double> / 6));
  CHECK(!read_quantity("0.25")->has_unit);
}

}  // namespace
}  // namespace pintle
