#include "pintle/text/unit_system.h"

#include <doctest/doctest.h>

#include <string>

#include "pintle/text/quantity.h"

using namespace pintle;

namespace {

UnitSystem system_of(const char* text) {
  return UnitSystem::read(text).value();
}

std::string code(const char* text) {
  const Result<UnitSystem> read = UnitSystem::read(text);
  return read ? "" : read.diagnostics()[0].code;
}

constexpr const char* kResults[] = {
    "m",   "m/s",     "m/s^2", "rad", "rad/s",   "rad/s^2", "kg",     "kg m^2", "N",      "N m",       "N s", "N m s",
    "J",   "W",       "N/m",   "1",   "s",       "1/s",     "N m/rad", "N s/m", "kg m/s", "Pa",        "1/m", "kg/m^3",
    "N m s/rad", "kg m^2/s"};

}  // namespace

TEST_CASE("unit system: every shown unit is one that is read back, with the same value") {
  for (const char* const text :
       {"si", "mm", "deg", "us", "mm, deg", "cm, mN", "kN, g", "us, ft", "kJ, kW, rpm, mNm", "rev"}) {
    const UnitSystem units = system_of(text);
    for (const char* const si : kResults) {
      if (std::string(si) == "1" || std::string(si).starts_with("1/")) continue;  // no unit begins with a number
      const ShownUnit shown = units.shown(si);
      CAPTURE(text);
      CAPTURE(si);
      CAPTURE(shown.unit);
      const Dimension dimension = dimension_of(si);
      const Result<double> back = read_quantity_of("1 " + shown.unit, dimension, "it");
      REQUIRE(back.ok());
      CHECK(*back * shown(1.0) == doctest::Approx(1.0).epsilon(1e-15));
    }
  }
}

TEST_CASE("unit system: factors are replaced one by one, energies by force and length") {
  const UnitSystem mm = system_of("mm, deg"), us = system_of("us");
  CHECK(mm.shown("m/s").unit == "mm/s");
  CHECK(mm.shown("m/s")(0.005) == 5.0);
  CHECK(mm.shown("kg m^2").unit == "kg mm^2");
  CHECK(mm.shown("kg m^2")(2.0) == 2e6);
  CHECK(mm.shown("N m/rad").unit == "N mm/deg");
  CHECK(mm.shown("J").unit == "N mm");
  CHECK(mm.shown("J")(3.0) == 3000.0);
  CHECK(mm.shown("W").unit == "N mm/s");
  CHECK(mm.shown("1/m").unit == "1/mm");
  CHECK(mm.shown("rad/s").unit == "deg/s");
  CHECK(us.shown("N m").unit == "lbf in");
  CHECK(us.shown("N m")(4.4482216152605 * 0.0254) == doctest::Approx(1.0).epsilon(1e-15));
  CHECK(us.shown("kg").unit == "lb");
  CHECK(us.shown("m")(0.3048) == doctest::Approx(12.0).epsilon(1e-15));
  CHECK(system_of("us, ft").shown("m").unit == "ft");
  CHECK(system_of("rpm").shown("rad/s").unit == "rpm");
  CHECK(system_of("rpm").shown("rad/s^2").unit == "rad/s^2");
  CHECK(system_of("mNm").shown("N m").unit == "mNm");
  CHECK(system_of("mNm").shown("J").unit == "J");
  CHECK(system_of("kJ").shown("J")(2500.0) == 2.5);
  CHECK(mm.shown("mm").unit == "mm");  // of a formula's own value
  CHECK(mm.shown("apples/s").unit == "apples/s");
  CHECK(mm.shown("1").unit == "1");
  CHECK(mm.labels("x [m],nx [1],f [N],n [N m]") == "x [mm],nx [1],f [N],n [N mm]");
}

TEST_CASE("unit system: SI leaves everything as it is") {
  for (const char* const text : {"si", "m", "kg, N", "rad"}) {
    const UnitSystem units = system_of(text);
    CHECK(units.is_si());
    CHECK(units.text() == "si");
    for (const char* const si : kResults) {
      CHECK(units.shown(si).unit == si);
      CHECK(units.shown(si)(0.1) == 0.1);
    }
  }
  CHECK(!system_of("mm").is_si());
  CHECK(system_of(" mm ,deg").text() == " mm ,deg");
}

TEST_CASE("unit system: what cannot be shown is refused") {
  CHECK(code("parsec") == "unit-unknown");
  CHECK(code("") == "unit-unknown");
  CHECK(code("mm,") == "unit-unknown");
  CHECK(code("ms") == "unit-system");
  CHECK(code("Hz") == "unit-system");
  CHECK(code("mm, cm") == "unit-system");
  CHECK(code("us, mm") == "");
  CHECK(UnitSystem::read("milimeter").diagnostics()[0].fix != "");
}
