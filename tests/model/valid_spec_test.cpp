// What stands in for a spec that is wrong.
#include "pintle/model/spec/valid_spec.h"

#include <doctest/doctest.h>

#include "pintle/model/compiled/check_model.h"
#include "pintle/model/spec/check_spec.h"
#include "support/random_model.h"

namespace pintle {
namespace {

constexpr double kNan = __builtin_nan("");

/// Breaks one thing of a spec; its code. Names of bodies stay, and so does who has which joint.
std::string break_something(ModelSpec& spec, RandomStream& stream) {
  const auto any = [&](const auto& elements) { return static_cast<std::size_t>(stream.below(elements.size())); };
  JointSpec& joint = spec.joints[any(spec.joints)];
  switch (stream.below(8)) {
    case 0:
      spec.bodies[any(spec.bodies)].inertia.mass = -1.0;
      return "inertia-mass";
    case 1:
      joint.X_PJ.translation.x = kNan;
      return "pose-not-finite";
    case 2:
      joint.axis = {kNan, 0.0, 0.0};
      return "axis-not-finite";
    case 3:
      joint.pitch_m_per_rad = kNan;
      return "pitch-not-finite";
    case 4:
      joint.parent = joint.child;
      return "cycle";
    case 5: {
      const std::string other = spec.joints[any(spec.joints)].name;
      spec.couplings.push_back({joint.name, other, kNan, 0.0, {}});
      return "coupling-ratio";
    }
    case 6: {
      bool is_coupled = false;
      for (const CouplingSpec& coupling : spec.couplings) is_coupled = is_coupled || coupling.joint == joint.name;
      spec.couplings.push_back({joint.name, joint.name, 1.0, 0.0, {}});
      return is_coupled ? "coupling-double" : "coupling-cycle";
    }
    default:
      spec.gravity.z = kNan;
      return "gravity-not-finite";
  }
}

TEST_CASE("valid_spec: a spec that is right stays as it is") {
  RandomStream stream(71);
  for (int trial = 0; trial < 50; ++trial) {
    const ModelSpec spec = test::random_spec(stream, {.links = 8, .couplings = true, .welds = true});
    const ValidSpec sound = valid_spec(spec);
    CHECK(!sound.tree_changed);
    CHECK(sound.spec.couplings.size() == spec.couplings.size());
    for (std::size_t i = 0; i < spec.bodies.size(); ++i)
      CHECK(sound.spec.bodies[i].inertia.mass == spec.bodies[i].inertia.mass);
    for (std::size_t i = 0; i < spec.joints.size(); ++i) {
      CHECK(sound.spec.joints[i].name == spec.joints[i].name);
      CHECK(sound.spec.joints[i].parent == spec.joints[i].parent);
      CHECK(sound.spec.joints[i].limits == spec.joints[i].limits);
      CHECK(sound.spec.joints[i].passive == spec.joints[i].passive);
    }
  }
}

TEST_CASE("check_model: whatever is wrong, there is a model to go on with, and nothing follows from what is wrong") {
  RandomStream stream(72);
  int circles = 0;
  for (int trial = 0; trial < 500; ++trial) {
    ModelSpec spec = test::random_spec(stream, {.links = 8, .couplings = true, .welds = true});
    REQUIRE(check_model(spec).problems.empty());
    const std::string code = break_something(spec, stream);
    CAPTURE(code);
    for (std::uint64_t more = stream.below(4); more > 0; --more) break_something(spec, stream);
    CHECK(!has_errors(check_spec(valid_spec(spec).spec)));
    const ModelCheck check = check_model(spec);
    REQUIRE(check.model.has_value());
    CHECK(check.model->joints().size() == spec.joints.size());
    bool is_found = false;
    for (const Diagnostic& problem : check.problems) {
      is_found = is_found || problem.code == code;
      CHECK_MESSAGE(problem.code != "joint-without-inertia", problem.what);
      if (problem.code == "cycle") ++circles;
    }
    CHECK(is_found);
  }
  CHECK(circles > 50);
}

TEST_CASE("check_model: names that are missing or double are no end of joints and frames, but of bodies") {
  RandomStream stream(73);
  ModelSpec spec = test::random_spec(stream, {.links = 4});
  spec.joints[1].name = spec.joints[0].name;
  spec.joints[2].name.clear();
  spec.frames.push_back({"tip", spec.bodies[0].name, identity_pose<double>(), {}});
  spec.frames.push_back({"tip", spec.bodies[1].name, {identity3(), {kNan, 0, 0}}, {}});
  CHECK(check_model(spec).problems.size() == 4);
  CHECK(check_model(spec).model.has_value());
  spec.bodies[1].name = spec.bodies[0].name;
  CHECK(!check_model(spec).model.has_value());
}

}  // namespace
}  // namespace pintle
