// TomlValue: the values of a TOML file as a tree, each with its place in the file. For the readers of this layer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pintle/base/result.h"

namespace pintle {

struct TomlMember;

struct TomlValue {
  enum class Kind : unsigned char { table, array, text, whole, number, flag, date };

  Kind kind = Kind::table;
  int line = 0, column = 0;  ///< of its first byte; columns count bytes, from 1
  /// The place of the first byte after the opening quotes of a text. The column is 0 if an escape makes the bytes of
  /// the text differ from those of the file: then places within the text are not known.
  int text_line = 0, text_column = 0;
  const char* file = nullptr;  ///< the name of its file, if not the one being read

  std::string text{};
  long long whole = 0;
  double number = 0.0;  ///< for an integer too
  bool flag = false;
  std::vector<TomlMember> members;  ///< of a table, in file order
  std::vector<TomlValue> items;     ///< of an array

  bool is_table() const { return kind == Kind::table; }
  bool is_array() const { return kind == Kind::array; }
  bool is_text() const { return kind == Kind::text; }
  bool is_number() const { return kind == Kind::whole || kind == Kind::number; }

  /// The value of a key of a table; null if it does not exist.
  const TomlValue* find(std::string_view key) const;
};

struct TomlMember {
  std::string key;
  int line = 0, column = 0;  ///< of the key
  TomlValue value;
  const char* file = nullptr;  ///< as for a value
};

/// The type of a value, for messages: "a text", "an integer".
const char* type_name(TomlValue::Kind kind);

/// Reads a TOML file. The only problem of a file that is not TOML is `toml-syntax`; `file` names the file in the
/// problem. Keys of more than 16 parts, and arrays and inline tables nested deeper than 256, are refused too.
Result<TomlValue> parse_toml(std::string_view text, const std::string& file);

}  // namespace pintle
