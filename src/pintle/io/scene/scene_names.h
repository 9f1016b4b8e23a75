// The names of a scene: which were defined and which were used, so that unknown names are reported where they occur.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pintle/io/toml/toml_table.h"

namespace pintle {

/// What a name can refer to.
enum class NameKind : unsigned char {
  body,
  body_or_world,
  joint,
  frame,
  place,    ///< a body, a frame or the world
  element,  ///< a force element: motors, springs, ...
  event,
  sensor,
  ground,
};

class SceneNames {
 public:
  /// Defines a name: the text of the key. Defining one twice is a problem. The name becomes part of `who`.
  std::string give(TomlTable& table, NameKind kind, std::string_view key = "name");
  /// The same for what need not have a name: `fallback`, with a number appended if that is taken.
  std::string give_or(TomlTable& table, NameKind kind, const std::string& fallback);

  /// Defines a name that is derived from another one.
  void give_quietly(TomlTable& table, NameKind kind, const std::string& name);

  /// Defines a name from a file of another format, whose own checks report duplicate names.
  void give_foreign(NameKind kind, const std::string& name, const Origin& origin);

  /// Uses a name that is defined elsewhere; `check` tests whether it exists.
  std::string use(TomlTable& table, NameKind kind, std::string_view key, std::string fallback = {});

  /// The same for one of several names.
  void use(TomlTable& table, NameKind kind, const std::string& name, const Origin& origin);

  /// Reports names that do not exist, with the nearest that do; not if some names were lost.
  void check();

  /// Notes that something could not be read that may have had any name.
  void lose() { lost_ = true; }
  bool lost() const { return lost_; }

  bool knows(NameKind kind, const std::string& name) const;
  /// Whether the name exists; the world is a body and a place.
  bool exists(NameKind kind, const std::string& name) const;

 private:
  struct Use {
    NameKind kind;
    std::string name;
    Origin origin;
    std::string who;
    TomlFile* file;
  };

  void insert(TomlTable& table, NameKind kind, const std::string& name, const Origin& origin);
  std::vector<std::string> all(NameKind kind) const;

  std::map<std::pair<NameKind, std::string>, Origin> names_;  // and where each was defined
  std::vector<Use> uses_;
  bool lost_ = false;
};

}  // namespace pintle
