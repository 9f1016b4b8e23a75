#include "pintle/model/edit/map_state.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "pintle/model/compiled/joint_state.h"
#include "pintle/model/edit/lock_joints.h"
#include "pintle/model/edit/model_builder.h"
#include "pintle/model/edit/payload.h"
#include "pintle/model/edit/reroot.h"
#include "pintle/model/links/configuration_impl.h"
#include "spec_parts.h"
#include "support/law.h"
#include "support/random_model.h"

using namespace test;

namespace {

struct State {
  explicit State(const Model& model)
      : q(static_cast<std::size_t>(model.nq())), v(static_cast<std::size_t>(model.nv())) {
    neutral(model, q);
  }
  std::vector<double> q, v;
};

}  // namespace

// Numbers of size 20 at most, through a universal joint whose axes may be nearly parallel.
TEST_CASE("map_state: to the same model it is the identity, whole turns and all") {
  for (std::uint64_t run = 0; run < 100; ++run) {
    CAPTURE(run);
    RandomStream stream(95, run);
    RandomModelOptions options;
    options.links = 1 + static_cast<int>(run % 12);
    options.couplings = run % 2 == 0;
    options.welds = run % 3 == 0;
    options.root_offset = {1e3, 0, 0};  // how far the mechanism is from the origin does not matter
    const Model model = compile(random_spec(stream, options)).value();
    RandomState state(model, stream);
    for (const JointNumbering& joint : joint_numbering(model)) {
      if (joint.kind == JointKind::revolute && joint.driver.empty())
        position_in(model, state.q, joint.joint)[0] += 20.0;
      // The sign of a quaternion is not part of the pose.
      const int place = quaternion_place(joint.kind);
      if (place < 0 || state.q[static_cast<std::size_t>(joint.first_q + place + 3)] >= 0.0) continue;
      for (int i = 0; i < 4; ++i) state.q[static_cast<std::size_t>(joint.first_q + place + i)] *= -1.0;
    }
    State mapped(model);
    REQUIRE(map_state(model, state.q, state.v, model, mapped.q, mapped.v).ok());
    for (std::size_t i = 0; i < state.q.size(); ++i) CHECK(abs(mapped.q[i] - state.q[i]) <= 1e-12);
    for (std::size_t i = 0; i < state.v.size(); ++i) CHECK(abs(mapped.v[i] - state.v[i]) <= 1e-12);
  }
}

TEST_CASE("map_state: a body in the way of its own joints: from a free body to the hinge that could hold it") {
  ModelBuilder loose, hinged;
  loose.body("door", ball()).free();
  hinged.body("door", ball()).revolute({0, 0, 1}, "hinge");
  const Model a = loose.compile().value(), b = hinged.compile().value();
  State at_a(a), at_b(b);
  at_a.q = {0, 0, 0, 0, 0, pintle::sin(0.2), pintle::cos(0.2)};
  at_a.v = {0, 0, 0, 0, 0, 3};
  REQUIRE(map_state(a, at_a.q, at_a.v, b, at_b.q, at_b.v).ok());
  CHECK(abs(at_b.q[0] - 0.4) <= 1e-15);
  CHECK(at_b.v[0] == 3.0);
  // Away from the hinge's place, or moving away, it cannot follow, and nothing is written.
  at_a.v[0] = 0.1;
  at_b.q[0] = 7.0;
  Result<void> result = map_state(a, at_a.q, at_a.v, b, at_b.q, at_b.v);
  REQUIRE(!result.ok());
  CHECK(result.diagnostics()[0].code == "state-out-of-reach");
  CHECK(result.diagnostics()[0].what.find("'hinge' (revolute)") != std::string::npos);
  CHECK(result.diagnostics()[0].what.find("velocity") != std::string::npos);
  CHECK(at_b.q[0] == 7.0);
  at_a.q[2] = 0.25;
  result = map_state(a, at_a.q, at_a.v, b, at_b.q, at_b.v);
  REQUIRE(!result.ok());
  CHECK(result.diagnostics()[0].what.find("position it has in the first; off by 0.2") != std::string::npos);
  at_a.q[2] = __builtin_nan("");
  CHECK(!map_state(a, at_a.q, at_a.v, b, at_b.q, at_b.v).ok());
}

TEST_CASE("map_state: locked models, payloads, and couplings that do not hold") {
  ModelBuilder builder;
  builder.body("upper", ball()).revolute({0, 0, 1}, "shoulder");
  builder.body("lower", ball()).revolute({0, 0, 1}, "elbow").at({1, 0, 0});
  const Model full = builder.compile().value();
  const Model locked = compile(lock_joints(builder.spec(), {{"elbow", {0.5}}}).value()).value();
  const Model loaded = compile(set_payload(builder.spec(), "lower", "part", ball()).value()).value();
  const Model geared = builder.coupled_to("shoulder", 2.0).compile().value();
  State f(full), l(locked), p(loaded), g(geared);
  f.q = {0.3, 0.5};
  f.v = {2.0, 0.0};
  REQUIRE(map_state(full, f.q, f.v, locked, l.q, l.v).ok());
  CHECK(abs(l.q[0] - 0.3) <= 1e-15);
  CHECK(abs(l.v[0] - 2.0) <= 1e-15);
  State back(full);
  REQUIRE(map_state(locked, l.q, l.v, full, back.q, back.v).ok());
  CHECK(abs(back.q[1] - 0.5) <= 1e-15);
  CHECK(abs(back.v[1]) <= 1e-15);
  f.v[1] = 1.0;
  CHECK(!map_state(full, f.q, f.v, locked, l.q, l.v).ok());
  CHECK(!map_state(full, f.q, f.v, geared, g.q, g.v).ok());
  f.q = {0.25, 0.5};
  f.v = {1.0, 2.0};
  CHECK(map_state(full, f.q, f.v, geared, g.q, g.v).ok());
  CHECK(map_state(loaded, f.q, f.v, full, back.q, back.v).ok());  // the payload is left aside
  const Result<void> missing = map_state(full, f.q, f.v, loaded, p.q, p.v);
  REQUIRE(!missing.ok());
  CHECK(missing.diagnostics()[0].what == "map_state: the second model names the body 'part', which does not exist");
}

TEST_CASE("map_state: sizes are checked") {
  ModelBuilder builder;
  builder.body("ball", ball()).spherical();
  const Model model = builder.compile().value();
  std::vector<double> three(3), four(4);
  CHECK_THROWS_AS((void)map_state(model, three, three, model, four, three), UsageError);
  CHECK_THROWS_AS((void)map_state(model, four, four, model, four, three), UsageError);
  CHECK_THROWS_AS((void)map_state(model, four, three, model, three, three), UsageError);
  CHECK_THROWS_AS((void)map_state(model, four, three, model, four, four), UsageError);
}
