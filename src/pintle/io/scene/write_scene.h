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
  std::vector<CompanionFile> files{};  ///< that the text names, and that are not there yet
  WriteLosses losses{};
};

/// Writes a scene that `read_scene` reads back as the same: every number by its shortest decimal, so that its bits are
/// the same, with its unit where it stands alone; what has its default value, or no effect, is left out. Bodies come in
/// their order, each with its joint, its start and its shapes. An inertia is told by a density where the same bits are
/// made of it, else by numbers; where no numbers lead to all of its bits, it comes back within a few units in the last
/// place.
///
/// The scene must be one that `compile` takes. Losses are what the format cannot say: groups of contacts that are more
/// than "not each other", tables from no file, limits of some dofs of a joint alone, joints in another order than
/// their bodies.
WrittenScene write_scene(const SceneSpec& spec, const WritePlace& place = {});

}  // namespace pintle
