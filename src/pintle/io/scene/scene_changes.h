// SceneChanges: overrides of a scene file, "body.nut.joint.lead=4 mm/rev". For the readers of this layer.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/io/scene/read_scene.h"
#include "pintle/io/toml/toml_table.h"

namespace pintle {

/// In problems, settings appear as this file, one per line.
inline constexpr const char* kSettingsFile = "--set";

/// The settings while a scene is read. Those of `name`, `world` and `run` form a file of their own, read after all
/// others; the others change tables of the files just before they are read.
class SceneChanges {
 public:
  /// Returns the problems of invalid settings: no "=", no such table, a value that begins like TOML but is not.
  Diagnostics read(const SceneSettings& settings);
  bool empty() const { return changes_.empty(); }

  /// The settings of `name`, `world`, `run`, and of materials that none of the `files` has.
  TomlValue own_file(const std::vector<const TomlValue*>& files, TomlFile& problems);

  /// A table of an array of tables ("motor") with its overrides applied; null if there are none. `number` is the index
  /// of the table in that array, from 0. With a repetition, only the overrides of that repetition are applied; with 0,
  /// those of the whole table. Problems go to `file`.
  const TomlValue* changed(std::string_view part, int number, const TomlValue& table, int repetition, TomlFile& file);

  /// The same for a material.
  const TomlValue* changed_material(const std::string& name, const TomlValue& table, TomlFile& file);

  /// Reports settings of tables that do not occur.
  void finish(TomlFile& file);

 private:
  struct Step {
    std::string name;
    int column = 0;
  };
  struct Change {
    std::vector<Step> path;
    TomlValue value;
    int line = 0;
    bool used = false;
  };
  /// The names by which the tables of an array can be addressed.
  struct Names {
    int tables = 0;
    std::vector<std::string> known{};
    std::map<std::string, int> unnamed{};  ///< number of tables with each default name
  };

  Diagnostics read_one(const std::string& setting, int line);
  Diagnostics check_path(const Change& change) const;
  void set(TomlValue& table, const Change& change, std::size_t depth, TomlFile& file) const;
  std::vector<std::string> names_of(std::string_view part, const TomlValue& table, int repetition);

  std::vector<Change> changes_;
  std::map<std::string, Names, std::less<>> names_;
  std::deque<TomlValue> changed_;  // owns the values that tables refer to
};

}  // namespace pintle
