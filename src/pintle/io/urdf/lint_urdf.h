// Reports what is invalid or implausible in a robot described by a URDF file.
#pragma once

#include <span>

#include "pintle/io/urdf/urdf_mesh_room.h"
#include "pintle/io/urdf/urdf_robot.h"

namespace pintle {

/// All problems of a robot at once, in line order, each at the wrong value or name. Errors: the robot cannot be
/// simulated (names that do not match, links that do not form a tree, physically impossible inertias, reversed limits,
/// cyclic mimics). Warnings: it can be simulated, but is probably not what was meant (units, places, limits). What
/// `read_urdf` could not read is not reported again, nor are mere consequences of it. docs/lint.md lists every code
/// with an example. Meshes that are not given are treated as unknown.
Diagnostics lint_urdf(const UrdfRobot& robot, std::span<const UrdfMeshRoom> meshes = {});

}  // namespace pintle
