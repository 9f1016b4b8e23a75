// The tables of a scene file and their keys. The reader can ask for no others, and the JSON Schema and the reference in
// docs/formats/scene.md are generated from them, so that the three always agree.
#pragma once

#include <span>
#include <string_view>

namespace pintle {

/// The kind of value of a key.
enum class KeyKind : unsigned char {
  text,
  texts,         ///< an array of texts
  word,          ///< one of `words`
  flag,          ///< true or false
  count,         ///< an integer
  quantity,      ///< a number in SI units, or a text with a unit
  vector,        ///< three quantities
  quantities,    ///< one, or an array with one for each dof of the joint
  formula,       ///< a quantity or a formula
  formulas,      ///< an array of them
  matrix,        ///< an array of rows, each an array of numbers
  drive,         ///< a formula, or a table in a file
  drives,        ///< three drives
  place,         ///< the name of a body or frame, or a table `place`
  table,         ///< a table, { ... } or [...]
  tables,        ///< an array of tables, [[...]]
  named_tables,  ///< tables with user-defined names: [material.brass]
};

/// The allowed range of a number.
enum class KeyRange : unsigned char { any, not_negative, above_zero, not_zero };

struct SceneTable;

struct SceneKey {
  std::string_view name;
  KeyKind kind;
  /// The unit of a number: "m", "kg/m^3"; "1" if dimensionless. If it depends on the joint, a text for the reader: "N m
  /// or N".
  std::string_view unit;
  std::string_view fallback;  ///< a text for the reader; "required" if there is no default
  std::string_view meaning;
  KeyRange range = KeyRange::any;
  std::span<const std::string_view> words{};
  const SceneTable* table = nullptr;

  bool is_required() const { return fallback == "required"; }
};

struct SceneTable {
  std::string_view name;    ///< internal name: "body", "cylinder"
  std::string_view header;  ///< as written in the file: "[[body]]"
  std::string_view meaning;
  std::span<const SceneKey> keys;

  const SceneKey* find(std::string_view key) const;
};

/// The whole file.
const SceneTable& scene_root();

/// Every table: the whole file first, and each table before those in it.
std::span<const SceneTable* const> scene_tables();

}  // namespace pintle
