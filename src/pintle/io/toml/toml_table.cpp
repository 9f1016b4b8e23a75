#include "pintle/io/toml/toml_table.h"

#include <algorithm>
#include <cmath>

#include "pintle/base/nearest_name.h"
#include "pintle/base/usage_error.h"
#include "pintle/io/toml/key_elsewhere.h"
#include "pintle/text/quantity.h"

namespace pintle {
namespace {

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

}  // namespace

std::string listed(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& known, std::string otherwise) {
  const std::string nearest = nearest_name(wanted, known);
  return nearest.empty() ? otherwise : "did you mean " + quoted(nearest) + "?";
}

TomlTable::TomlTable(TomlFile& file, const TomlValue& value, const SceneTable& keys, std::string who, int repetition)
    : file_(&file),
      value_(&value),
      keys_(&keys),
      who_(std::move(who)),
      asked_(keys.keys.size()),
      repetition_(repetition),
      errors_before_(file.errors()),
      misspelt_(find_misspelt()) {}

std::vector<TomlTable::Misspelt> TomlTable::find_misspelt() const {
  std::vector<Misspelt> misspelt;
  std::vector<std::string> known;
  for (const TomlMember& member : value_->members) {
    if (keys_->find(member.key) != nullptr) continue;
    if (known.empty())
      for (const SceneKey& key : keys_->keys) known.emplace_back(key.name);
    const std::string nearest = nearest_name(member.key, known);
    const bool is_given =
        value_->find(nearest) != nullptr ||
        std::any_of(misspelt.begin(), misspelt.end(), [&](const Misspelt& other) { return other.meant == nearest; });
    misspelt.push_back({&member, is_given ? std::string() : nearest, nearest});
  }
  return misspelt;
}

const TomlValue* TomlTable::find(std::string_view key) const {
  if (const TomlValue* const found = value_->find(key)) return found;
  for (const Misspelt& one : misspelt_)
    if (one.meant == key) return &one.member->value;
  return nullptr;
}

bool TomlTable::leaves_out_tables() const {
  return std::any_of(misspelt_.begin(), misspelt_.end(), [](const Misspelt& one) {
    return one.meant.empty() && (one.member->value.is_table() || one.member->value.is_array());
  });
}

const SceneKey& TomlTable::key_of(std::string_view key) const {
  const SceneKey* const found = keys_->find(key);
  require(found != nullptr, "TomlTable", "key", "the table has no such key");
  return *found;
}

Origin TomlTable::place_of(const TomlValue& value) const {
  return Origin(value.file == nullptr ? file_->name() : value.file, value.line, value.column);
}

Origin TomlTable::origin() const {
  return place_of(*value_);
}

Origin TomlTable::origin_of(std::string_view key) const {
  const TomlValue* const found = find(key);
  return found == nullptr ? origin() : place_of(*found);
}

Origin TomlTable::text_origin_of(const TomlValue& value) const {
  Origin place = place_of(value);
  if (!value.is_text()) return place;
  // After {i} is replaced by a number, the bytes after it have moved.
  const bool as_written = repetition_ == 0 || value.text.find("{i") == std::string::npos;
  place.line = value.text_line;
  place.column = as_written ? value.text_column : 0;
  return place;
}

Origin TomlTable::text_origin_of(std::string_view key) const {
  const TomlValue* const found = find(key);
  return found == nullptr ? origin() : text_origin_of(*found);
}

bool TomlTable::has(std::string_view key) const {
  key_of(key);
  return find(key) != nullptr;
}

void TomlTable::ignore(std::string_view key) {
  asked_[static_cast<std::size_t>(&key_of(key) - keys_->keys.data())] = true;
}

void TomlTable::ignore_all() {
  asked_.assign(asked_.size(), true);
}

const TomlValue* TomlTable::value(std::string_view key) {
  ignore(key);
  const TomlValue* const found = find(key);
  if (found == nullptr && is_table() && key_of(key).is_required()) {
    file_->add(origin(), "scene-missing", who_ + " has no " + quoted(key), "it has no default",
               "add " + std::string(key) + " = ...");
  }
  return found;
}

void TomlTable::problem(std::string_view key, const char* code, const std::string& what, std::string why,
                        std::string fix) {
  file_->add(origin_of(key), code, who_ + ": " + what, std::move(why), std::move(fix));
}

void TomlTable::wrong_type(std::string_view key, const TomlValue& value, const std::string& expected) {
  file_->add(place_of(value), "scene-type", who_ + ": " + quoted(key) + " is " + type_name(value.kind), "",
             "write " + expected);
}

std::string TomlTable::expanded(std::string_view key, const TomlValue& value) {
  ExpandedText result = expand(value.text, repetition_);
  if (!result.has_numbers || repetition_ > 0) return std::move(result.text);
  problem(key, "scene-repeat", quoted(value.text) + " has a number in braces, but nothing is repeated here", "",
          "add repeat = n, or write the number");
  return value.text;
}

std::string TomlTable::text(std::string_view key, std::string fallback) {
  const TomlValue* const found = value(key);
  if (found == nullptr) return fallback;
  if (!found->is_text()) {
    wrong_type(key, *found, "a text in quotes");
    return fallback;
  }
  if (found->text.empty())
    problem(key, "scene-empty", quoted(key) + " is empty", "", "write something, or leave it out");
  return expanded(key, *found);
}

std::vector<std::string> TomlTable::texts(std::string_view key) {
  std::vector<std::string> result;
  const TomlValue* const found = value(key);
  if (found == nullptr) return result;
  if (!found->is_array()) {
    wrong_type(key, *found, "an array of texts: [\"parts.toml\"]");
    return result;
  }
  for (const TomlValue& item : found->items) {
    if (item.is_text()) {
      result.push_back(item.text);
    } else {
      wrong_type(key, item, "a text in quotes");
      result.emplace_back();
    }
  }
  return result;
}

int TomlTable::word(std::string_view key, int fallback) {
  const TomlValue* const found = value(key);
  if (found == nullptr) return fallback;
  const std::span<const std::string_view> words = key_of(key).words;
  const std::vector<std::string> known(words.begin(), words.end());
  if (!found->is_text()) {
    wrong_type(key, *found, "one of, in quotes: " + listed(known));
    return fallback;
  }
  const std::string given = expanded(key, *found);
  for (std::size_t i = 0; i < known.size(); ++i)
    if (known[i] == given) return static_cast<int>(i);
  problem(key, "scene-word", quoted(given) + " is not a valid " + std::string(key), "it is one of: " + listed(known),
          did_you_mean(given, known, "choose one of them"));
  const auto nearest = std::find(known.begin(), known.end(), nearest_name(given, known));
  return nearest == known.end() ? fallback : static_cast<int>(nearest - known.begin());
}

bool TomlTable::flag(std::string_view key, bool fallback) {
  const TomlValue* const found = value(key);
  if (found == nullptr) return fallback;
  if (found->kind == TomlValue::Kind::flag) return found->flag;
  wrong_type(key, *found, "true or false, without quotes");
  return fallback;
}

int TomlTable::count(std::string_view key, int fallback) {
  const TomlValue* const found = value(key);
  if (found == nullptr) return fallback;
  if (found->kind != TomlValue::Kind::whole) {
    wrong_type(key, *found, "an integer, without quotes");
    return fallback;
  }
  constexpr long long kMaxInteger = 1000000000;
  if (found->whole < -kMaxInteger || found->whole > kMaxInteger) {
    problem(key, "scene-range", quoted(key) + " is out of range", "", "choose a smaller number");
    return fallback;
  }
  return in_range(key_of(key), *found, found->number) ? static_cast<int>(found->whole) : fallback;
}

bool TomlTable::in_range(const SceneKey& key, const TomlValue& value, double number) {
  const char* wrong = nullptr;
  if (key.range == KeyRange::not_negative && !(number >= 0.0)) wrong = "negative";
  if (key.range == KeyRange::above_zero && !(number > 0.0)) wrong = "not above zero";
  if (key.range == KeyRange::not_zero && number == 0.0) wrong = "zero";
  if (wrong == nullptr) return true;
  const char* const fix = key.range == KeyRange::not_negative ? "give zero or more"
                          : key.range == KeyRange::above_zero ? "give a number above zero"
                                                              : "give any other number";
  file_->add(text_origin_of(value), "scene-range", who_ + ": " + quoted(key.name) + " is " + wrong, "", fix);
  return false;
}

double TomlTable::number_of(const SceneKey& key, const TomlValue& value, const Dimension& dimension) {
  double number = 1.0;
  if (value.is_number()) {
    number = value.number;
    if (!std::isfinite(number)) {
      file_->add(place_of(value), "scene-finite", who_ + ": " + quoted(key.name) + " is not finite", "",
                 "leave the key out where there is no limit, or give a number");
      return 1.0;
    }
  } else if (value.is_text()) {
    const Result<double> read =
        read_quantity_of(expanded(key.name, value), dimension, who_ + ": " + quoted(key.name), text_origin_of(value));
    file_->add(read.diagnostics());
    if (!read) return 1.0;
    number = *read;
  } else {
    wrong_type(key.name, value, "a number in SI units, or a text with a unit");
    return 1.0;
  }
  return in_range(key, value, number) ? number : 1.0;
}

double TomlTable::quantity(std::string_view key, double fallback) {
  return quantity(key, dimension_of(key_of(key).unit), fallback);
}

double TomlTable::quantity(std::string_view key, const Dimension& dimension, double fallback) {
  const TomlValue* const found = value(key);
  return found == nullptr ? fallback : number_of(key_of(key), *found, dimension);
}

std::vector<double> TomlTable::quantities(std::string_view key, std::span<const Dimension> dimensions,
                                          bool one_for_all) {
  const TomlValue* const found = value(key);
  if (found == nullptr) return {};
  const int errors = file_->errors();
  const std::string count = std::to_string(dimensions.size());
  if (!found->is_array()) {
    bool alike = !dimensions.empty() && (one_for_all || dimensions.size() == 1);
    for (const Dimension& dimension : dimensions) alike = alike && dimension == dimensions[0];
    if (alike) {
      const double number = number_of(key_of(key), *found, dimensions[0]);
      return std::vector<double>(file_->errors() > errors ? 0 : dimensions.size(), number);
    }
    if (found->is_number() || found->is_text()) {
      problem(key, "scene-count", quoted(key) + " is one value, expected " + count, "",
              dimensions.empty() ? "leave it out" : "write an array of " + count);
    } else {
      wrong_type(key, *found, "an array of " + count + " values");
    }
    return {};
  }
  if (found->items.size() != dimensions.size()) {
    problem(key, "scene-count",
            quoted(key) + " has " + std::to_string(found->items.size()) + " values, expected " + count, "",
            "give exactly " + count);
    return {};
  }
  std::vector<double> values;
  for (std::size_t i = 0; i < dimensions.size(); ++i)
    values.push_back(number_of(key_of(key), found->items[i], dimensions[i]));
  if (file_->errors() > errors) values.clear();
  return values;
}

Vec3<> TomlTable::vector(std::string_view key, const Vec3<>& fallback) {
  const Dimension dimension = dimension_of(key_of(key).unit);
  const Dimension three[] = {dimension, dimension, dimension};
  const std::vector<double> x = quantities(key, three);
  return x.size() == 3 ? Vec3<>{x[0], x[1], x[2]} : fallback;
}

TomlTable::Formula TomlTable::formula(std::string_view key, const Dimension& dimension) {
  const TomlValue* const found = value(key);
  return found == nullptr ? Formula{{}, origin(), true, 0.0} : formula(key_of(key), *found, dimension);
}

TomlTable::Formula TomlTable::formula(const SceneKey& key, const TomlValue& value, const Dimension& dimension) {
  const Origin origin = text_origin_of(value);
  if (value.is_text()) {
    // A number with a unit of the wrong dimension is reported below; everything else that is not a quantity is a
    // formula.
    std::string given = expanded(key.name, value);
    if (!read_quantity(given)) return {std::move(given), origin, false, 0.0};
  }
  return {{}, origin, true, number_of(key, value, dimension)};
}

/// Shows how to write the table of a key that has another value: with that value in it if it fits.
std::string TomlTable::table_example(std::string_view key, const TomlValue& given) const {
  if (given.is_array() && keys_ == &scene_root()) return "[" + std::string(key) + "] with single brackets";
  if (!given.is_text()) return "a table: { ... }";
  const SceneTable& within = *key_of(key).table;
  if (within.find(given.text) != nullptr) return "a table: { " + given.text + " = { ... } }";
  for (const SceneKey& one : within.keys)
    if (one.is_required() && (one.kind == KeyKind::word || one.kind == KeyKind::text))
      return "a table: { " + std::string(one.name) + " = \"" + given.text + "\" }";
  return "a table: { ... }";
}

TomlTable TomlTable::table(std::string_view key, std::string who) {
  static const TomlValue kEmpty;
  const TomlValue* const found = value(key);
  if (found != nullptr && !found->is_table()) wrong_type(key, *found, table_example(key, *found));
  return TomlTable(*file_, found != nullptr ? *found : kEmpty, *key_of(key).table, std::move(who), repetition_);
}

std::vector<TomlTable> TomlTable::tables(std::string_view key, const std::string& who) {
  std::vector<TomlTable> result;
  const TomlValue* const found = value(key);
  if (found == nullptr) return result;
  if (!found->is_array()) {
    wrong_type(key, *found, "[[" + std::string(key) + "]] with double brackets, or an array of tables");
    return result;
  }
  for (const TomlValue& item : found->items) {
    if (item.is_table()) {
      result.emplace_back(*file_, item, *key_of(key).table, who, repetition_);
    } else {
      wrong_type(key, item, "tables only");
    }
  }
  return result;
}

void TomlTable::finish(const char* why) {
  const auto place = [&](const TomlMember& member) {
    return Origin(member.file == nullptr ? file_->name() : member.file, member.line, member.column);
  };
  for (const Misspelt& one : misspelt_) {
    const std::string what = who_ + ": unknown key " + quoted(one.member->key);
    const auto report = [&](std::string cause, std::string fix) {
      file_->add(place(*one.member), "scene-key", what, std::move(cause), std::move(fix));
    };
    if (!one.nearest.empty()) {
      report("", "did you mean " + quoted(one.nearest) + "?");
      continue;
    }
    const KeyElsewhere elsewhere = key_elsewhere(*keys_, one.member->key, one.member->value);
    if (!elsewhere.tables.empty()) {
      report(quoted(elsewhere.name) + " is a key of " + elsewhere.tables,
             elsewhere.name == one.member->key ? "move it there" : "write " + quoted(elsewhere.name) + " there");
      continue;
    }
    std::vector<std::string> known;
    for (const SceneKey& key : keys_->keys) known.emplace_back(key.name);
    report("known here: " + listed(known), "leave it out");
  }
  for (const TomlMember& member : value_->members) {
    const SceneKey* const key = keys_->find(member.key);
    if (key == nullptr || asked_[static_cast<std::size_t>(key - keys_->keys.data())]) continue;
    file_->add(place(member), "scene-unused", who_ + ": " + quoted(member.key) + " has no meaning here", why,
               "leave it out");
  }
}

}  // namespace pintle
