// A body that is welded to the world: it has mass, but no effect on anything that moves.
#pragma once

#include "support/random_model.h"

namespace test {

inline void add_pillar(ModelSpec& spec, RandomStream& stream) {
  BodySpec pillar;
  pillar.name = "pillar";
  pillar.inertia = random_inertia(stream, 10.0);
  JointSpec weld;
  weld.name = "foundation";
  weld.parent = kWorld;
  weld.child = "pillar";
  weld.X_PJ = random_pose(stream);
  spec.bodies.push_back(pillar);
  spec.joints.push_back(weld);
}

}  // namespace test
