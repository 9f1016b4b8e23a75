// Scene files that are read and compiled in one go: TOML to Scene, with all that is wrong at once.
#pragma once

#include "pintle/io/diagnostics/loss_report.h"
#include "pintle/io/scene/read_scene.h"
#include "pintle/simulation/scene/scene.h"

namespace pintle {

/// Reads a scene file and compiles it. A failure lists all problems at once: those of the reader, and those that only
/// show when the parts are put together, as far as they are not mere consequences of others; each once, however often a
/// table is repeated; in the order of the lines of each file; a syntax error alone. A scene without a body is a problem
/// too. What became of every part of the robot file that the scene names, or is, goes to `losses`.
Result<Scene> compile_scene(const std::string& path, const SceneSettings& settings = {}, const SceneLimits& limits = {},
                            LossReport* losses = nullptr);

/// The same for a text.
Result<Scene> compile_scene_text(std::string_view text, const std::string& name, SceneFiles& files,
                                 const SceneSettings& settings = {}, const SceneLimits& limits = {},
                                 LossReport* losses = nullptr);
Result<Scene> compile_scene_text(std::string_view text, const std::string& name, const SceneSettings& settings = {});

}  // namespace pintle
