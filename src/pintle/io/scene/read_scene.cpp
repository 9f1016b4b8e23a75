#include "pintle/io/scene/read_scene.h"

#include <algorithm>
#include <deque>
#include <map>

#include "pintle/io/scene/scene_changes.h"
#include "pintle/io/scene/scene_paths.h"
#include "pintle/io/scene/scene_reader.h"
#include "pintle/io/toml/toml_lines.h"

namespace pintle {
namespace {

/// The parts of a scene that are arrays of tables. Bodies come first, because elements that act on joints need their
/// kinds.
struct Part {
  const char* key;
  void (*read)(SceneReader&, TomlTable&);
};
constexpr Part kBodies{"body", read_body};
constexpr Part kGround{"ground", read_ground};
constexpr Part kOthers[] = {{"frame", read_frame},           {"coupling", read_coupling}, {"motor", read_motor},
                            {"controller", read_controller}, {"control", read_control},   {"spring", read_spring},
                            {"bushing", read_bushing},       {"force", read_force},       {"drag", read_drag},
                            {"event", read_event},           {"sensor", read_sensor}};

/// One scene file: the first one, or an included one.
struct Document {
  std::string path;  ///< relative to the folder of the first
  TomlFile file;
  TomlValue root;
};

class ScenesReader {
 public:
  ScenesReader(SceneReader& scene, std::string path) : scene_(scene), first_(std::move(path)) {}

  /// The files; included ones come before those that include them.
  SceneReading read(std::string_view text, const std::string& name, const SceneSettings& settings) {
    SceneReading reading;
    reading.problems = load(text, first_, name, 0);
    if (reading.problems.empty()) reading.problems = load_settings(settings);
    if (!reading.problems.empty()) return reading;
    for (Document& document : documents_) read_common(document);
    for (Document& document : documents_) {
      enter(document);
      TomlTable table = table_of(document);
      note_model(scene_, table);  // which may name materials of any file
    }
    read_model(scene_, reading);
    elements_ = bodies_ = static_cast<int>(scene_.spec.model.bodies.size());
    for (Document& document : documents_) read_part(document, kGround);
    for (Document& document : documents_) read_part(document, kBodies);
    check_chain_ends();
    std::sort(scene_.joints.begin(), scene_.joints.end(),
              [](const NamedJoint& a, const NamedJoint& b) { return a.name < b.name; });
    for (Document& document : documents_) {
      for (const Part& part : kOthers) read_part(document, part);
      read_contact_of(document);
      read_run_of(document);
      read_start_of(document);
    }
    if (scene_.has_contacts || !scene_.spec.contact.shapes.empty()) complete_surfaces(scene_.spec.contact);
    if (!changes_.empty()) changes_.finish(documents_.back().file);
    scene_.names.check();
    for (Document& document : documents_) {
      reading.files.push_back(document.file.name());
      for (Diagnostic& problem : document.file.take_problems()) reading.problems.push_back(std::move(problem));
    }
    const bool has_bodies = !scene_.spec.model.bodies.empty();
    if (has_errors(reading.problems)) leave_out_unclear(scene_);
    reading.spec = std::move(scene_.spec);
    reading.unknowns = std::move(scene_.unknowns);
    reading.can_be_compiled = elements_ <= scene_.limits.elements && bodies_ <= scene_.limits.bodies;
    reading.has_bodies = counts_[kBodies.key] > 0 || has_bodies || scene_.names.lost();
    return reading;
  }

 private:
  // ---- files

