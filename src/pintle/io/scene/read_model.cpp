#include <algorithm>

#include "pintle/io/scene/scene_changes.h"
#include "pintle/io/scene/scene_paths.h"
#include "pintle/io/scene/scene_reader.h"
#include "pintle/io/urdf/lint_urdf.h"
#include "pintle/io/urdf/read_urdf.h"

namespace pintle {
namespace {

/// The files of a robot by the names it gives them.
class RobotFiles : public MeshFiles {
 public:
  RobotFiles(SceneReader& scene) : scene_(scene), folder_(folder_of(scene.model.path)) {}

  Result<std::string> read_mesh(const std::string& name, std::size_t max_bytes) override {
    return scene_.files->find(name, folder_, scene_.model.packages, max_bytes);
  }
  std::string place_of(const std::string& name) override {
    return scene_.files->place_of(name, folder_, scene_.model.packages);
  }

 private:
  SceneReader& scene_;
  std::string folder_;
};

/// "NAME=FOLDER"; folders on the command line are relative to the working directory, others to the file that names
/// them.
void note_packages(SceneReader& scene, TomlTable& table) {
  const bool typed = table.origin_of("packages").file == kSettingsFile;
  for (const std::string& text : table.texts("packages")) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      table.problem("packages", "scene-range", "'" + text + "' does not name a package and its folder", "",
                    "write NAME=FOLDER");
      continue;
    }
    std::string folder = text.substr(equals + 1);
    if (!typed && !folder.starts_with('/')) folder = below(scene.root, scene.folder) + folder;
    scene.model.packages.push_back({text.substr(0, equals), std::move(folder)});
  }
}

void note_file(SceneReader& scene, TomlTable& table, std::string_view key) {
  const std::string name = table.text(key);
  if (name.empty()) return;
  const Origin origin = table.text_origin_of(key);
  const Result<std::string> path = scene_path(scene, name, origin);
  table.file().add(path.diagnostics());
  if (!path) scene.names.lose();
  if (!path) return;
  scene.model.path = *path;
  scene.model.origin = origin;
  scene.model.file = &table.file();
}

/// Adds the content of the scene's robot.
void add_robot(SceneReader& scene, const UrdfScene& robot) {
  const ModelSpec& model = robot.spec.model;
  SceneSpec& spec = scene.spec;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  if (spec.model.name.empty()) spec.model.name = model.name;
  append(spec.model.bodies, model.bodies);
  append(spec.model.joints, model.joints);
  append(spec.model.couplings, model.couplings);
  append(spec.shapes, robot.spec.shapes);
  append(spec.contact.shapes, robot.spec.contact.shapes);
  append(spec.initial, robot.spec.initial);
  for (const BodySpec& body : model.bodies) scene.names.give_foreign(NameKind::body, body.name, body.origin);
  for (const JointSpec& joint : model.joints) {
    scene.names.give_foreign(NameKind::joint, joint.name, joint.origin);
    scene.joints.push_back({joint.name, joint.kind});
  }
}

/// Errors first, because only a limited number of problems is kept.
void add_errors_first(TomlFile& file, const Diagnostics& problems) {
  for (const bool errors : {true, false})
    for (const Diagnostic& problem : problems)
      if ((problem.severity == Severity::error) == errors) file.add(problem);
}

bool fits_limits(SceneReader& scene, const UrdfRobot& robot) {
  const std::size_t max_links = static_cast<std::size_t>(std::min(scene.limits.bodies, scene.limits.elements));
  if (robot.links.size() <= max_links && robot.joints.size() <= max_links) return true;
  scene.model.file->add(robot.origin, "scene-limit", "the robot has more than " + std::to_string(max_links) + " links",
                        "", "check that it is the right file");
  scene.names.lose();
  return false;
}

}  // namespace

