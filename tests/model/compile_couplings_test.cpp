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

namespace {

/// Three joints side by side, each driving the next.
ModelSpec train(double first_ratio, double second_ratio) {
  ModelSpec spec;
  for (const char* name : {"a", "b", "c"}) {
    spec.bodies.push_back(body(name, ball()));
    spec.joints.push_back(joint(name, kWorld, name));
    spec.joints.back().origin = Origin("train.toml", static_cast<int>(spec.joints.size()), 1);
  }
  spec.couplings = {coupling("b", "a", first_ratio, 0.0), coupling("c", "b", second_ratio, 0.0)};
  spec.couplings[1].origin = Origin("train.toml", 12, 1);
  return spec;
}

JointLimits between(double lower, double upper) {
  JointLimits limits;
  limits.lower = lower;
  limits.upper = upper;
  return limits;
}

}  // namespace

TEST_CASE("compile: ratios that leave the range of numbers along a chain of couplings are an error") {
  CHECK(compile(train(1e100, 1e100)).ok());
  for (const double ratio : {1e200, -1e200, 1e-200}) {
    CAPTURE(ratio);
    const Result<Model> model = compile(train(ratio, ratio));
    REQUIRE_FALSE(model.ok());
    REQUIRE(codes(model.diagnostics()) == "coupling-ratio ");
    CHECK(model.diagnostics()[0].origin.line == 12);
    CHECK(model.diagnostics()[0].what == "the coupling of 'c', followed to the driver 'a', has the ratio " +
                                             std::string(ratio == 1e-200 ? "0" : "inf") + " and the offset 0");
  }
  ModelSpec spec = train(2.0, 1e10);
  spec.couplings[0].offset = 1e300;
  CHECK(codes(compile(spec).diagnostics()) == "coupling-ratio ");
  // Nor is the driver blamed for it.
  spec.bodies[0].inertia = zero_inertia();
  CHECK(codes(compile(spec).diagnostics()) == "coupling-ratio ");
}

TEST_CASE("compile: limits of a driver and of the joints coupled to it that leave no position are an error") {
  ModelSpec spec = train(1.0, -2.0);
  spec.couplings[0].offset = 10.0;  // q_b = q_a + 10, q_c = -2 q_a - 20
  spec.joints[0].limits = {between(0.0, 1.0)};
  spec.joints[1].limits = {between(10.5, 20.0)};
  spec.joints[2].limits = {between(-22.0, -21.5)};
  CHECK(compile(spec).ok());
  spec.joints[1].limits = {between(0.0, 1.5)};
  const Result<Model> model = compile(spec);
  REQUIRE_FALSE(model.ok());
  REQUIRE(codes(model.diagnostics()) == "limits-leave-nothing ");
  const Diagnostic& problem = model.diagnostics()[0];
  CHECK(problem.what ==
        "the limits of joint 'b' require its driver 'a' to be between -10 and -8.5, other limits require it "
        "between 0 and 1");
  CHECK(problem.origin.line == 2);
  CHECK_FALSE(problem.fix.empty());
  // Each joint that cannot go with those before it is told.
  spec.joints[2].limits = {between(0.0, 1.0)};
  CHECK(codes(compile(spec).diagnostics()) == "limits-leave-nothing limits-leave-nothing ");
  // Two followers against each other, a driver without limits.
  spec.joints[0].limits.clear();
  spec.joints[2].limits = {between(-22.0, -21.5)};
  CHECK(codes(compile(spec).diagnostics()) == "limits-leave-nothing ");
  // One position is enough.
  spec.joints[1].limits = {between(11.0, 12.0)};
  spec.joints[2].limits = {between(-22.0, -22.0)};
  CHECK(compile(spec).ok());
  // A driver would have to stand where there are no numbers.
  spec = train(1e-10, 1.0);
  spec.joints[1].limits = {between(1e300, 1e305)};
  CHECK(codes(compile(spec).diagnostics()) == "limits-leave-nothing ");
}

TEST_CASE("random mechanisms: some joints follow one that follows another") {
  int chained = 0;
  for (std::uint64_t run = 0; run < 20; ++run) {
    RandomStream stream(51, run);
    const ModelSpec spec = random_spec(stream, {.links = 40, .couplings = true});
    for (const JointSpec& each : spec.joints) chained += follows_a_follower(spec, each.name) ? 1 : 0;
  }
  CHECK(chained >= 10);
}
