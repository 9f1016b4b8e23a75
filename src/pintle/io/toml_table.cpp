#include "pintle/io/toml_table.h"

#include <cmath>

#include "pintle/base/nearest_name.h"
#include "pintle/io/quantity.h"

namespace pintle {
namespace {

const char* type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "an array";
    case toml::node_type::string: return "a text";
    case toml::node_type::integer: return "a whole number";
    case toml::node_type::floating_point: return "a number";
    case toml::node_type::boolean: return "true or false";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time: return "a date";
    case toml::node_type::none: break;
  }
  return "nothing";
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

}  // namespace

Origin TomlFile::origin(const toml::source_region& region) const {
  return {name, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

void TomlFile::add(const Origin& origin, const char* code, std::string what, std::string why, std::string fix) {
  Diagnostic problem;
  problem.code = code;
  problem.origin = origin;
  problem.what = std::move(what);
  problem.why = std::move(why);
  problem.fix = std::move(fix);
  problems.push_back(std::move(problem));
}

TomlTable::TomlTable(TomlFile& file, const toml::table& table, std::string who)
    : file_(&file), table_(&table), who_(std::move(who)) {}

Origin TomlTable::origin() const {
  return file_->origin(table_->source());
}

Origin TomlTable::origin_of(std::string_view key) const {
  const toml::node* const value = table_->get(key);
  if (value == nullptr) return origin();
  Origin place = file_->origin(value->source());
  if (value->is_string()) ++place.column;  // behind the quote
  return place;
}

const toml::node* TomlTable::node(std::string_view key) {
  bool is_known = false;
  for (const std::string& known : known_) is_known = is_known || known == key;
  if (!is_known) known_.emplace_back(key);
  return table_->get(key);
}

bool TomlTable::has(std::string_view key) {
  return node(key) != nullptr;
}

void TomlTable::problem(std::string_view key, const char* code, std::string what, std::string why, std::string fix) {
  file_->add(origin_of(key), code, who_ + ": " + std::move(what), std::move(why), std::move(fix));
}

void TomlTable::wrong_type(std::string_view key, const toml::node& node, const char* expected) {
  file_->add(file_->origin(node.source()), "scene-type", who_ + ": " + quoted(key) + " is " + type_name(node), "",
             std::string("write ") + expected);
}

void TomlTable::missing(std::string_view key) {
  file_->add(origin(), "scene-missing", who_ + " has no " + quoted(key), "it cannot be guessed",
             "add " + std::string(key) + " = ...");
}

std::string TomlTable::text(std::string_view key, std::string fallback) {
  const toml::node* const value = node(key);
  if (value == nullptr) return fallback;
  if (!value->is_string()) {
    wrong_type(key, *value, "a text in quotes");
    return fallback;
  }
  return expanded(value->as_string()->get());
}

std::string TomlTable::expanded(const std::string& text) const {
  if (repetition_ < 0) return text;
  std::string result = text;
  const struct {
    const char* mark;
    int number;
  } marks[] = {{"{i}", repetition_}, {"{i-1}", repetition_ - 1}, {"{i+1}", repetition_ + 1}};
  for (const auto& [mark, number] : marks) {
    const std::string_view what(mark);
    for (std::size_t at = result.find(what); at != std::string::npos; at = result.find(what, at + 1))
      result.replace(at, what.size(), std::to_string(number));
  }
  return result;
}

std::string TomlTable::required_text(std::string_view key) {
  if (!has(key)) missing(key);
  return text(key);
}

int TomlTable::word(std::string_view key, std::span<const std::string_view> words, int fallback) {
  if (!has(key)) return fallback;
  const std::string given = text(key);
  if (given.empty()) return fallback;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == given) return static_cast<int>(i);
    known.emplace_back(words[i]);
  }
  const std::string nearest = nearest_name(given, known);
  std::string all;
  for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
  problem(key, "scene-word", quoted(given) + " is no " + std::string(key), "it is one of: " + all,
          nearest.empty() ? "choose one of them" : "did you mean " + quoted(nearest) + "?");
  return fallback;
}

bool TomlTable::flag(std::string_view key, bool fallback) {
  const toml::node* const value = node(key);
  if (value == nullptr) return fallback;
  if (value->is_boolean()) return value->as_boolean()->get();
  wrong_type(key, *value, "true or false, without quotes");
  return fallback;
}

int TomlTable::count(std::string_view key, int fallback) {
  const toml::node* const value = node(key);
  if (value == nullptr) return fallback;
  if (!value->is_integer()) {
    wrong_type(key, *value, "a whole number, without quotes");
    return fallback;
  }
  const std::int64_t number = value->as_integer()->get();
  constexpr std::int64_t kMost = 1000000000;
  if (number < -kMost || number > kMost) {
    problem(key, "scene-range", quoted(key) + " is out of all range", "", "choose a smaller number");
    return fallback;
  }
  return static_cast<int>(number);
}

