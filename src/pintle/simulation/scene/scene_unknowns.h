// SceneUnknowns: what is unknown about a scene because parts of it could not be read. For the readers of scenes.
#pragma once

#include <string>
#include <vector>

#include "pintle/simulation/scene/scene.h"

namespace pintle {

struct SceneUnknowns {
  bool tree = false;                    ///< which body is connected to which
  bool inertia = false;                 ///< whether everything that has inertia or a prescribed motion is there
  bool places = false;                  ///< whether all shapes and positions are as they were meant
  bool names = false;                   ///< whether all joints and sensors that formulas may name are there
  std::vector<std::string> unplaced{};  ///< joints whose initial position is unknown
};

/// Compiles what is known of a scene. Problems that would only follow from the unknown parts are left out. The value,
/// if there is one, may be used only if nothing is unknown.
Result<Scene> compile(const SceneSpec& spec, SceneUnknowns unknowns);

}  // namespace pintle
