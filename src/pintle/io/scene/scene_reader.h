// Shared by the readers of the parts of a scene file. Internal to this layer.
#pragma once

#include <compare>
#include <map>
#include <optional>

#include "pintle/geometry/shapes/mesh_source.h"
#include "pintle/geometry/shapes/triangle_mesh.h"
#include "pintle/io/diagnostics/loss_report.h"
#include "pintle/io/scene/read_scene.h"
#include "pintle/io/scene/scene_names.h"
#include "pintle/io/toml/toml_table.h"
#include "pintle/io/urdf/urdf_scene.h"
#include "pintle/simulation/scene/scene_unknowns.h"
#include "pintle/text/csv_table.h"

namespace pintle {

/// A joint that others may refer to; its kind determines the units of its dofs.
struct NamedJoint {
  std::string name;
  JointKind kind;
};

/// The parent of the first body of a chain, whose name has index 0.
struct ChainEnd {
  std::string name;
  Origin origin;
  TomlFile* file;
};

/// The use of a mesh.
enum class MeshUse : unsigned char {
  solid,    ///< its mass is computed, so it must be closed
  seen,     ///< its problems are warnings
  surface,  ///< of a ground; need not be closed
};

/// A mesh as first read, with its unit [m].
struct MeshKey {
  std::string path;
  double unit;
  MeshUse use;

  auto operator<=>(const MeshKey&) const = default;
};
struct ReadMesh {
  Result<TriangleMesh> mesh;
  Origin origin;  ///< of the name of the file
  std::vector<MeshColor> colors{};
};

struct SceneReading;

/// The robot of a scene, as requested by the scene's files; later files override earlier ones.
struct GivenModel {
  std::string path{};        ///< relative to the folder of the first scene file; empty: none
  Origin origin{};           ///< of the name of the file
  Origin asked{};            ///< of the last table `model`
  TomlFile* file = nullptr;  ///< the file that names it, or the last one with settings for it
  UrdfSceneSettings settings{};
  std::vector<PackageFolder> packages{};
};

/// A scene while it is read.
///
/// Invalid parts are left out of the spec, or replaced by a harmless part of the same name, so that everything else can
/// still be checked; `unknowns` and `unclear` list what is then not known.
struct SceneReader {
  TomlFile* file = nullptr;  ///< the file being read
  std::string folder{};      ///< of that file, relative to that of the first file: "" or "parts/"
  std::string root{};        ///< the folder of the first file, as the user named it: the prefix of paths in problems
  SceneFiles* files = nullptr;
  SceneLimits limits{};
  SceneSpec spec{};
  SceneNames names{};
  std::vector<BodyMaterial> materials{};  ///< of the scene itself
  BodyMaterial common{};                  ///< the common material that was requested last
  std::vector<NamedJoint> joints{};       ///< sorted by name, once all bodies are read
  std::vector<ChainEnd> chain_ends{};
  std::map<std::string, std::string> texts{};  ///< of the files read so far, by path
  std::map<std::string, Result<CsvTable>> tables{};
  std::map<MeshKey, ReadMesh> meshes{};
  GivenModel model{};
  std::size_t bytes_read = 0, triangles = 0, rows = 0;
  bool has_contacts = false;          ///< there is a ground, or a table `contact`
  std::vector<std::string> groups{};  ///< of bodies that do not touch each other
  SceneUnknowns unknowns{};
  std::vector<std::string> unclear{};  ///< joints and sensors whose number of values is not known
  bool times_unclear = false;          ///< the start and end time of the run are not known

