// SceneChanges: what is to be different from a scene file, "body.nut.joint.lead=4 mm/rev". For the readers of this
// layer.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/io/scene/read_scene.h"
#include "pintle/io/toml/toml_table.h"

namespace pintle {

/// Settings stand in problems as this file, one in each line.
inline constexpr const char* kSettingsFile = "--set";

/// Settings while a scene is read. Those of `name`, `world` and `run` are a file of their own, read after all others;
/// the others change tables of the files just before they are read.
class SceneChanges {
 public:
  /// Problems of settings that are none: no "=", no such table, a value that begins like TOML and is not.
  Diagnostics read(const SceneSettings& settings);
  bool empty() const { return changes_.empty(); }

  /// The settings of `name`, `world`, `run`, and of materials that none of the `files` has.
  TomlValue own_file(const std::vector<const TomlValue*>& files, TomlFile& problems);

  /// A table of an array of tables ("motor"), with what is to be different in it; null when nothing is. `number` counts
  /// the tables of that array, from 0. With a repetition, only what is asked of that one alone is changed, with 0 what
  /// is asked of the whole table. Problems go to `file`.
  const TomlValue* changed(std::string_view part, int number, const TomlValue& table, int repetition, TomlFile& file);

  /// The same for a material.
  const TomlValue* changed_material(const std::string& name, const TomlValue& table, TomlFile& file);

  /// Tells of settings of tables that were never met.
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
  /// What the tables of an array can be called.
  struct Names {
    int tables = 0;
    std::vector<std::string> known{};
    std::map<std::string, int> unnamed{};  ///< how many were given a name by default
  };

  Diagnostics read_one(const std::string& setting, int line);
  Diagnostics check_path(const Change& change) const;
  void set(TomlValue& table, const Change& change, std::size_t depth, TomlFile& file) const;
  std::vector<std::string> names_of(std::string_view part, const TomlValue& table, int repetition);

  std::vector<Change> changes_;
  std::map<std::string, Names, std::less<>> names_;
  std::deque<TomlValue> changed_;  // tables refer to them
};

}  // namespace pintle