void note_model(SceneReader& scene, TomlTable& root) {
  const TomlValue* const value = root.value("model");
  if (value == nullptr) return;
  if (!value->is_table()) {
    note_file(scene, root, "model");
    if (!value->is_text()) scene.names.lose();
    return;
  }
  TomlTable table = root.table("model", "model");
  scene.model.asked = table.origin();
  scene.model.file = &table.file();
  UrdfSceneSettings& settings = scene.model.settings;
  note_file(scene, table, "file");
  settings.free_base = table.word("base", settings.free_base ? 1 : 0) == 1;
  const bool placed = table.has("at") || table.has("rotation");
  const Pose<> X_WB = read_pose(table);
  if (placed) settings.X_WB = X_WB;
  settings.material = table.text("material", settings.material);
  if (table.has("material")) find_material(scene, table, settings.material);
  settings.contact = table.flag("contact", settings.contact);
  settings.self_contact = table.flag("self_contact", settings.self_contact);
  settings.meshes = table.flag("meshes", settings.meshes);
  note_packages(scene, table);
  table.ignore("initial");
  table.finish();
}

void read_model(SceneReader& scene, SceneReading& reading) {
  GivenModel& model = scene.model;
  if (model.path.empty()) {
    if (model.file != nullptr && model.file->errors() == 0)
      model.file->add(model.asked, "scene-missing", "no robot file is given",
                      "the keys of 'model' describe a robot file",
                      "add file = \"robot.urdf\" to [model], or leave it out");
    return;
  }
  const Result<std::string> text = read_scene_file(scene, model.path, model.origin, scene.limits.scene_bytes);
  model.file->add(text.diagnostics());
  if (!text) scene.names.lose();
  if (!text) return;
  XmlLimits limits;
  limits.bytes = scene.limits.scene_bytes;
  UrdfReading urdf = read_urdf_text(*text, below(scene.root, model.path), limits);
  reading.files.push_back(urdf.robot.file);
  if (!urdf.ok()) scene.names.lose();
  if (!urdf.is_xml || !fits_limits(scene, urdf.robot)) {
    model.file->add(urdf.problems);
    return;
  }
  UrdfSceneSettings settings = model.settings;
  settings.contact = settings.contact && (scene.has_contacts || settings.self_contact);
  settings.mesh_bytes = scene.limits.bytes;
  settings.all_bytes = scene.limits.all_bytes;
  settings.triangles = scene.limits.triangles;
  RobotFiles files(scene);
  const UrdfScene robot = urdf_scene(urdf.robot, settings, files, urdf.losses);
  const Diagnostics lint = lint_urdf(urdf.robot, robot.meshes);
  Diagnostics problems = std::move(urdf.problems);
  for (const Diagnostics* const more : {&robot.problems, &lint})
    problems.insert(problems.end(), more->begin(), more->end());
  add_errors_first(*model.file, problems);
  // `compile` would only repeat the problems of such a robot, at less precise places.
  if (has_errors(robot.problems) || has_errors(lint)) scene.names.lose();
  if (!has_errors(lint)) add_robot(scene, robot);
  reading.losses = std::move(urdf.losses);
}

void read_model_initial(SceneReader& scene, TomlTable& root) {
  const TomlValue* const value = root.value("model");
  if (value == nullptr || !value->is_table()) return;
  TomlTable model = root.table("model", "model");
  for (TomlTable& table : model.tables("initial", "model.initial")) {
    const std::string name = scene.names.use(table, NameKind::joint, "joint");
    const std::vector<JointSpec>& joints = scene.spec.model.joints;
    const auto is_it = [&](const JointSpec& joint) { return joint.name == name; };
    const auto joint = std::find_if(joints.begin(), joints.end(), is_it);
    if (joint == joints.end()) {
      table.ignore_all();
      table.finish();
      continue;
    }
    InitialSpec initial = read_initial(table, *joint);
    if (!table.is_valid()) scene.unknowns.unplaced.push_back(name);
    std::erase_if(scene.spec.initial,
                  [&](const InitialSpec& other) {  // the initial state that follows from the robot's file
                    return other.joint == name && other.origin.file == joint->origin.file;
                  });
    keep(scene.spec.initial, std::move(initial), table);
  }
}

}  // namespace pintle
