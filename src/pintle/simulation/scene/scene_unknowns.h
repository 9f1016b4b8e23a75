// SceneUnknowns: what is not known of a scene because parts of it could not be read. For the readers of scenes.
#pragma once

#include <string>
#include <vector>

#include "pintle/simulation/scene/scene.h"

namespace pintle {

struct SceneUnknowns {
  bool tree = false;                    ///< what hangs on what
  bool inertia = false;                 ///< whether all that has inertia, or whose motion is given, is there
  bool names = false;                   ///< whether all joints and sensors that formulas may name are there
  std::vector<std::string> unplaced{};  ///< joints whose position at the start is not known
};

/// Compiles what is there of a scene. Problems that would only follow from what is not known are left out. The value,
/// if there is one, is of use only where nothing is in doubt.
Result<Scene> compile(const SceneSpec& spec, SceneUnknowns unknowns);

}  // namespace pintle
