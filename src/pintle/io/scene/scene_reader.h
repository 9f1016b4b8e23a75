// What the readers of the parts of a scene file share. For the files of this layer.
#pragma once

#include <compare>
#include <map>
#include <optional>

#include "pintle/geometry/shapes/triangle_mesh.h"
#include "pintle/io/diagnostics/loss_report.h"
#include "pintle/io/scene/read_scene.h"
#include "pintle/io/scene/scene_names.h"
#include "pintle/io/toml/toml_table.h"
#include "pintle/io/urdf/urdf_scene.h"
#include "pintle/simulation/scene/scene_unknowns.h"
#include "pintle/text/csv_table.h"

namespace pintle {

/// A joint that others may refer to: what the numbers of its dofs are measured in depends on its kind.
struct NamedJoint {
  std::string name;
  JointKind kind;
};

/// The parent of the first body of a chain, where its name has the number 0.
struct ChainEnd {
  std::string name;
  Origin origin;
  TomlFile* file;
};

/// What a mesh is for.
enum class MeshUse : unsigned char {
  solid,    ///< it is weighed, and must be closed
  seen,     ///< what is wrong with it is a warning
  surface,  ///< of a ground, which need not be closed
};

/// A mesh as it was read for the first time; its unit [m].
struct MeshKey {
  std::string path;
  double unit;
  MeshUse use;

  auto operator<=>(const MeshKey&) const = default;
};
struct ReadMesh {
  Result<TriangleMesh> mesh;
  Origin origin;  ///< of the name of the file
};

struct SceneReading;

/// The robot of a scene, as the scene's files ask for it; later ones win.
struct GivenModel {
  std::string path{};        ///< relative to the folder of the first scene file; empty: none
  Origin origin{};           ///< of the name of the file
  Origin asked{};            ///< of the last table `model`
  TomlFile* file = nullptr;  ///< that names it, or the last one that says something of it
  UrdfSceneSettings settings{};
  std::vector<PackageFolder> packages{};
};

/// A scene while it is read.
///
/// What is wrong is left out of the spec, or something harmless of the same name stands in for it, so that all else can
/// still be checked; what is not known then is in `unknowns` and `unclear`.
struct SceneReader {
  TomlFile* file = nullptr;  ///< the one that is being read
  std::string folder{};      ///< of that file, relative to the first one's: "" or "parts/"
  std::string root{};        ///< the folder of the first file, as its user named it: to be put before paths in problems
  SceneFiles* files = nullptr;
  SceneLimits limits{};
  SceneSpec spec{};
  SceneNames names{};
  std::vector<BodyMaterial> materials{};  ///< of the scene itself
  BodyMaterial common{};                  ///< the one of the common materials that was asked for last
  std::vector<NamedJoint> joints{};       ///< sorted by name, once all bodies are read
  std::vector<ChainEnd> chain_ends{};
  std::map<std::string, std::string> texts{};  ///< of the files that were read, by their paths
  std::map<std::string, Result<CsvTable>> tables{};
  std::map<MeshKey, ReadMesh> meshes{};
  GivenModel model{};
  std::size_t bytes_read = 0, triangles = 0, rows = 0;
  bool has_contacts = false;          ///< there is a ground, or a table `contact`
  std::vector<std::string> groups{};  ///< of bodies that do not touch each other
  SceneUnknowns unknowns{};
  std::vector<std::string> unclear{};  ///< joints and sensors of which it is not known what numbers they have
  bool times_unclear = false;          ///< when the run begins and ends

  /// The kind of a joint; null when there is none of that name.
  const JointKind* kind_of(std::string_view joint) const;
};

/// `model = "arm.urdf"` or `[model]`: noted, and read once all files of the scene have been asked. `initial` of it can
/// be read when all joints are known.
void note_model(SceneReader& scene, TomlTable& root);
void read_model(SceneReader& scene, SceneReading& reading);
void read_model_initial(SceneReader& scene, TomlTable& root);

/// `shape = {...}` and `shapes = [...]`, `mass`, `inertia`, `material` and so on, `joint`, `initial`.
void read_body(SceneReader& scene, TomlTable& table);
void read_material(SceneReader& scene, TomlTable& table, const std::string& name);
/// The material of a name, of the scene's own or a common one; null, perhaps with a problem, when there is none. It is
/// valid until the next one is read.
const BodyMaterial* find_material(SceneReader& scene, TomlTable& table, const std::string& name,
                                  std::string_view key = "material");

/// The one of box, sphere, ... that the table of a shape gives; a sphere when it gives none, which is a problem. Of a
/// mesh `source` becomes the file.
Shape read_solid(SceneReader& scene, TomlTable& table, MeshUse use, MeshSource& source);
/// The triangles of a table `mesh`; null after a problem.
std::optional<TriangleMesh> read_mesh_table(SceneReader& scene, TomlTable& table, MeshUse use, MeshSource& source);
/// Problems of something that was made of a table: they stand where it does.
void add_all(TomlFile& file, const Diagnostics& problems, const Origin& origin, const std::string& who);

void read_ground(SceneReader& scene, TomlTable& table);
void read_contact(SceneReader& scene, TomlTable& table);
/// `restitution`, `friction` and `static_friction`.
Surface read_surface(TomlTable& table);
bool gives_surface(const TomlTable& table);
/// Lets a shape of a body be touched: itself, or the hull of a mesh.
void add_contact_shape(SceneReader& scene, TomlTable& table, const BodyShape& shape, const std::string& material,
                       const ContactGroups& groups);
/// Materials of things that touch, without numbers of their own, are surfaces too: pairs may name them.
void complete_surfaces(ContactSpec& contact);

/// The joint that carries a body; one that `floats` has a free joint. Where its type is not known a free joint stands
/// in for it, and there are no numbers to be read.
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
void read_spring(SceneReader& scene, TomlTable& table);
void read_bushing(SceneReader& scene, TomlTable& table);
void read_force(SceneReader& scene, TomlTable& table);
void read_drag(SceneReader& scene, TomlTable& table);

void read_event(SceneReader& scene, TomlTable& table);
void read_sensor(SceneReader& scene, TomlTable& table);
void read_run(SceneReader& scene, TomlTable& table);

/// Adds an element to those of its kind, if nothing is wrong with its table.
template <class Spec>
void keep(std::vector<Spec>& specs, Spec spec, const TomlTable& table) {
  if (table.is_valid()) specs.push_back(std::move(spec));
}

/// A scene as far as it could be read.
struct SceneReading {
  SceneSpec spec{};  ///< without what is wrong; whole when there are no errors
  SceneUnknowns unknowns{};
  Diagnostics problems{};
  LossReport losses{};               ///< of the robot
  std::vector<std::string> files{};  ///< the scene files, in the order of their problems
  bool can_be_compiled = false;      ///< not what is no TOML, or too large
  bool has_bodies = true;            ///< perhaps wrong ones
};
SceneReading read_whole_scene(std::string_view text, const std::string& name, SceneFiles& files,
                              const SceneSettings& settings, const SceneLimits& limits);

/// Takes out of a scene what cannot be checked because of names that do not exist and of what is unclear.
void leave_out_unclear(SceneReader& scene);

/// `at` and `rotation` of a table: the pose of something in what it is on. With a prefix: `child_at`, `child_rotation`.
Pose<> read_pose(TomlTable& table, const std::string& prefix = {});

/// `color`: "#rrggbb", or the fallback.
std::string read_color(TomlTable& table, const std::string& fallback);

}  // namespace pintle
