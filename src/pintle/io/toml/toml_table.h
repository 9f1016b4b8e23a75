// TomlTable: one table of a scene file, read key by key. An invalid value becomes a problem with its place; keys that
// do not exist, or that were not read, are problems too. For the readers of this layer.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/base/unit.h"
#include "pintle/io/toml/scene_keys.h"
#include "pintle/io/toml/toml_file.h"
#include "pintle/io/toml/toml_value.h"
#include "pintle/math/vec3.h"
#include "pintle/text/expanded_text.h"

namespace pintle {

class TomlTable {
 public:
  /// In the texts of repetition i and of the tables within, {i} is replaced by the index and {i+1}, {i-1} and so on by
  /// its neighbours. 0: no repetition.
  TomlTable(TomlFile& file, const TomlValue& value, const SceneTable& keys, std::string who, int repetition = 0);

  /// The same table, with no key read yet, in repetition i.
  TomlTable repeated(int i) const { return TomlTable(*file_, *value_, *keys_, who_, i); }

  /// Whether no error was found since construction, here or in the tables within.
  bool is_valid() const { return file_->errors() == errors_before_; }

  /// The name for the user: "body 'nut'".
  const std::string& who() const { return who_; }
  void set_who(std::string who) { who_ = std::move(who); }
  TomlFile& file() const { return *file_; }
  int repetition() const { return repetition_; }
  const SceneTable& keys() const { return *keys_; }
  const TomlValue& raw() const { return *value_; }
  Origin origin() const;
  /// The place of a key's value, or of the table if there is none.
  Origin origin_of(std::string_view key) const;
  /// The place of the first byte of a text after its quotes; its column is 0 if places within the text are not known.
  Origin text_origin_of(std::string_view key) const;
  Origin text_origin_of(const TomlValue& value) const;

  /// False if the key has another value in place of its table, which was reported: then nothing is missing in it.
  bool is_table() const { return value_->is_table(); }
  /// Whether the key is given. Here and below, a key that does not exist stands for the nearest valid one that is not
  /// given: its values are still checked, and `finish` reports the key.
  bool has(std::string_view key) const;
  /// Whether tables or arrays under keys that do not exist are skipped.
  bool leaves_out_tables() const;
  /// The value, or null. Here and below, asking for a key marks it as read, and a missing required key is a problem.
  /// Throws UsageError if the table has no such key at all.
  const TomlValue* value(std::string_view key);

  std::string text(std::string_view key, std::string fallback = {});
  std::vector<std::string> texts(std::string_view key);
  /// The index of the word among those of the key; for an unknown word that of the nearest, otherwise the fallback.
  int word(std::string_view key, int fallback);
  bool flag(std::string_view key, bool fallback);
  int count(std::string_view key, int fallback);
  /// A quantity [SI] of the key's own unit, or of a given dimension.
  double quantity(std::string_view key, double fallback);
  double quantity(std::string_view key, const Dimension& dimension, double fallback);
  /// An array of quantities, one for each dimension; if all dimensions are equal and it is allowed, one number may
  /// stand for all of them. Empty without the key, and after a problem.
  std::vector<double> quantities(std::string_view key, std::span<const Dimension> dimensions, bool one_for_all = false);
  Vec3<> vector(std::string_view key, const Vec3<>& fallback);

  /// A formula or a quantity; a quantity is a constant.
  struct Formula {
    std::string text;
    Origin origin;
    bool is_number = false;
    double number = 0.0;
  };
  Formula formula(std::string_view key, const Dimension& dimension);
  Formula formula(const SceneKey& key, const TomlValue& value, const Dimension& dimension);

  /// The table of a key; an empty table if there is none.
  TomlTable table(std::string_view key, std::string who);
  TomlTable table(std::string_view key) { return table(key, who_ + ", " + std::string(key)); }
  /// The tables of an array of tables.
  std::vector<TomlTable> tables(std::string_view key, const std::string& who);

  /// Adds a problem at a key's value.
  void problem(std::string_view key, const char* code, const std::string& what, std::string why, std::string fix);
  /// Marks a known key as read without using it; or all keys.
  void ignore(std::string_view key);
  void ignore_all();

  /// Reports keys that do not exist and, with `why`, those that were not read. Call it last.
  void finish(const char* why = "other keys here already determine it");

  /// The text with its {i} replaced; a problem if there is no repetition.
  std::string expanded(std::string_view key, const TomlValue& value);

 private:
  /// A key that does not exist, and the one it stands for; empty if none.
  struct Misspelt {
    const TomlMember* member;
    std::string meant, nearest;
  };

  std::vector<Misspelt> find_misspelt() const;
  const TomlValue* find(std::string_view key) const;
  const SceneKey& key_of(std::string_view key) const;
  Origin place_of(const TomlValue& value) const;
  double number_of(const SceneKey& key, const TomlValue& value, const Dimension& dimension);
  bool in_range(const SceneKey& key, const TomlValue& value, double number);
  void wrong_type(std::string_view key, const TomlValue& value, const std::string& expected);
  std::string table_example(std::string_view key, const TomlValue& given) const;

  TomlFile* file_;
  const TomlValue* value_;
  const SceneTable* keys_;
  std::string who_;
  std::vector<bool> asked_;  // for each key of the table
  int repetition_;
  int errors_before_;
  std::vector<Misspelt> misspelt_;
};

/// "a, b, c".
std::string listed(const std::vector<std::string>& names);
/// "did you mean 'b'?", or the alternative if no name is near.
std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& known, std::string otherwise);

}  // namespace pintle
