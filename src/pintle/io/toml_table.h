// TomlTable: one table of a scene file, read key by key. What is wrong with a value becomes a problem with its place;
// keys that nobody asked for are problems too. For the readers of this layer.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <toml++/toml.h>
#include <vector>

#include "pintle/base/diagnostic.h"
#include "pintle/base/unit.h"
#include "pintle/math/vec3.h"

namespace pintle {

/// The file that is being read, and what was found wrong with it.
struct TomlFile {
  std::string name;
  Diagnostics problems{};

  Origin origin(const toml::source_region& region) const;
  void add(const Origin& origin, const char* code, std::string what, std::string why, std::string fix);
};

class TomlTable {
 public:
  /// `who` is what a user calls it: "body 'nut'". The table must outlive this.
  TomlTable(TomlFile& file, const toml::table& table, std::string who);

  /// In texts of this table and of those in it `{i}`, `{i-1}` and `{i+1}` stand for this number and its neighbours.
  void set_repetition(int i) { repetition_ = i; }
  int repetition() const { return repetition_; }

  const std::string& who() const { return who_; }
  void set_who(std::string who) { who_ = std::move(who); }
  TomlFile& file() const { return *file_; }
  Origin origin() const;
  /// Of a key's value, or of the table when there is none; of a text, that of its first byte.
  Origin origin_of(std::string_view key) const;

  /// Whether the key is there. Asking makes it known.
  bool has(std::string_view key);
  /// The value, or null.
  const toml::node* node(std::string_view key);

  /// A text; `fallback` without one. A required one that is missing is a problem.
  std::string text(std::string_view key, std::string fallback = {});
  std::string required_text(std::string_view key);
  /// One of several words.
  int word(std::string_view key, std::span<const std::string_view> words, int fallback);
  bool flag(std::string_view key, bool fallback);
  int count(std::string_view key, int fallback);
  /// A quantity: a bare number in SI units, or a text with a unit.
  double quantity(std::string_view key, const Dimension& dimension, double fallback);
  double required_quantity(std::string_view key, const Dimension& dimension);
  /// An array of quantities, or a single one; as many as there are dimensions.
  std::vector<double> quantities(std::string_view key, std::span<const Dimension> dimensions);
  Vec3<> vector(std::string_view key, const Dimension& dimension, const Vec3<>& fallback);
  /// A formula, or a quantity written as one; with the place of its first byte.
  struct Formula {
    std::string text;
    Origin origin;
    bool is_number = false;
    double number = 0.0;
  };
  Formula formula(std::string_view key, const Dimension& dimension);

  /// A table of its own, or one that is empty.
  TomlTable table(std::string_view key, std::string who);
  /// The tables of an array of tables, each in turn.
  std::vector<const toml::table*> tables(std::string_view key);

  /// A problem of this table, at a key's value.
  void problem(std::string_view key, const char* code, std::string what, std::string why, std::string fix);

  /// Tells of keys that nobody asked for. To be called at the end.
  void finish();

 private:
  double number_of(const toml::node& node, std::string_view key, const Dimension& dimension);
  void wrong_type(std::string_view key, const toml::node& node, const char* expected);
  void missing(std::string_view key);
  std::string expanded(const std::string& text) const;

  TomlFile* file_;
  const toml::table* table_;
  std::string who_;
  std::vector<std::string> known_;
  int repetition_ = -1;  // none
};

/// The dimension of a unit's text, such as "N m/rad"; "1" is a plain number.
Dimension dimension_of(std::string_view unit);

}  // namespace pintle
