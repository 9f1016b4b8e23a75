// TomlLines: the keys and values of a TOML table, written as lines or as an inline table.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pintle/math/vec3.h"

namespace pintle {

/// A quoted TOML string.
std::string toml_text(const std::string& text);

/// A key, quoted if necessary.
std::string toml_key(const std::string& key);

/// A number that reads back as the same bits.
std::string toml_number(double number);

/// "[1, 0.5, -2]".
std::string toml_numbers(std::span<const double> numbers);

class TomlLines {
 public:
  /// A value that is already TOML.
  void raw(std::string_view key, std::string value) { entries_.push_back({std::string(key), std::move(value)}); }
  void text(std::string_view key, const std::string& value) { raw(key, toml_text(value)); }
  /// With a unit: "2 kg", in quotes; without one a bare number.
  void number(std::string_view key, double value, std::string_view unit = {});
  void numbers(std::string_view key, std::span<const double> values) { raw(key, toml_numbers(values)); }
  void vector(std::string_view key, const Vec3<>& v);
  void flag(std::string_view key, bool value) { raw(key, value ? "true" : "false"); }
  void table(std::string_view key, const TomlLines& within) { raw(key, within.as_inline()); }

  // The same, only if the value differs from its default.
  void text_unless(std::string_view key, const std::string& value, const std::string& usual);
  void number_unless(std::string_view key, double value, double usual, std::string_view unit = {});
  void vector_unless(std::string_view key, const Vec3<>& value, const Vec3<>& usual);
  void flag_unless(std::string_view key, bool value, bool usual);

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  /// "{ a = 1, b = 2 }".
  std::string as_inline() const;
  /// A line for each key.
  std::string as_lines() const;

 private:
  struct Entry {
    std::string key, value;
  };
  std::vector<Entry> entries_;
};

}  // namespace pintle
