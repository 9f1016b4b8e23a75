// Reads and compiles scene files in one step: TOML to Scene, with all problems at once.
#pragma once

#include "pintle/io/diagnostics/loss_report.h"
#include "pintle/io/scene/read_scene.h"
#include "pintle/simulation/scene/scene.h"

namespace pintle {

/// Reads a scene file and compiles it. A failure lists all problems at once: those of the reader, and those that appear
/// only when the parts are assembled, unless they merely follow from others. Each is listed once, however often a table
/// is repeated, in line order within each file; a syntax error is listed alone. A scene without a body is a problem
/// too. `losses` receives the element status of every part of the robot file that the scene names, or is.
Result<Scene> compile_scene(const std::string& path, const SceneSettings& settings = {}, const SceneLimits& limits = {},
                            LossReport* losses = nullptr, const FileAccess& access = {});

/// The same for a text.
Result<Scene> compile_scene_text(std::string_view text, const std::string& name, SceneFiles& files,
                                 const SceneSettings& settings = {}, const SceneLimits& limits = {},
                                 LossReport* losses = nullptr);
Result<Scene> compile_scene_text(std::string_view text, const std::string& name, const SceneSettings& settings = {});

/// The mechanism of a robot or scene file, without what acts on it: `load("robot.urdf").value()`.
Result<Model> load(const std::string& path);

}  // namespace pintle
