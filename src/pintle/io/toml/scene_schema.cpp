#include "pintle/io/toml/scene_schema.h"

#include "pintle/io/toml/scene_keys.h"

namespace pintle {
namespace {

std::string json(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string reference(std::string_view name) {
  return "\"$ref\": " + json("#/definitions/" + std::string(name));
}

std::string any_of(const std::string& a, const std::string& b) {
  return "\"anyOf\": [{" + a + "}, {" + b + "}]";
}

/// The schema of a key's value, without its braces.
std::string value_schema(const SceneKey& key) {
  switch (key.kind) {
    case KeyKind::text:
      return "\"type\": \"string\"";
    case KeyKind::texts:
      return "\"type\": \"array\", \"items\": {\"type\": \"string\"}";
    case KeyKind::word: {
      std::string words;
      for (const std::string_view word : key.words) words += (words.empty() ? "" : ", ") + json(word);
      return "\"enum\": [" + words + "]";
    }
    case KeyKind::flag:
      return "\"type\": \"boolean\"";
    case KeyKind::count:
      return key.range == KeyRange::above_zero ? "\"type\": \"integer\", \"minimum\": 1" : "\"type\": \"integer\"";
    case KeyKind::quantity:
    case KeyKind::formula:
      return reference("quantity");
    case KeyKind::vector:
    case KeyKind::drives:
      return reference("vector");
    case KeyKind::quantities:
      return reference("quantities");
    case KeyKind::formulas:
      return "\"type\": \"array\", \"items\": {" + reference("quantity") + "}";
    case KeyKind::matrix:
      return "\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": {\"type\": \"number\"}}";
    case KeyKind::drive:
      return any_of(reference("quantity"), reference(key.table->name));
    case KeyKind::place:
      return any_of("\"type\": \"string\"", reference(key.table->name));
    case KeyKind::table:
      return reference(key.table->name);
    case KeyKind::tables:
      return "\"type\": \"array\", \"items\": {" + reference(key.table->name) + "}";
    case KeyKind::named_tables:
      break;
  }
  return "\"type\": \"object\", \"additionalProperties\": {" + reference(key.table->name) + "}";
}

bool has_unit(const SceneKey& key) {
  return !key.unit.empty() && key.unit != "1" && key.kind != KeyKind::text;
}

std::string description(const SceneKey& key) {
  std::string text(key.meaning);
  if (text.empty() && key.table != nullptr) text = key.table->meaning;
  if (has_unit(key)) text += (text.empty() ? "[" : " [") + std::string(key.unit) + "]";
  if (!key.fallback.empty() && !key.is_required())
    text += (text.empty() ? "" : "; ") + ("default: " + std::string(key.fallback));
  return text;
}

std::string table_schema(const SceneTable& table, const std::string& indent) {
  std::string text = indent + "\"description\": " + json(table.meaning) + ",\n" + indent + "\"type\": \"object\",\n" +
                     indent + "\"additionalProperties\": false,\n";
  std::string required;
  for (const SceneKey& key : table.keys)
    if (key.is_required()) required += (required.empty() ? "" : ", ") + json(key.name);
  if (!required.empty()) text += indent + "\"required\": [" + required + "],\n";
  text += indent + "\"properties\": {\n";
  for (const SceneKey& key : table.keys) {
    // In draft 7 everything next to a $ref is ignored.
    std::string value = value_schema(key);
    if (value.starts_with("\"$ref\"")) value = "\"allOf\": [{" + value + "}]";
    text += indent + "  " + json(key.name) + ": {" + value + ", \"description\": " + json(description(key)) + "}" +
            (&key == &table.keys.back() ? "\n" : ",\n");
  }
  return text + indent + "}";
}

std::string value_text(const SceneKey& key) {
  const std::string unit = has_unit(key) ? " [" + std::string(key.unit) + "]" : "";
  switch (key.kind) {
    case KeyKind::text:
      return "text";
    case KeyKind::texts:
      return "array of texts";
    case KeyKind::word: {
      std::string words;
      for (const std::string_view word : key.words) words += (words.empty() ? "`" : " `") + std::string(word) + "`";
      return words;
    }
    case KeyKind::flag:
      return "true, false";
    case KeyKind::count:
      return "whole number";
    case KeyKind::quantity:
      return "number" + unit;
    case KeyKind::vector:
      return "three numbers" + unit;
    case KeyKind::quantities:
      return "numbers" + unit;
    case KeyKind::formula:
      return "formula" + unit;
    case KeyKind::formulas:
      return "array of formulas" + unit;
    case KeyKind::matrix:
      return "array of rows of numbers" + unit;
    case KeyKind::drive:
      return "formula or `table`";
    case KeyKind::drives:
      return "three formulas" + unit;
    case KeyKind::place:
      return "name or `" + std::string(key.table->name) + "`";
    case KeyKind::table:
    case KeyKind::tables:
    case KeyKind::named_tables:
      break;
  }
  return std::string(key.kind == KeyKind::table ? "`" : "tables `") + std::string(key.table->name) + "`";
}

}  // namespace

std::string scene_schema() {
  std::string text =
      "{\n"
      "  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
      "  \"title\": \"Pintle scene\",\n" +
      table_schema(scene_root(), "  ") +
      ",\n"
      "  \"definitions\": {\n"
      "    \"quantity\": {\"type\": [\"number\", \"string\"], \"description\": \"a number in SI units, or a text with "
      "a "
      "unit: \\\"20 mm\\\"\"},\n"
      "    \"vector\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/quantity\"}, \"minItems\": 3, "
      "\"maxItems\": 3},\n"
      "    \"quantities\": {\"anyOf\": [{\"$ref\": \"#/definitions/quantity\"}, {\"type\": \"array\", \"items\": "
      "{\"$ref\": \"#/definitions/quantity\"}}]}";
  for (const SceneTable* const table : scene_tables()) {
    if (table == &scene_root()) continue;
    text += ",\n    " + json(table->name) + ": {\n" + table_schema(*table, "      ") + "\n    }";
  }
  return text + "\n  }\n}\n";
}

std::string scene_reference() {
  std::string text;
  for (const SceneTable* const table : scene_tables()) {
    text += (text.empty() ? "### `" : "\n### `") + std::string(table->name) + "`: `" + std::string(table->header) +
            "`\n\n" + std::string(table->meaning) + "\n";
    if (!table->keys.empty()) text += "\n| key | value | default | meaning |\n|---|---|---|---|\n";
    for (const SceneKey& key : table->keys) {
      text += "| `" + std::string(key.name) + "` | " + value_text(key) + " | " + std::string(key.fallback) + " | " +
              std::string(key.meaning) + " |\n";
    }
  }
  return text;
}

}  // namespace pintle
