// Scene files: SceneSpec to TOML. docs/formats/scene.md describes the format.
#pragma once

#include <string>
#include <vector>

#include "pintle/io/diagnostics/write_loss.h"
#include "pintle/io/mesh/written_files.h"
#include "pintle/simulation/scene/scene_spec.h"

namespace pintle {

struct WrittenScene {
  std::string text{};
  std::vector<CompanionFile> files{};  ///< files that the text names and that do not exist yet
  WriteLosses losses{};
};

/// Writes a scene that `read_scene` reads back as the same. Every number is its shortest decimal, so that its bits are
/// kept, with its unit where it stands alone; default values and values without effect are omitted. Bodies come in
/// their order, each with its joint, its initial state and its shapes. An inertia is written as a density if that
/// reproduces the same bits, otherwise as values; if no values reproduce all of its bits, it is read back within a few
/// units in the last place.
///
/// The scene must be one that `compile` accepts. Losses are what the format cannot express: contact groups other than
/// "not each other", tables without a file, limits of only some dofs of a joint, joints in another order than their
/// bodies.
WrittenScene write_scene(const SceneSpec& spec, const WritePlace& place = {});

}  // namespace pintle
