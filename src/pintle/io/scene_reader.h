// What the readers of the parts of a scene file share. For the files of this layer.
#pragma once

#include "pintle/io/read_scene.h"
#include "pintle/io/toml_table.h"

namespace pintle {

/// A scene while it is read.
struct SceneReader {
  TomlFile* file;      ///< the one that is being read
  std::string folder;  ///< of that file, relative to the first one's: "" or "parts/"
  SceneFiles* files;
  SceneLimits limits;
  SceneSpec spec{};
  std::vector<BodyMaterial> materials{};  ///< of the scene itself
  int files_read = 0;
};

/// `shape = {...}` and `shapes = [...]`, `mass`, `inertia`, `material` and so on, `joint`, `initial`.
void read_body(SceneReader& scene, TomlTable& table);
void read_material(SceneReader& scene, TomlTable& table, const std::string& name);

/// The joint that carries a body; one that `floats` has a free joint unless it says otherwise.
JointKind read_joint(SceneReader& scene, TomlTable& table, const std::string& body, bool floats);
void read_initial(SceneReader& scene, TomlTable& table, const std::string& joint, JointKind kind);
void read_frame(SceneReader& scene, TomlTable& table);
void read_coupling(SceneReader& scene, TomlTable& table);

void read_motor(SceneReader& scene, TomlTable& table);
void read_controller(SceneReader& scene, TomlTable& table);
void read_spring(SceneReader& scene, TomlTable& table);
void read_bushing(SceneReader& scene, TomlTable& table);
void read_force(SceneReader& scene, TomlTable& table);
void read_drag(SceneReader& scene, TomlTable& table);

void read_event(SceneReader& scene, TomlTable& table);
void read_sensor(SceneReader& scene, TomlTable& table);
void read_run(SceneReader& scene, TomlTable& table);

/// `at` and `rotation` of a table: the pose of something in what it is on. With a prefix: `child_at`, `child_rotation`.
Pose<> read_pose(TomlTable& table, const std::string& prefix = {});

}  // namespace pintle
