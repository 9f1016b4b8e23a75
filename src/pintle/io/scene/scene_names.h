// The names of a scene: which were given, and which were used, so that unknown ones are found where they stand.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pintle/io/toml/toml_table.h"

namespace pintle {

/// What a name may be of.
enum class NameKind : unsigned char {
  body,
  body_or_world,
  joint,
  frame,
  place,    ///< a body, a frame or the world
  element,  ///< what acts: motors, springs, ...
  event,
  sensor,
  ground,
};

class SceneNames {
 public:
  /// A name of something: the text of the key. Giving one twice is a problem. The name becomes part of `who`.
  std::string give(TomlTable& table, NameKind kind, std::string_view key = "name");
  /// The same for what need not be named: `fallback` with a number behind it where that is taken.
  std::string give_or(TomlTable& table, NameKind kind, const std::string& fallback);

  /// A name that is made of another one.
  void give_quietly(TomlTable& table, NameKind kind, const std::string& name);

  /// A name from a file of another format, whose own checks tell of names that are given twice.
  void give_foreign(NameKind kind, const std::string& name, const Origin& origin);

  /// A name of something that is elsewhere; whether it exists is looked at by `check`.
  std::string use(TomlTable& table, NameKind kind, std::string_view key, std::string fallback = {});

  /// The same of one name of several.
  void use(TomlTable& table, NameKind kind, const std::string& name, const Origin& origin);

  /// Tells of names that do not exist, with the nearest that do; not when some were lost.
  void check();

  /// Something could not be read that may have had any name.
  void lose() { lost_ = true; }
  bool lost() const { return lost_; }

  bool knows(NameKind kind, const std::string& name) const;
  /// Whether there is such a thing, the world among bodies and places.
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

  std::map<std::pair<NameKind, std::string>, Origin> names_;  // and where each was given
  std::vector<Use> uses_;
  bool lost_ = false;
};

}  // namespace pintle
