#include "pintle/io/read_scene.h"

#include "pintle/io/scene_files.h"
#include "pintle/io/scene_reader.h"

namespace pintle {
namespace {

constexpr Dimension kAcceleration = kLength / power(kTime, 2);
constexpr int kMostRepetitions = 100000;

/// The parts of a scene that are arrays of tables, in the order in which they are read: joints before what acts on them.
struct Part {
  const char* key;
  void (*read)(SceneReader&, TomlTable&);
};
constexpr Part kParts[] = {{"body", read_body},       {"frame", read_frame},   {"coupling", read_coupling},
                           {"motor", read_motor},     {"controller", read_controller},
                           {"spring", read_spring},   {"bushing", read_bushing}, {"force", read_force},
                           {"drag", read_drag},       {"event", read_event},   {"sensor", read_sensor}};

class SceneFileReader {
 public:
  explicit SceneFileReader(SceneReader& scene) : scene_(scene) {}

  /// Reads one file and those it includes; false after a syntax error.
  bool read(std::string_view text, TomlFile& file, int depth) {
    toml::table root;
    try {
      root = toml::parse(text, file.name);
    } catch (const toml::parse_error& error) {
      file.add(file.origin(error.source()), "scene-syntax", std::string(error.description()),
               "the file is not TOML, so nothing else in it can be read", "");
      return false;
    }
    TomlFile* const outer = scene_.file;
    scene_.file = &file;
    TomlTable table(file, root, "the scene");
    bool ok = read_includes(table, depth);
    if (ok) read_tables(table);
    scene_.file = outer;
    return ok;
  }

 private:
  void read_tables(TomlTable& table) {
    const std::string name = table.text("name");
    if (!name.empty()) scene_.spec.model.name = name;
    if (table.has("world")) {
      TomlTable world = table.table("world", "world");
      scene_.spec.model.gravity = world.vector("gravity", kAcceleration, scene_.spec.model.gravity);
      world.finish();
    }
    if (const toml::node* const materials = table.node("material"); materials != nullptr && materials->is_table()) {
      for (const auto& [key, value] : *materials->as_table()) {
        TomlTable all = table.table("material", "material");
        TomlTable one = all.table(key.str(), "material '" + std::string(key.str()) + "'");
        read_material(scene_, one, std::string(key.str()));
      }
    } else if (materials != nullptr) {
      table.table("material", "material");
    }
    for (const Part& part : kParts)
      for (const toml::table* const element : table.tables(part.key)) read_repeated(part, *element);
    if (table.has("run")) {
      TomlTable run = table.table("run", "run");
      read_run(scene_, run);
    }
    table.finish();
  }

  /// One element, or as many as `repeat` says.
  void read_repeated(const Part& part, const toml::table& element) {
    TomlTable first(*scene_.file, element, part.key);
    if (!first.has("repeat")) {
      part.read(scene_, first);
      return;
    }
    const int count = first.count("repeat", 1);
    if (count < 1 || count > kMostRepetitions) {
      first.problem("repeat", "scene-repeat", "it is repeated " + std::to_string(count) + " times", "",
                    "choose a number from 1 to " + std::to_string(kMostRepetitions));
      return;
    }
    const std::size_t problems = scene_.file->problems.size();
    for (int i = 1; i <= count; ++i) {
      if (static_cast<int>(scene_.spec.model.bodies.size()) > scene_.limits.bodies) {
        first.problem("repeat", "scene-limit", "the scene has more than " + std::to_string(scene_.limits.bodies) +
                                                   " bodies", "", "repeat less");
        return;
      }
      TomlTable one(*scene_.file, element, part.key);
      one.has("repeat");
      one.set_repetition(i);
      part.read(scene_, one);
      if (scene_.file->problems.size() > problems) return;  // the others would say the same
    }
  }

  bool read_includes(TomlTable& table, int depth) {
    const toml::node* const includes = table.node("include");
    if (includes == nullptr) return true;
    const toml::array* const names = includes->as_array();
    if (names == nullptr) {
      table.problem("include", "scene-type", "'include' is an array of file names", "",
                    "write include = [\"parts.toml\"]");
      return true;
    }
    for (const toml::node& name : *names) {
      Origin origin = scene_.file->origin(name.source());
      if (!name.is_string()) {
        scene_.file->add(origin, "scene-type", "a file name is a text in quotes", "", "");
        continue;
      }
      ++origin.column;
      if (!include(name.as_string()->get(), origin, depth)) return false;
    }
    return true;
  }

  bool include(const std::string& name, const Origin& origin, int depth) {
    if (depth >= scene_.limits.include_depth) {
      scene_.file->add(origin, "scene-include", "files include each other more than " +
                                                    std::to_string(scene_.limits.include_depth) + " deep",
                       "perhaps in a circle", "look at the include lines of the files above");
      return true;
    }
    const Result<SceneFileText> text = read_scene_file(scene_, name, origin);
    for (const Diagnostic& problem : text.diagnostics()) scene_.file->problems.push_back(problem);
    if (!text) return true;
    TomlFile inner{text->path};
    const std::string folder = scene_.folder;
    scene_.folder = folder_of(text->path);
    const bool ok = read(text->text, inner, depth + 1);
    scene_.folder = folder;
    for (Diagnostic& problem : inner.problems) scene_.file->problems.push_back(std::move(problem));
    return ok;
  }

  SceneReader& scene_;
};

}  // namespace

Result<SceneSpec> read_scene_text(std::string_view text, const std::string& name, SceneFiles& files,
                                  const SceneLimits& limits) {
  TomlFile file{name};
  SceneReader scene{&file, {}, &files, limits};
  if (text.size() > limits.bytes) {
    file.add({name}, "scene-limit", "the file has more than " + std::to_string(limits.bytes) + " bytes", "",
             "is it a scene at all?");
    return file.problems;
  }
  SceneFileReader(scene).read(text, file, 0);
  if (has_errors(file.problems)) return file.problems;
  return {std::move(scene.spec), std::move(file.problems)};
}

}  // namespace pintle
