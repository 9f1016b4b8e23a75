// From a robot as its URDF file says it to a SceneSpec, which is compiled as any other. docs/formats/urdf.md tells what
// becomes of each part.
#pragma once

#include <cstddef>
#include <string>

#include "pintle/base/result.h"
#include "pintle/io/diagnostics/loss_report.h"
#include "pintle/io/urdf/urdf_mesh_room.h"
#include "pintle/io/urdf/urdf_robot.h"
#include "pintle/simulation/scene/scene_spec.h"

namespace pintle {

/// What a URDF leaves open.
struct UrdfSceneSettings {
  bool free_base = false;                 ///< the root link floats; else it is fixed to the world
  Pose<> X_WB = identity_pose<double>();  ///< where the root link is in the world; of one that floats, at the start
  bool meshes = true;                     ///< false: they are not looked for
  bool contact = true;                    ///< collision shapes can be touched; false: there is nothing to touch them
  bool self_contact = false;              ///< also by other links of the robot
  std::string material{};                 ///< of all surfaces of the robot; without one nothing rebounds or sticks
  std::size_t mesh_files = 1000;          ///< not more are read
  std::size_t mesh_bytes = 64 << 20;      ///< of any one of them
  std::size_t all_bytes = 256 << 20;      ///< of all of them
  std::size_t triangles = 4000000;        ///< of all of them, with all repetitions
};

/// Where the files are that a robot names.
class MeshFiles {
 public:
  virtual ~MeshFiles() = default;
  /// The bytes of a file, as the robot names it: a path, file:// or package://. A problem when there is none, whose
  /// `why` tells where it was looked for.
  virtual Result<std::string> read_mesh(const std::string& name, std::size_t max_bytes) = 0;
  /// The path of that file, where it can be opened; empty when it is not known.
  virtual std::string place_of(const std::string&) { return {}; }
};

/// A robot as a scene, and what is wrong with it beyond what `compile` tells.
struct UrdfScene {
  SceneSpec spec{};
  std::string root{};   ///< the link that all others hang on; empty when there is none, or several
  std::string joint{};  ///< the one that carries it; empty when the root is the world itself
  Diagnostics problems{};
  std::vector<UrdfMeshRoom> meshes{};  ///< those that were read
};

/// Makes a scene of a robot: bodies and joints depth-first, children in the order of the file; couplings of mimic
/// joints; shapes that are seen and those that touch. A root link called "world" is the world itself. What is not used
/// as it is written is noted in `losses`. A mesh that cannot be had is a loss, never an error. A joint that its limits
/// keep from zero starts at the nearest one.
///
/// Codes: urdf-base; urdf-start (a note); urdf-mesh (a warning: files that were not found, and where they were looked
/// for).
UrdfScene urdf_scene(const UrdfRobot& robot, const UrdfSceneSettings& settings, MeshFiles& files, LossReport& losses);

/// The frame that an `<origin>` places.
Pose<> pose_of(const UrdfPose& pose);

/// The inertia of a link in its own frame, about its origin; zero of a link without one.
SpatialInertia<> inertia_of(const UrdfLink& link);

}  // namespace pintle