double TomlTable::number_of(const toml::node& value, std::string_view key, const Dimension& dimension) {
  double number = 0.0;
  if (value.is_integer()) {
    number = static_cast<double>(value.as_integer()->get());
  } else if (value.is_floating_point()) {
    number = value.as_floating_point()->get();
    if (!std::isfinite(number)) {
      file_->add(file_->origin(value.source()), "scene-finite", who_ + ": " + quoted(key) + " is not finite", "",
                 "leave the key out where there is no limit, or give a number");
      return 0.0;
    }
  } else if (value.is_string()) {
    Origin place = file_->origin(value.source());
    ++place.column;
    const Result<double> read =
        read_quantity_of(expanded(value.as_string()->get()), dimension, who_ + ": " + quoted(key), place);
    for (const Diagnostic& found : read.diagnostics()) file_->problems.push_back(found);
    number = read ? *read : 0.0;
  } else {
    wrong_type(key, value, "a number in SI units, or a text with a unit");
  }
  return number;
}

double TomlTable::quantity(std::string_view key, const Dimension& dimension, double fallback) {
  const toml::node* const value = node(key);
  return value == nullptr ? fallback : number_of(*value, key, dimension);
}

double TomlTable::required_quantity(std::string_view key, const Dimension& dimension) {
  if (!has(key)) missing(key);
  return quantity(key, dimension, 0.0);
}

std::vector<double> TomlTable::quantities(std::string_view key, std::span<const Dimension> dimensions) {
  const toml::node* const value = node(key);
  if (value == nullptr) return {};
  const toml::array* const array = value->as_array();
  if (array == nullptr && dimensions.size() == 1) return {number_of(*value, key, dimensions[0])};
  if (array == nullptr) {
    wrong_type(key, *value, ("an array of " + std::to_string(dimensions.size()) + " values").c_str());
    return {};
  }
  if (array->size() != dimensions.size()) {
    problem(key, "scene-count",
            quoted(key) + " has " + std::to_string(array->size()) + " values, expected " +
                std::to_string(dimensions.size()),
            "", "give exactly " + std::to_string(dimensions.size()));
    return {};
  }
  std::vector<double> numbers;
  for (std::size_t i = 0; i < array->size(); ++i) numbers.push_back(number_of(*array->get(i), key, dimensions[i]));
  return numbers;
}

Vec3<> TomlTable::vector(std::string_view key, const Dimension& dimension, const Vec3<>& fallback) {
  const Dimension three[] = {dimension, dimension, dimension};
  if (!has(key)) return fallback;
  const std::vector<double> x = quantities(key, three);
  return x.size() == 3 ? Vec3<>{x[0], x[1], x[2]} : fallback;
}

TomlTable::Formula TomlTable::formula(std::string_view key, const Dimension& dimension) {
  const toml::node* const value = node(key);
  if (value == nullptr) return {};
  if (value->is_string()) {
    // A number with a unit of a wrong dimension is found here; all else that is no quantity is a formula.
    const std::string given = expanded(value->as_string()->get());
    const Result<Quantity> quantity = read_quantity(given, origin_of(key));
    if (!quantity) return {given, origin_of(key), false, 0.0};
  }
  return {{}, origin_of(key), true, number_of(*value, key, dimension)};
}

TomlTable TomlTable::table(std::string_view key, std::string who) {
  static const toml::table kEmpty;
  const toml::node* const value = node(key);
  if (value != nullptr && !value->is_table()) wrong_type(key, *value, "a table: { ... }");
  TomlTable inner(*file_, value != nullptr && value->is_table() ? *value->as_table() : kEmpty, std::move(who));
  inner.set_repetition(repetition_);
  return inner;
}

std::vector<const toml::table*> TomlTable::tables(std::string_view key) {
  std::vector<const toml::table*> result;
  const toml::node* const value = node(key);
  if (value == nullptr) return result;
  const toml::array* const array = value->as_array();
  if (array == nullptr) {
    wrong_type(key, *value, ("[[" + std::string(key) + "]] with double brackets").c_str());
    return result;
  }
  for (const toml::node& element : *array) {
    if (element.is_table()) {
      result.push_back(element.as_table());
    } else {
      wrong_type(key, element, "tables only");
    }
  }
  return result;
}

void TomlTable::finish() {
  for (const auto& [key, value] : *table_) {
    const std::string name(key.str());
    bool is_known = false;
    for (const std::string& known : known_) is_known = is_known || known == name;
    if (is_known) continue;
    const std::string nearest = nearest_name(name, known_);
    std::string all;
    for (const std::string& known : known_) all += (all.empty() ? "" : ", ") + known;
    file_->add(file_->origin(key.source()), "scene-key", who_ + ": unknown key " + quoted(name),
               nearest.empty() ? "known here: " + all : "", nearest.empty() ? "" : "did you mean " + quoted(nearest) + "?");
  }
}

Dimension dimension_of(std::string_view unit) {
  if (unit == "1") return kNumber;
  return read_quantity("1 " + std::string(unit)).value().dimension;
}

}  // namespace pintle
