#include "pintle/model/compiled/place.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "spec_parts.h"
#include "support/law.h"

using namespace test;

TEST_CASE("place_named: a body, a frame, or the world") {
  ModelSpec spec;
  spec.bodies = {body("base", ball()), body("arm", ball())};
  spec.joints = {joint("weld", kWorld, "base", JointKind::fixed), joint("pin", "base", "arm")};
  FrameSpec tool;
  tool.name = "tool";
  tool.body = "arm";
  tool.X_BF.translation = {1, 2, 3};
  spec.frames = {tool};
  const Model model = compile(spec).value();
  CHECK(place_named(model, "arm").link == 0);
  CHECK(place_named(model, "arm").body == 1);
  CHECK(place_named(model, "tool").X_LF.translation.z == 3.0);
  const Place world = place_named(model, "world");
  CHECK(world.link == -1);
  CHECK(world.body == -1);
  CHECK(distance(world.X_LF, identity_pose<double>()) == 0.0);
  CHECK_THROWS_WITH_AS(place_named(model, "wrld"),
                       "place_named: there is no body or frame 'wrld'; did you mean 'world'?", UsageError);
}
