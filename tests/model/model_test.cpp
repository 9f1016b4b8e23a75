#include <doctest/doctest.h>

#include <memory>

#include "pintle/base/usage_error.h"
#include "spec_parts.h"
#include "support/law.h"
#include "support/random_model.h"

using namespace test;

TEST_CASE("model: a name that is not there is a wrong call, answered with the nearest one") {
  ModelSpec spec;
  spec.bodies = {body("forearm", ball())};
  spec.joints = {joint("elbow", "world", "forearm")};
  spec.frames.resize(1);
  spec.frames[0].name = "gripper";
  spec.frames[0].body = "forearm";
  const Model model = compile(spec).value();
  CHECK_THROWS_WITH_AS(model.body("forarm"), "Model::body: there is no body 'forarm'; did you mean 'forearm'?",
                       UsageError);
  CHECK_THROWS_WITH_AS(model.joint("Elbow"), "Model::joint: there is no joint 'Elbow'; did you mean 'elbow'?",
                       UsageError);
  CHECK_THROWS_WITH_AS(model.frame("griper"), "Model::frame: there is no frame 'griper'; did you mean 'gripper'?",
                       UsageError);
  CHECK_THROWS_WITH_AS(model.body("propeller"), "Model::body: there is no body 'propeller'", UsageError);
}

TEST_CASE("model: a copy lives on without its original") {
  RandomStream stream(50);
  RandomModelOptions options;
  options.couplings = true;
  options.welds = true;
  const ModelSpec spec = random_spec(stream, options);
  auto original = std::make_unique<Model>(compile(spec).value());
  const RandomState state(*original, stream);
  const std::vector<Pose<>> before = poses_by_links(*original, state.q);
  const Model copy = *original;
  CHECK(copy.tree().links == original->tree().links);  // shared: nothing in a model ever changes
  original.reset();
  const std::vector<Pose<>> after = poses_by_links(copy, state.q);
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(distance(before[i], after[i]) == 0);
  CHECK(copy.tree().armature[0] == copy.dofs()[0].passive.armature);
  CHECK(copy.bodies()[0].name == spec.bodies[0].name);
}
