#include "pintle/geometry/mass/inertia_warnings.h"

#include "geometry/solids.h"
#include "pintle/geometry/mass/mass_properties.h"

using namespace test;

namespace {

/// A solid body of one shape, whose numbers were written in other units.
struct Body {
  double mass;
  SymMat3<> inertia;
  BodyRoom room;
};

Body solid(const Shape& shape, double density) {
  const VolumeProperties properties = volume_properties(shape);
  return {density * properties.volume, density * properties.inertia, {properties.volume, bounding_box(shape)}};
}

/// The body with its mass, inertia and shapes multiplied.
Body in_units(Body body, double mass, double inertia, double length) {
  body.mass *= mass;
  body.inertia = inertia * body.inertia;
  body.room.volume *= length * length * length;
  body.room.box = {length * body.room.box.min, length * body.room.box.max};
  return body;
}

Diagnostics unknowns(const Body& body) {
  return inertia_warnings(body.mass, body.inertia, body.room);
}

std::vector<Body> bodies() {
  std::vector<Body> all;
  for (const double density : {80.0, 1000.0, 2700.0, 7850.0, 19300.0})
    for (const Shape& shape : one_of_every_shape()) all.push_back(solid(shape, density));
  return all;
}

}  // namespace

TEST_CASE("inertia doubts: solids of all materials, of any size, and hollow ones raise none") {
  for (const Body& body : bodies()) {
    CHECK(unknowns(body).empty());
    for (const double size : {1e-3, 1e-2, 10.0, 100.0})
      CHECK(unknowns(in_units(body, size * size * size, std::pow(size, 5), size)).empty());
    CHECK(unknowns(in_units(body, 0.02, 0.03, 1.0)).empty());
  }
}

TEST_CASE("inertia doubts: what was written in another unit is found, and the unit is named") {
  struct {
    double mass, inertia, length;
    const char *first, *second;  // what the texts hold; no second doubt where it is null
  } const cases[] = {
      {1.0, 1e6, 1.0, "kg mm^2?", nullptr},
      {1.0, 1e9, 1.0, "g mm^2?", nullptr},
      {1.0, 1e4, 1.0, "kg cm^2?", nullptr},
      {1.0, 1.0, 1e3, "millimetres?", nullptr},
      {1.0, 1.0, 1e2, "centimetres?", nullptr},
      {1e3, 1.0, 1.0, "grams?", nullptr},
      {1e3, 1e9, 1.0, "grams?", "g mm^2?"},
      {1.0, 1e6, 1e3, "millimetres?", "kg mm^2?"},
      {1.0, 1e-5, 1.0, "the inertia is too small", nullptr},
      {1.0, 0.0, 1.0, "the inertia is zero", nullptr},
  };
  for (const Shape& shape : one_of_every_shape()) {
    for (const auto& one : cases) {
      const Diagnostics found = unknowns(in_units(solid(shape, 2700.0), one.mass, one.inertia, one.length));
      CAPTURE(one.first);
      CAPTURE(name(shape));
      REQUIRE(found.size() == (one.second == nullptr ? 1 : 2));
      CHECK_MESSAGE(contains(found[0].what, one.first), found[0].what);
      if (one.second != nullptr) CHECK_MESSAGE(contains(found[1].what, one.second), found[1].what);
      for (const Diagnostic& problem : found) {
        CHECK(problem.severity == Severity::warning);
        CHECK_FALSE(problem.why.empty());
        CHECK_FALSE(problem.fix.empty());
      }
    }
  }
}

TEST_CASE("inertia doubts: the words") {
  const Body box = solid(Box{{0.1, 0.2, 0.4}}, 2700.0);
  const Diagnostics grams = unknowns(in_units(box, 1e3, 1.0, 1.0));
  REQUIRE(grams.size() == 1);
  CHECK(grams[0].code == "inertia-density");
  CHECK(grams[0].what == "the mass of 21600 kg in a box of 0.008 m^3 is a density of 2700000 kg/m^3: grams?");
  CHECK(grams[0].fix ==
        "if the mass is in grams, write it in kilograms: 0.001 times the value; that gives 2700 kg/m^3");
  const Diagnostics units = unknowns(in_units(box, 1.0, 1e6, 1.0));
  REQUIRE(units.size() == 1);
  CHECK(units[0].code == "inertia-size");
  CHECK(units[0].what ==
        "the radius of gyration is 130 m, the shapes measure 0.46 m along the diagonal of their box: the inertia is "
        "1000000 times that of a solid box: kg mm^2?");
  CHECK(units[0].fix == "if the inertia is in kg mm^2, write it in kg m^2: 1e-06 times the values");
  const Diagnostics little = unknowns(in_units(box, 1.0, 1e-5, 1.0));
  REQUIRE(little.size() == 1);
  CHECK(contains(little[0].fix, "has moments of about 0.36, 0.31 and 0.09 kg m^2"));
}

TEST_CASE("inertia doubts: without a volume nothing is too light; without mass or with an impossible inertia nothing") {
  Body box = solid(Box{{0.1, 0.2, 0.4}}, 2700.0);
  box.room.volume = 0.0;
  CHECK(unknowns(in_units(box, 1e-5, 1e-5, 1.0)).empty());
  CHECK(unknowns(in_units(box, 1.0, 1e6, 1.0)).size() == 1);
  CHECK(inertia_warnings(0.0, box.inertia, box.room).empty());
  CHECK(inertia_warnings(-1.0, box.inertia, box.room).empty());
  CHECK(inertia_warnings(1.0, {1e6, 0, 0, 1e6, 0, 3e6}, box.room).empty());
}

TEST_CASE("inertia doubts: shapes that are only a part of the body, or stand for nothing, raise none") {
  // A foot of 0.6 kg that touches the ground with four balls.
  const BodyRoom balls{2e-6, {{-0.06, -0.03, -0.01}, {0.12, 0.03, 0.01}}};
  CHECK(inertia_warnings(0.6, {4e-4, 0, 0, 2e-3, 0, 2e-3}, balls).empty());
  const BodyRoom dot{1e-9, {{0, 0, 0}, {1e-3, 1e-3, 1e-3}}};
  CHECK(inertia_warnings(0.6, {4e-4, 0, 0, 2e-3, 0, 2e-3}, dot).empty());
}
