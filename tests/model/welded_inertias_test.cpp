#include "pintle/model/spec/welded_inertias.h"

#include <doctest/doctest.h>

#include "pintle/model/compiled/model.h"
#include "support/random_model.h"

using namespace test;

namespace {

double distance(const SpatialInertia<>& a, const SpatialInertia<>& b) {
  double most = abs(a.mass - b.mass) + norm(a.first_moment - b.first_moment);
  const auto x = to_array(a.inertia), y = to_array(b.inertia);
  for (std::size_t i = 0; i < 6; ++i) most = max(most, abs(x[i] - y[i]));
  return most;
}

}  // namespace

TEST_CASE("welded inertias: what moves as one has the inertia of the link that the model makes of it") {
  int compared = 0;
  for (std::uint64_t run = 0; run < 50; ++run) {
    RandomStream stream(71, run);
    ModelSpec spec = random_spec(stream, {.links = 12});
    for (std::size_t j = 0; j < spec.joints.size(); j += 3) {
      JointSpec& joint = spec.joints[j];
      joint.kind = JointKind::fixed;
      joint.passive.clear();
      joint.limits.clear();
    }
    const Model model = compile(spec).value();
    const std::vector<SpatialInertia<>> welded = welded_inertias(spec);
    REQUIRE(welded.size() == spec.bodies.size());
    for (std::size_t b = 0; b < welded.size(); ++b) {
      const int link = model.bodies()[b].link;
      if (link < 0) continue;  // fixed to the world
      const double mass = model.links()[static_cast<std::size_t>(link)].inertia.mass;
      CHECK(welded[b].mass == doctest::Approx(mass).epsilon(1e-14));
      // The innermost body: the frame of the sum.
      const ModelJoint& joint = model.joints()[static_cast<std::size_t>(model.bodies()[b].joint)];
      if (joint.link < 0) continue;
      const SpatialInertia<> whole =
          inverse(model.bodies()[b].X_LB) * model.links()[static_cast<std::size_t>(link)].inertia;
      CHECK(distance(welded[b], whole) <= 1e-12 * (1.0 + trace(whole.inertia)));
      ++compared;
    }
  }
  CHECK(compared > 200);
}

TEST_CASE("welded inertias: what carries itself in a circle, or hangs on nothing, counts by itself") {
  ModelSpec spec;
  for (const char* name : {"a", "b", "c"}) {
    BodySpec body;
    body.name = name;
    body.inertia = spatial_inertia(1.0, Vec3{0.0, 0.0, 0.0}, diagonal(Vec3{1.0, 1.0, 1.0}));
    spec.bodies.push_back(body);
  }
  for (const auto& [parent, child] : {std::pair{"a", "b"}, std::pair{"b", "a"}, std::pair{"nobody", "c"}}) {
    JointSpec joint;
    joint.parent = parent;
    joint.child = child;
    spec.joints.push_back(joint);
  }
  for (const SpatialInertia<>& inertia : welded_inertias(spec)) CHECK(inertia.mass == 1.0);
}
