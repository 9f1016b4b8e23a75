// What is wrong, or hard to believe, with a robot as a URDF file describes it.
#pragma once

#include <span>

#include "pintle/io/urdf/urdf_mesh_room.h"
#include "pintle/io/urdf/urdf_robot.h"

namespace pintle {

/// All problems of a robot at once, in the order of the lines, each at the number or the name that is wrong. Errors: no
/// simulation can be made of it (names that do not fit, links that are no tree, inertias no body has, limits the wrong
/// way round, mimics in a circle). Warnings: it can, and is probably not what was meant (units, places, limits). What
/// `read_urdf` could not read is not told again, nor is what would only follow from it. docs/lint.md has every code
/// with an example. Meshes that are not given are taken as unknown.
Diagnostics lint_urdf(const UrdfRobot& robot, std::span<const UrdfMeshRoom> meshes = {});

}  // namespace pintle