  /// Parses a file and those it includes; a problem if one of them is not TOML.
  Diagnostics load(std::string_view text, const std::string& path, const std::string& name, int depth) {
    Result<TomlValue> root = parse_toml(text, name);
    if (!root) return root.diagnostics();
    Document document{path, TomlFile(name), *std::move(root)};
    open_.push_back(path);
    TomlTable table(document.file, document.root, scene_root(), "the scene");
    const std::vector<std::string> names = table.texts("include");
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i].empty()) continue;
      const Origin origin = table.text_origin_of(table.value("include")->items[i]);
      Diagnostics syntax = include(document, names[i], origin, depth);
      if (!syntax.empty()) return syntax;
    }
    open_.pop_back();
    documents_.push_back(std::move(document));
    return {};
  }

  Diagnostics include(Document& document, const std::string& name, const Origin& origin, int depth) {
    scene_.folder = folder_of(document.path);
    const Result<std::string> path = scene_path(scene_, name, origin);
    document.file.add(path.diagnostics());
    if (!path) scene_.names.lose();
    if (!path) return {};
    const auto is_it = [&](const Document& other) { return other.path == *path; };
    if (std::find(open_.begin(), open_.end(), *path) != open_.end()) {
      document.file.add(origin, "scene-include", "'" + name + "' includes itself",
                        "a file cannot be part of itself: " + circle(*path), "leave out one of these lines");
    } else if (depth + 1 >= scene_.limits.include_depth) {
      document.file.add(origin, "scene-include",
                        "files include each other more than " + std::to_string(scene_.limits.include_depth) + " deep",
                        "", "merge some of them");
      scene_.names.lose();
    } else if (std::none_of(documents_.begin(), documents_.end(), is_it)) {
      const Result<std::string> text = read_scene_file(scene_, *path, origin, scene_.limits.scene_bytes);
      document.file.add(text.diagnostics());
      if (!text) scene_.names.lose();
      if (text) return load(*text, *path, below(scene_.root, *path), depth + 1);
    }
    return {};
  }

  /// The settings of the whole scene as one more file that includes the others, so that they take precedence.
  Diagnostics load_settings(const SceneSettings& settings) {
    if (settings.empty()) return {};
    Diagnostics problems = changes_.read(settings);
    if (!problems.empty()) return problems;
    std::vector<const TomlValue*> roots;
    for (const Document& document : documents_) roots.push_back(&document.root);
    Document& document = documents_.emplace_back(Document{"", TomlFile(kSettingsFile), {}});
    document.root = changes_.own_file(roots, document.file);
    return {};
  }

  std::string circle(const std::string& path) const {
    std::string text;
    for (auto at = std::find(open_.begin(), open_.end(), path); at != open_.end(); ++at) text += *at + " -> ";
    return text + path;
  }

  // ---- tables

  void enter(Document& document) {
    scene_.file = &document.file;
    scene_.folder = folder_of(document.path);
  }

  static TomlTable table_of(Document& document) {
    return TomlTable(document.file, document.root, scene_root(), "the scene");
  }

  /// What others may refer to: the world and materials; also finds keys that do not exist.
  void read_common(Document& document) {
    enter(document);
    TomlTable table = table_of(document);
    scene_.spec.model.name = table.text("name", scene_.spec.model.name);
    if (table.has("world")) {
      TomlTable world = table.table("world", "world");
      scene_.spec.model.gravity = world.vector("gravity", scene_.spec.model.gravity);
      world.finish();
    }
    for (const SceneKey& key : scene_root().keys) table.ignore(key.name);
    table.finish();
    if (table.leaves_out_tables()) scene_.names.lose();
    scene_.has_contacts = scene_.has_contacts || table.has("contact") || table.has("ground");
    const TomlValue* const materials = table.value("material");
    if (materials == nullptr) return;
    const SceneTable& keys = *scene_root().find("material")->table;
    if (!materials->is_table()) {
      table.problem("material", "scene-type", std::string("'material' is ") + type_name(materials->kind),
                    "each material is a table with its name", "write [material.brass]");
      scene_.names.lose();
      return;
    }
    for (const TomlMember& member : materials->members) {
      const std::string who = "material '" + member.key + "'";
      if (member.value.is_table()) {
        const TomlValue* const changed = changes_.changed_material(member.key, member.value, document.file);
        TomlTable one(document.file, changed == nullptr ? member.value : *changed, keys, who);
        read_material(scene_, one, member.key);
      } else {
        document.file.add(Origin(document.file.name(), member.line, member.column), "scene-type",
                          who + " is " + type_name(member.value.kind), "each material is a table with its name",
                          "write [material." + member.key + "]");
        scene_.materials.push_back({.name = member.key, .density = 1000.0, .color = {}, .origin = {}});
      }
    }
  }

  void read_part(Document& document, const Part& part) {
    enter(document);
    TomlTable table = table_of(document);
    const std::vector<TomlTable> elements = table.tables(part.key, part.key);
    if (!table.is_valid()) scene_.names.lose();
    for (const TomlTable& element : elements) {
      const int number = counts_[part.key]++;
      read_repeated(part, with_changes(part, number, element, 0), number);
    }
  }

  /// The table with its settings applied.
  TomlTable with_changes(const Part& part, int number, const TomlTable& element, int repetition) {
    const TomlValue* const changed = changes_.changed(part.key, number, element.raw(), repetition, *scene_.file);
    if (changed == nullptr) return element;
    return TomlTable(*scene_.file, *changed, element.keys(), element.who(), element.repetition());
  }

  void read_contact_of(Document& document) {
    enter(document);
    TomlTable table = table_of(document);
    if (!table.has("contact")) return;
    TomlTable contact = table.table("contact", "contact");
    read_contact(scene_, contact);
  }

  void read_run_of(Document& document) {
    enter(document);
    TomlTable table = table_of(document);
    if (!table.has("run")) {
      if (scene_.spec.run.origin.line == 0) scene_.spec.run.any_method = true;
      return;
    }
    TomlTable run = table.table("run", "run");
    read_run(scene_, run);
  }

  void read_start_of(Document& document) {
    enter(document);
    TomlTable table = table_of(document);
    read_model_initial(scene_, table);
  }

  /// The parent of the first body of a chain is `first_parent`; a body with index 0 would never be a parent.
  void check_chain_ends() {
    for (const ChainEnd& end : scene_.chain_ends) {
      if (!scene_.names.knows(NameKind::body, end.name)) continue;
      scene_.unknowns.tree = scene_.unknowns.inertia = true;
      end.file->add(end.origin, "scene-repeat", "the first body of the chain is not connected to '" + end.name + "'",
                    "its parent is 'first_parent', by default the world",
                    "add first_parent = \"" + end.name + "\", or rename that body");
    }
  }

  /// False, with a problem for the first one, if there are too many elements.
  bool count_element(const Part& part, TomlTable& element) {
    const SceneLimits& limits = scene_.limits;
    const bool is_body = part.read == read_body;
    ++elements_;
    bodies_ += is_body ? 1 : 0;
    if (elements_ == limits.elements + 1) {
      element.problem(
          "repeat", "scene-limit", "the scene has more than " + std::to_string(limits.elements) + " elements",
          "bodies, motors and all other elements count, with all copies", "use fewer copies, or split the scene");
    } else if (is_body && bodies_ == limits.bodies + 1) {
      element.problem("repeat", "scene-limit", "the scene has more than " + std::to_string(limits.bodies) + " bodies",
                      "the memory of a run grows with the square of their number; all copies count",
                      "use fewer copies, or split the scene");
    }
    return elements_ <= limits.elements && bodies_ <= limits.bodies;
  }

  /// Reads one element, or as many as `repeat` says.
  void read_repeated(const Part& part, TomlTable element, int number) {
    const bool repeats = element.has("repeat");
    TomlFile& file = *scene_.file;
    const int errors = file.errors();
    const int count = element.count("repeat", 1);
    if (file.errors() > errors) scene_.names.lose();
    const TomlFile::Mark clean = file.mark();
    TomlFile::Mark first = clean;
    for (int i = 1; i <= count; ++i) {
      if (!count_element(part, element)) {
        scene_.names.lose();
        return;
      }
      TomlTable one = with_changes(part, number, element.repeated(repeats ? i : 0), i);
      one.ignore("repeat");
      part.read(scene_, one);
      if (first == clean) {
        first = file.mark();
      } else {
        file.drop_after(first);  // the others would repeat the same problems; their names are known all the same
      }
    }
  }

  SceneReader& scene_;
  std::string first_;
  std::deque<Document> documents_;  // a deque, so that the files keep their addresses: uses of names point to them
  std::vector<std::string> open_;   // the paths of the files being loaded
  SceneChanges changes_;
  std::map<std::string, int> counts_;  // number of tables of each part
  int elements_ = 0, bodies_ = 0;
};

}  // namespace

