#include "pintle/geometry/mass/material.h"

#include "geometry/solids.h"

using namespace test;

TEST_CASE("materials: found by name, each once, with the density of a solid") {
  CHECK(find_material("steel")->density == 7850.0);
  CHECK(find_material("aluminium")->density == 2700.0);
  CHECK(find_material("brass")->density == 8500.0);
  for (const Material& material : materials()) {
    CHECK(find_material(material.name)->density == material.density);
    CHECK(material.density >= 400.0);
    CHECK(material.density <= 20000.0);
    const auto same = [&](const Material& other) { return other.name == material.name; };
    CHECK(std::count_if(materials().begin(), materials().end(), same) == 1);
  }
}

TEST_CASE("materials: an unknown name brings the nearest, or all") {
  const Result<Material> aluminum = find_material("aluminum");
  REQUIRE(!aluminum);
  CHECK(aluminum.diagnostics()[0].code == "unknown-material");
  CHECK(aluminum.diagnostics()[0].what == "there is no material 'aluminum'");
  CHECK(aluminum.diagnostics()[0].fix == "did you mean 'aluminium'?");
  const Result<Material> nothing = find_material("unobtainium-x");
  REQUIRE(!nothing);
  CHECK(contains(nothing.diagnostics()[0].fix, "choose one of aluminium, brass, "));
}
