// Writes URDF files: SceneSpec to XML, with a list of what URDF cannot express. docs/formats/urdf.md describes the
// format.
#pragma once

#include <string>
#include <vector>

#include "pintle/io/diagnostics/write_loss.h"
#include "pintle/io/mesh/written_files.h"
#include "pintle/simulation/scene/scene_spec.h"

namespace pintle {

struct WrittenUrdf {
  std::string text{};
  std::vector<CompanionFile> files{};  ///< meshes that the text names and that do not exist yet
  WriteLosses losses{};
};

/// Writes the mechanism of a scene as URDF: links with inertias, visual and collision shapes, joints with limits,
/// damping and friction, couplings as mimic joints, screws by `pintle:screw`. The root of the robot is a link called
/// "world", unless all bodies descend from one fixed joint called "root_joint".
///
/// What URDF cannot express is a loss: force elements, contacts beyond their shapes, the initial state and the run
/// settings. Joints of several dofs become several joints with massless links between them; a body whose joint is not
/// at its origin gets another origin.
///
/// Numbers are the shortest decimals of the same bits, except for the angles of rotated frames, whose matrices read
/// back within 2^-50, and inertias of bodies whose mass comes from their shapes, within a few units in the last place.
WrittenUrdf write_urdf(const SceneSpec& spec, const WritePlace& place = {});

}  // namespace pintle
