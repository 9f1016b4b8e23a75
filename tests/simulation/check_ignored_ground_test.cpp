#include "pintle/simulation/contact/check_ignored_ground.h"

#include <doctest/doctest.h>

#include "pintle/model/edit/model_builder.h"
#include "pintle/simulation/scene/scene.h"

using namespace pintle;

namespace {

enum class Hung : unsigned char { vertical, horizontal, limited, pivot, floating };

/// A ball of 0.1 m, 0.5 m above the ground.
SceneSpec ball(Hung how) {
  ModelBuilder model("ball");
  const SpatialInertia<> inertia = spatial_inertia(1.0, Vec3<>{0.0, 0.0, 0.0}, diagonal(Vec3<>{4e-3, 4e-3, 4e-3}));
  ModelBuilder& body = model.body("ball", inertia);
  switch (how) {
    case Hung::vertical:
      body.prismatic({0, 0, 1}, "slide").at({0.0, 0.0, 0.5});
      break;
    case Hung::horizontal:
      body.prismatic({1, 0, 0}, "slide").at({0.0, 0.0, 0.5});
      break;
    case Hung::limited:
      body.prismatic({0, 0, 1}, "slide").at({0.0, 0.0, 0.5}).limits(-0.35, 0.35);
      break;
    case Hung::pivot:
      body.revolute({0, 1, 0}, "slide").at({0.0, 0.0, 0.5});
      break;
    case Hung::floating:
      body.free("slide").at({0.0, 0.0, 0.5});
      break;
  }
  SceneSpec spec;
  spec.model = model.spec();
  spec.contact.shapes.push_back({.body = kWorld, .shape = HalfSpace{}});
  spec.contact.shapes.push_back({.body = "ball", .shape = Sphere{0.1}});
  return spec;
}

/// How often a scene warns that a body ignores the ground.
int warnings(const SceneSpec& spec) {
  const Result<Scene> scene = compile(spec);
  CHECK_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.diagnostics()[0].what));
  int count = 0;
  for (const Diagnostic& problem : scene.diagnostics()) count += problem.code == "contact-ground-ignored";
  return count;
}

}  // namespace

TEST_CASE("a body whose joint to the world lets it reach the ground is told to ignore it, once") {
  SceneSpec spec = ball(Hung::vertical);
  CHECK(warnings(spec) == 1);
  spec.contact.shapes.push_back({.body = "ball", .shape = Sphere{0.05}});
  CHECK(warnings(spec) == 1);
  // Who says what is meant is not asked again.
  spec.contact.rules.push_back({.first = "ball", .second = kWorld, .may_touch = false});
  CHECK(warnings(spec) == 0);
  spec.contact.rules[0].may_touch = true;
  CHECK(warnings(spec) == 0);
}

TEST_CASE("nothing is said of a body that cannot reach the ground, or that touches it") {
  CHECK(warnings(ball(Hung::horizontal)) == 0);
  CHECK(warnings(ball(Hung::limited)) == 0);
  CHECK(warnings(ball(Hung::pivot)) == 0);
  CHECK(warnings(ball(Hung::floating)) == 0);
  // A longer arm reaches it.
  SceneSpec spec = ball(Hung::pivot);
  spec.contact.shapes[1].X_BS.translation = {0.45, 0.0, 0.0};
  CHECK(warnings(spec) == 1);
}
