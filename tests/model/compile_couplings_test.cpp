#include <doctest/doctest.h>

#include "spec_parts.h"
#include "support/law.h"
#include "support/random_model.h"

using namespace test;

TEST_CASE("compile: without couplings every number is its own source") {
  RandomStream stream(49);
  const Model model = compile(random_spec(stream)).value();
  CHECK(model.nq() == model.joint_nq());
  CHECK(model.nv() == model.joint_nv());
  const auto check_own = [](std::span<const CoordinateSource> sources) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      CHECK(sources[i].source == static_cast<int>(i));
      CHECK(sources[i].ratio == 1.0);
      CHECK(sources[i].offset == 0.0);
    }
  };
  check_own(model.q_sources());
  check_own(model.v_sources());
}

TEST_CASE("compile: coupled joints take their numbers from the driver; chains of couplings are composed") {
  ModelSpec spec;
  for (const char* name : {"base", "a", "b", "c", "d"}) spec.bodies.push_back(body(name, ball()));
  spec.joints = {joint("to_base", "world", "base", JointKind::free), joint("to_a", "base", "a"),
                 joint("to_b", "a", "b", JointKind::prismatic), joint("to_c", "b", "c", JointKind::screw),
                 joint("to_d", "c", "d")};
  // d follows b, b follows c, which comes later in the tree: q_d = 2 (-3 q_c + 0.25) + 0.5 = -6 q_c + 1.
  spec.couplings = {coupling("to_d", "to_b", 2.0, 0.5), coupling("to_b", "to_c", -3.0, 0.25)};
  const Model model = compile(spec).value();
  CHECK(model.joint_nq() == 11);
  CHECK(model.joint_nv() == 10);
  CHECK(model.nq() == 9);
  CHECK(model.nv() == 8);
  CHECK(model.tree().nq == 11);
  CHECK(model.tree().nv == 10);

  REQUIRE(model.couplings().size() == 2);
  const ModelCoupling& d = model.couplings()[0];
  CHECK(d.joint == model.joint("to_d"));
  CHECK(d.driver == model.joint("to_c"));
  CHECK(d.ratio == -6.0);
  CHECK(d.offset == 1.0);
  const ModelCoupling& b = model.couplings()[1];
  CHECK(b.joint == model.joint("to_b"));
  CHECK(b.driver == model.joint("to_c"));
  CHECK(b.ratio == -3.0);
  CHECK(b.offset == 0.25);

  REQUIRE(model.independent_joints().size() == 3);
  const int joints[] = {0, 1, 3}, q[] = {0, 7, 8}, v[] = {0, 6, 7};
  for (std::size_t i = 0; i < 3; ++i) {
    const IndependentJoint& j = model.independent_joints()[i];
    CHECK(j.joint == joints[i]);
    CHECK(j.kind == spec.joints[static_cast<std::size_t>(joints[i])].kind);
    CHECK(j.q == q[i]);
    CHECK(j.v == v[i]);
  }
  const auto check_source = [](const CoordinateSource& s, int source, double ratio, double offset) {
    CHECK(s.source == source);
    CHECK(s.ratio == ratio);
    CHECK(s.offset == offset);
  };
  for (int i = 0; i < 8; ++i) check_source(model.q_sources()[static_cast<std::size_t>(i)], i, 1.0, 0.0);
  check_source(model.q_sources()[8], 8, -3.0, 0.25);
  check_source(model.q_sources()[9], 8, 1.0, 0.0);
  check_source(model.q_sources()[10], 8, -6.0, 1.0);
  for (int i = 0; i < 7; ++i) check_source(model.v_sources()[static_cast<std::size_t>(i)], i, 1.0, 0.0);
  check_source(model.v_sources()[7], 7, -3.0, 0.0);
  check_source(model.v_sources()[8], 7, 1.0, 0.0);
  check_source(model.v_sources()[9], 7, -6.0, 0.0);
}
