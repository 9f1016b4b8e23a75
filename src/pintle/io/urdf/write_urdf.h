// URDF files: SceneSpec to XML, with a list of what URDF cannot say. docs/formats/urdf.md describes the format.
#pragma once

#include <string>
#include <vector>

#include "pintle/io/diagnostics/write_loss.h"
#include "pintle/io/mesh/written_files.h"
#include "pintle/simulation/scene/scene_spec.h"

namespace pintle {

struct WrittenUrdf {
  std::string text{};
  std::vector<CompanionFile> files{};  ///< meshes that the text names, and that are not there yet
  WriteLosses losses{};
};

/// Writes the mechanism of a scene as URDF: links with inertias, what is seen and what is touched, joints with limits,
/// damping and friction, couplings as mimic joints, screws by `pintle:screw`. The robot's root is a link called "world"
/// where the scene has more than one body on a fixed joint called "root_joint".
///
/// What URDF has no words for is a loss: all that acts, contacts beyond their shapes, how the scene starts and is run.
/// Joints of several dofs become several joints with massless links between them; bodies whose joint is elsewhere
/// than at their origin get another origin.
///
/// Numbers are the shortest decimals of the same bits, but for the angles of turned frames, whose matrices come back
/// within 2^-50, and inertias of bodies that are weighed by their shapes, within a few units in the last place.
WrittenUrdf write_urdf(const SceneSpec& spec, const WritePlace& place = {});

}  // namespace pintle
