#include <doctest/doctest.h>

#include "spec_parts.h"
#include "support/law.h"
#include "support/random_model.h"

using namespace test;

TEST_CASE("compile: welded bodies are one link, in which each keeps its place and its name") {
  ModelSpec spec;
  const SpatialInertia<> point = spatial_inertia(1.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{0, 0, 0}));
  spec.bodies = {body("rod", spatial_inertia(2.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{0, 0.5, 0.5}))), body("left", point),
                 body("right", point), body("tip", point)};
  spec.joints = {joint("hinge", "world", "rod"), joint("left_weld", "rod", "left", JointKind::fixed),
                 joint("right_weld", "rod", "right", JointKind::fixed),
                 joint("tip_weld", "right", "tip", JointKind::fixed)};
  spec.joints[1].X_PJ.translation = {-1, 0, 0};
  spec.joints[2].X_CJ.translation = {-1, 0, 0};
  spec.joints[3].X_PJ.translation = {0, 3, 0};
  const Model model = compile(spec).value();
  REQUIRE(model.links().size() == 1);
  CHECK(model.nq() == 1);
  const Vec3<> places[] = {{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {1, 3, 0}};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(model.bodies()[i].link == 0);
    CHECK(model.bodies()[i].joint == static_cast<int>(i));
    check_close<double>(model.bodies()[i].X_LB, Pose<>{identity3<double>(), places[i]}, 1);
  }
  for (std::size_t i = 1; i < 4; ++i) CHECK(model.joints()[i].link == -1);
  const SpatialInertia<>& I = model.links()[0].inertia;
  CHECK(I.mass == 5.0);
  check_close<double>(I.first_moment, Vec3<>{1, 3, 0}, 2);
  // Rod 0.5, and m r^2 of the points: 1, 1 and 10.
  check_close<double>(I.inertia.zz, 12.5, 4);
  check_close<double>(I.inertia.xx, 9.0, 4);
  check_close<double>(I.inertia.xy, -3.0, 4);
}

TEST_CASE("compile: the momentum of a link is the sum of those of its bodies") {
  for (std::uint64_t run = 0; run < 50; ++run) {
    RandomStream stream(47, run);
    RandomModelOptions options;
    options.welds = true;
    const Model model = compile(random_spec(stream, options)).value();
    for (std::size_t i = 0; i < model.links().size(); ++i) {
      const Link& link = model.links()[i];
      Sampler<double> sampler{stream};
      const Twist<> V_L = sampler.twist();
      Wrench<> sum{{0, 0, 0}, {0, 0, 0}};
      for (const ModelBody& b : model.bodies()) {
        if (b.link != static_cast<int>(i)) continue;
        sum = sum + b.X_LB * (b.inertia * inverse_times(b.X_LB, V_L));
      }
      check_close<double>(link.inertia * V_L, sum, 20, link.inertia.mass);
    }
  }
}

TEST_CASE("compile: a body welded to the world is part of no link, and may carry joints") {
  ModelSpec spec;
  spec.bodies = {body("base", ball()), body("pillar", ball()), body("arm", ball())};
  spec.joints = {joint("bolt", "world", "base", JointKind::fixed), joint("weld", "base", "pillar", JointKind::fixed),
                 joint("hinge", "pillar", "arm")};
  spec.joints[0].X_PJ.translation = {1, 0, 0};
  spec.joints[1].X_PJ.translation = {0, 2, 0};
  spec.joints[2].X_PJ.translation = {0, 0, 3};
  const Model model = compile(spec).value();
  REQUIRE(model.links().size() == 1);
  CHECK(model.bodies()[0].link == -1);
  CHECK(model.bodies()[1].link == -1);
  check_close<double>(model.bodies()[1].X_LB, Pose<>{identity3<double>(), Vec3<>{1, 2, 0}}, 1);
  CHECK(model.links()[0].parent == -1);
  check_close<double>(model.links()[0].X_PJ, Pose<>{identity3<double>(), Vec3<>{1, 2, 3}}, 1);
  CHECK(model.links()[0].inertia.mass == 1.0);
  spec.joints[2].kind = JointKind::fixed;
  const Model rigid = compile(spec).value();
  CHECK(rigid.links().empty());
  CHECK(rigid.nq() == 0);
  CHECK(rigid.tree().count == 0);
}
