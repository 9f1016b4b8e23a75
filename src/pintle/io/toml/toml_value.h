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
  /// Of the first byte behind the opening quotes of a text. The column is 0 where bytes of the text are not bytes of
  /// the file, because of an escape: then nothing within the text can be pointed at.
  int text_line = 0, text_column = 0;
  const char* file = nullptr;  ///< the name of another file it is from than the one that is being read

  std::string text{};
  long long whole = 0;
  double number = 0.0;  ///< of a whole number too
  bool flag = false;
  std::vector<TomlMember> members;  ///< of a table, in the order of the file
  std::vector<TomlValue> items;     ///< of an array

  bool is_table() const { return kind == Kind::table; }
  bool is_array() const { return kind == Kind::array; }
  bool is_text() const { return kind == Kind::text; }
  bool is_number() const { return kind == Kind::whole || kind == Kind::number; }

  /// The value of a key of a table; null when there is none.
  const TomlValue* find(std::string_view key) const;
};

struct TomlMember {
  std::string key;
  int line = 0, column = 0;  ///< of the key
  TomlValue value;
  const char* file = nullptr;  ///< as that of a value
};

/// What a value is, for a person: "a text", "a whole number".
const char* type_name(TomlValue::Kind kind);

/// Reads a TOML file. The one problem of a file that is not TOML is `toml-syntax`; `file` stands for it in the problem.
/// Keys of more than 16 parts, arrays and inline tables more than 256 deep are refused too.
Result<TomlValue> parse_toml(std::string_view text, const std::string& file);

}  // namespace pintle