  /// The kind of a joint; null if there is no joint of that name.
  const JointKind* kind_of(std::string_view joint) const;
};

/// `model = "arm.urdf"` or `[model]`: recorded, and read after all files of the scene. Its `initial` can be read when
/// all joints are known.
void note_model(SceneReader& scene, TomlTable& root);
void read_model(SceneReader& scene, SceneReading& reading);
void read_model_initial(SceneReader& scene, TomlTable& root);

/// `shape = {...}` and `shapes = [...]`, `mass`, `inertia`, `material` and so on, `joint`, `initial`.
void read_body(SceneReader& scene, TomlTable& table);
void read_material(SceneReader& scene, TomlTable& table, const std::string& name);
/// The material of a name, from the scene or the common materials; null, perhaps with a problem, if there is none. It
/// is valid until the next one is read.
const BodyMaterial* find_material(SceneReader& scene, TomlTable& table, const std::string& name,
                                  std::string_view key = "material");

/// The shape (box, sphere, ...) that a shape table gives; a sphere, with a problem, if it gives none. For a mesh,
/// `source` receives the file.
Shape read_solid(SceneReader& scene, TomlTable& table, MeshUse use, MeshSource& source);
/// `subtract` of a shape; not yet checked.
std::vector<Hole> read_holes(SceneReader& scene, TomlTable& shape);
/// The triangles of a table `mesh`; null after a problem.
std::optional<TriangleMesh> read_mesh_table(SceneReader& scene, TomlTable& table, MeshUse use, MeshSource& source);
/// Adds the problems of something made from a table, at the place of the table.
void add_all(TomlFile& file, const Diagnostics& problems, const Origin& origin, const std::string& who);

void read_ground(SceneReader& scene, TomlTable& table);
void read_contact(SceneReader& scene, TomlTable& table);
/// `restitution`, `friction` and `static_friction`.
Surface read_surface(TomlTable& table);
bool gives_surface(const TomlTable& table);
/// `surface_velocity` or `belt` of a shape.
SurfaceVelocity read_surface_velocity(TomlTable& shape);
/// Reports a moving surface that would move nothing: of a shape that does not collide, or without a material.
void check_surface_velocity(TomlTable& shape, const SurfaceVelocity& velocity, bool touches,
                            const std::string& material);
/// Makes a shape of a body collidable: the shape itself, or the convex hull of a mesh.
void add_contact_shape(SceneReader& scene, TomlTable& table, const BodyShape& shape, const std::string& material,
                       const ContactGroups& groups, const SurfaceVelocity& velocity);
/// Adds a surface for each material of a collidable shape that has no surface parameters of its own, so that pairs may
/// name it.
void complete_surfaces(ContactSpec& contact);

/// The joint that carries a body; a body that `floats` has a free joint. If its type is not known, a free joint
/// replaces it, and its parameters are not read.
struct ReadJoint {
  JointSpec spec;
  std::optional<JointLimitSpec> limit{};
  bool is_known = true;
};
ReadJoint read_joint(SceneReader& scene, TomlTable& table, const BodySpec& body, bool floats);
InitialSpec read_initial(TomlTable& table, const JointSpec& joint);
void read_frame(SceneReader& scene, TomlTable& table);
void read_coupling(SceneReader& scene, TomlTable& table);

void read_motor(SceneReader& scene, TomlTable& table);
void read_controller(SceneReader& scene, TomlTable& table);
void read_control(SceneReader& scene, TomlTable& table);
void read_spring(SceneReader& scene, TomlTable& table);
void read_bushing(SceneReader& scene, TomlTable& table);
void read_force(SceneReader& scene, TomlTable& table);
void read_drag(SceneReader& scene, TomlTable& table);

void read_event(SceneReader& scene, TomlTable& table);
void read_sensor(SceneReader& scene, TomlTable& table);
void read_run(SceneReader& scene, TomlTable& table);

/// Adds an element to those of its kind, if its table is valid.
template <class Spec>
void keep(std::vector<Spec>& specs, Spec spec, const TomlTable& table) {
  if (table.is_valid()) specs.push_back(std::move(spec));
}

/// A scene as far as it could be read.
struct SceneReading {
  SceneSpec spec{};  ///< without the invalid parts; complete if there are no errors
  SceneUnknowns unknowns{};
  Diagnostics problems{};
  LossReport losses{};               ///< of the robot
  std::vector<std::string> files{};  ///< the scene files, in the order of their problems
  bool can_be_compiled = false;      ///< false if the file is not TOML, or too large
  bool has_bodies = true;            ///< possibly invalid ones
};
SceneReading read_whole_scene(std::string_view text, const std::string& name, SceneFiles& files,
                              const SceneSettings& settings, const SceneLimits& limits);

/// Removes from a scene what cannot be checked because of names that do not exist and of what is unclear.
void leave_out_unclear(SceneReader& scene);

/// `at` and `rotation` of a table: the pose relative to the parent. With a prefix: `child_at`, `child_rotation`.
Pose<> read_pose(TomlTable& table, const std::string& prefix = {});

/// `color`: "#rrggbb", or the fallback.
std::string read_color(TomlTable& table, const std::string& fallback);

}  // namespace pintle
