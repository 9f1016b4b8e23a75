// Converts a robot read from a URDF file to a SceneSpec, which compiles like any other. docs/formats/urdf.md describes
// how each part is converted.
#pragma once

#include <cstddef>
#include <string>

#include "pintle/base/result.h"
#include "pintle/io/diagnostics/loss_report.h"
#include "pintle/io/urdf/urdf_mesh_room.h"
#include "pintle/io/urdf/urdf_robot.h"
#include "pintle/simulation/scene/scene_spec.h"

namespace pintle {

/// Settings that a URDF file does not determine.
struct UrdfSceneSettings {
  bool free_base = false;                 ///< the root link floats; otherwise it is fixed to the world
  Pose<> X_WB = identity_pose<double>();  ///< pose of the root link in the world; of a floating one, its initial pose
  bool meshes = true;                     ///< false: mesh files are not searched
  bool contact = true;                    ///< collision shapes are collidable; false: there is nothing to collide with
  bool self_contact = false;              ///< also with other links of the robot
  std::string material{};         ///< of all surfaces of the robot; without one there is no restitution and no friction
  std::size_t mesh_files = 1000;  ///< maximum number of files
  std::size_t mesh_bytes = 64 << 20;  ///< maximum per file
  std::size_t all_bytes = 256 << 20;  ///< maximum total
  std::size_t triangles = 4000000;    ///< maximum total, with all repetitions
};

/// Finds the files that a robot names.
class MeshFiles {
 public:
  virtual ~MeshFiles() = default;
  /// The bytes of a file, as the robot names it: a path, file:// or package://. A problem if it does not exist; its
  /// `why` lists where it was searched.
  virtual Result<std::string> read_mesh(const std::string& name, std::size_t max_bytes) = 0;
  /// The path of that file, for opening it; empty if it is not known.
  virtual std::string place_of(const std::string&) { return {}; }
};

/// A robot as a scene, and its problems beyond those of `compile`.
struct UrdfScene {
  SceneSpec spec{};
  std::string root{};   ///< the link from which all others descend; empty if there is none, or several
  std::string joint{};  ///< the joint that carries it; empty if the root is the world itself
  Diagnostics problems{};
  std::vector<UrdfMeshRoom> meshes{};  ///< the meshes that were read
};

/// Makes a scene of a robot: bodies and joints depth-first, children in file order; couplings of mimic joints; visual
/// and collision shapes. A root link called "world" is the world itself. `losses` records what is not used as written.
/// A mesh that cannot be loaded is a loss, never an error. A joint whose limits exclude zero starts at the limit
/// nearest to zero.
///
/// Codes: urdf-base; urdf-start (a note); urdf-mesh (a warning: files that were not found, and where they were
/// searched).
UrdfScene urdf_scene(const UrdfRobot& robot, const UrdfSceneSettings& settings, MeshFiles& files, LossReport& losses);

/// The frame that an `<origin>` places.
Pose<> pose_of(const UrdfPose& pose);

/// The inertia of a link in its own frame, about its origin; zero for a link without one.
SpatialInertia<> inertia_of(const UrdfLink& link);

}  // namespace pintle