const JointKind* SceneReader::kind_of(std::string_view joint) const {
  const auto at = std::lower_bound(joints.begin(), joints.end(), joint,
                                   [](const NamedJoint& a, std::string_view name) { return a.name < name; });
  return at != joints.end() && at->name == joint ? &at->kind : nullptr;
}

bool is_robot_text(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '<';
}

SceneReading read_whole_scene(std::string_view text, const std::string& name, SceneFiles& files,
                              const SceneSettings& settings, const SceneLimits& limits) {
  if (text.size() > limits.scene_bytes) {
    SceneReading reading;
    reading.problems.push_back(make_error("file-size", Origin(name),
                                          "the scene has more than " + std::to_string(limits.scene_bytes) + " bytes",
                                          "", "check that this file is a scene"));
    return reading;
  }
  SceneReader scene;
  scene.files = &files;
  scene.limits = limits;
  scene.root = folder_of(name);
  const std::string path = name.substr(scene.root.size());
  if (!is_robot_text(text) && !name.ends_with(".urdf")) return ScenesReader(scene, path).read(text, name, settings);
  scene.texts[path] = text;
  return ScenesReader(scene, path).read("model = " + toml_text(path) + "\n", name, settings);
}

Result<SceneSpec> read_scene(const std::string& path, const SceneSettings& settings, const SceneLimits& limits,
                             const FileAccess& access) {
  const Result<std::string> text = read_whole_file(path, limits.scene_bytes);
  if (!text) return text.diagnostics();
  DiskFiles files(folder_of(path), access);
  return read_scene_text(*text, path, files, settings, limits);
}

Result<SceneSpec> read_scene_text(std::string_view text, const std::string& name, SceneFiles& files,
                                  const SceneSettings& settings, const SceneLimits& limits) {
  SceneReading reading = read_whole_scene(text, name, files, settings, limits);
  if (has_errors(reading.problems)) return std::move(reading.problems);
  return {std::move(reading.spec), std::move(reading.problems)};
}

Result<SceneSpec> read_scene_text(std::string_view text, const std::string& name, const SceneSettings& settings) {
  NoFiles none;
  return read_scene_text(text, name, none, settings);
}

}  // namespace pintle
