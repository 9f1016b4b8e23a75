// The tables of a scene file and their keys. The reader can ask for no others, and the JSON Schema and the reference in
// docs/formats/scene.md are made of them, so that the three always agree.
#pragma once

#include <span>
#include <string_view>

namespace pintle {

/// What may stand behind a key.
enum class KeyKind : unsigned char {
  text,
  texts,         ///< an array of them
  word,          ///< one of `words`
  flag,          ///< true or false
  count,         ///< a whole number
  quantity,      ///< a number in SI units, or a text with a unit
  vector,        ///< three of them
  quantities,    ///< one, or an array of as many as the joint has
  formula,       ///< a quantity or a formula
  drive,         ///< a formula, or a table in a file
  drives,        ///< three formulas
  place,         ///< the name of a body or frame, or a table `place`
  table,         ///< a table, { ... } or [...]
  tables,        ///< an array of them, [[...]]
  named_tables,  ///< tables with names of the user's choice: [material.brass]
};

/// What numbers are allowed.
enum class KeyRange : unsigned char { any, not_negative, above_zero, not_zero };

struct SceneTable;

struct SceneKey {
  std::string_view name;
  KeyKind kind;
  /// Of a number: "m", "kg/m^3"; "1" for a plain number. Where it depends on the joint, for a person: "N m or N".
  std::string_view unit;
  std::string_view fallback;  ///< for a person; "required" where there is none
  std::string_view meaning;
  KeyRange range = KeyRange::any;
  std::span<const std::string_view> words{};
  const SceneTable* table = nullptr;

  bool is_required() const { return fallback == "required"; }
};

struct SceneTable {
  std::string_view name;    ///< of its own: "body", "cylinder"
  std::string_view header;  ///< how it is written: "[[body]]"
  std::string_view meaning;
  std::span<const SceneKey> keys;

  const SceneKey* find(std::string_view key) const;
};

/// The whole file.
const SceneTable& scene_root();

/// Every table, the whole file first, each before those in it.
std::span<const SceneTable* const> scene_tables();

}  // namespace pintle
