#include "pintle/text/quantity.h"

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
  CHECK(read_quantity("  -2*m*s^-1 ")->dimension == kLength / kTime);
  CHECK(read_quantity("5mm")->value == 0.005);
  CHECK(read_quantity("2 mm^2")->value == 2e-6);
  CHECK(read_quantity("3 J/kg/s")->dimension == kTorque / kMass / kTime);
  CHECK(!read_quantity("0.25")->has_unit);
}

TEST_CASE("units of the inch and the pound are exact by definition") {
  CHECK(read_quantity("1 in")->value == 0.0254);
  CHECK(read_quantity("3 ft")->value == 0.9144);
  CHECK(read_quantity("500 g")->value == 0.5);
  CHECK(read_quantity("1 lb")->value == 0.45359237);
  CHECK(read_quantity("16 oz")->value == 0.45359237);
  CHECK(read_quantity("1 lbf")->value == 4.4482216152605);
  CHECK(read_quantity("1 lbf ft")->dimension == kTorque);
  CHECK(read_quantity("1 psi")->value == doctest::Approx(6894.757293168361).epsilon(1e-15));
  CHECK(read_quantity("1 psi")->dimension == read_quantity("1 Pa")->dimension);
  CHECK(read_quantity("1 lb ft/s^2")->dimension == kForce);
  CHECK(read_quantity("1.5 bar")->value == 150000.0);
}

TEST_CASE("what is no quantity is told where it is wrong") {
  const auto code = [](const char* text) {
    const Diagnostic problem = read_quantity(text, Origin("f", 1, 10)).diagnostics().at(0);
    return problem.code + ":" + std::to_string(problem.origin.column);
  };
  CHECK(code("") == "quantity-number:10");
  CHECK(code("mm") == "quantity-number:10");
  CHECK(code("nan m") == "quantity-number:10");
  CHECK(code("1e999") == "quantity-range:10");
  CHECK(code("1e308 km^9") == "quantity-range:20");
  CHECK(code("1 mn") == "unit-unknown:12");
  CHECK(code("1 m 2") == "quantity-unit:14");
  CHECK(code("1 m/") == "quantity-unit:14");
  CHECK(code("1 m^0.5") == "quantity-unit:15");
  CHECK(code("1 m^12") == "quantity-power:14");
  CHECK(code("1 m/s kg") == "quantity-quotient:16");
  CHECK(code("1 m/s*kg") == "quantity-quotient:15");
  CHECK(code("1 kg/m3") == "quantity-power:16");
  CHECK(code("1 kg/m\u00b3") == "quantity-power:16");
}

TEST_CASE("what is written otherwise elsewhere is told how to be written here") {
  const auto fix = [](const char* text) { return read_quantity(text).diagnostics().at(0).fix; };
  CHECK(fix("1 kg/m3") == "write m^3");
  CHECK(fix("1 kg/m\u00b3") == "write ^3");
  CHECK(fix("30\u00b0") == "write deg for degrees");
  CHECK(fix("5 \u00b5m") == "write u for micro: um, us");
  CHECK(fix("\u22125 m") == "write the minus sign of the keyboard, -");
  CHECK(fix("1 N\u00b7m") == "write * for a product");
  CHECK(fix("15 inch") == "write in for inches");
  CHECK(fix("2 lbs") == "write lb for pounds, lbf for their weight as a force");
  CHECK(fix("1 mmm") == "did you mean 'mm'?");
  CHECK(fix("1 furlong").starts_with("write one of: rad, mrad, deg, "));
  CHECK(read_quantity("30\u00b0").diagnostics().at(0).what == "a unit is expected here, not '\u00b0'");
}

TEST_CASE("radians may be left out where more than an angle is asked for") {
  CHECK(fits(kTorque, kTorque / kAngle));
  CHECK(fits(kLength, kLength / kAngle));
  CHECK(!fits(kLength / kAngle, kLength));
  CHECK(!fits(kNumber, kAngle));
  CHECK(!fits(kNumber / kTime, kAngle / kTime));  // Hz: of what?
  CHECK(!fits(kForce, kTorque));
  CHECK(read_quantity_of("2 N m", kTorque / kAngle, "it").value() == 2.0);
  CHECK(read_quantity_of("2", kTorque / kAngle, "it").value() == 2.0);
  const Diagnostic problem = read_quantity_of("20  kg", kLength, "the radius", Origin("f", 3, 5)).diagnostics().at(0);
  CHECK(problem.code == "quantity-dimension");
  CHECK(problem.origin.column == 9);
}

TEST_CASE("the dimension of a unit") {
  CHECK(dimension_of("1") == kNumber);
  CHECK(dimension_of("N m s/rad") == kTorque * kTime / kAngle);
}

}  // namespace
}  // namespace pintle
