#include "pintle/io/toml/key_elsewhere.h"

#include <algorithm>
#include <vector>

#include "pintle/base/nearest_name.h"

namespace pintle {
namespace {

constexpr std::size_t kMaxTables = 3;  // more would not help

bool holds_table(const TomlValue& value) {
  return value.is_table() || (value.is_array() && !value.items.empty() && value.items[0].is_table());
}

bool may_be(const SceneKey& key, const TomlValue& value) {
  switch (key.kind) {
    case KeyKind::table:
    case KeyKind::tables:
    case KeyKind::named_tables:
      return holds_table(value);
    default:
      return !holds_table(value) || key.table != nullptr;
  }
}

bool is_within(const SceneTable& inner, const SceneTable& outer) {
  return std::any_of(outer.keys.begin(), outer.keys.end(), [&](const SceneKey& key) { return key.table == &inner; });
}

/// How far a table is from another: within it, around it, elsewhere.
int steps_between(const SceneTable& from, const SceneTable& to) {
  return is_within(to, from) ? 0 : is_within(from, to) ? 1 : 2;
}

struct KeyPlace {
  const SceneTable* table;
  const SceneKey* key;
  int distance;
};

template <class IsIt>
std::vector<KeyPlace> places_of(const SceneTable& here, const TomlValue& value, IsIt is_it) {
  std::vector<KeyPlace> found;
  for (const SceneTable* const table : scene_tables())
    for (const SceneKey& key : table->keys)
      if (is_it(key.name) && may_be(key, value)) found.push_back({table, &key, steps_between(here, *table)});
  std::stable_sort(found.begin(), found.end(),
                   [](const KeyPlace& a, const KeyPlace& b) { return a.distance < b.distance; });
  return found;
}

}  // namespace

KeyElsewhere key_elsewhere(const SceneTable& here, std::string_view key, const TomlValue& value) {
  std::vector<KeyPlace> found = places_of(here, value, [&](std::string_view name) { return name == key; });
  std::vector<KeyPlace> synonyms = places_of(here, value, [&](std::string_view name) { return is_synonym(key, name); });
  if (found.empty() || (!synonyms.empty() && synonyms[0].distance < found[0].distance)) found.swap(synonyms);
  if (found.empty()) return {};
  KeyElsewhere elsewhere{found[0].key->name, {}};
  const int nearest = found[0].distance;
  const std::string_view name = elsewhere.name;
  std::erase_if(found, [&](const KeyPlace& place) { return place.key->name != name; });
  if (found.size() > kMaxTables) std::erase_if(found, [&](const KeyPlace& place) { return place.distance > nearest; });
  const std::size_t count = std::min(found.size(), kMaxTables);
  for (std::size_t i = 0; i < count; ++i) {
    elsewhere.tables += i == 0 ? "" : i + 1 < count ? ", " : found.size() > count ? ", " : " and ";
    elsewhere.tables += found[i].table->header;
  }
  if (found.size() > count) elsewhere.tables += " and others";
  return elsewhere;
}

}  // namespace pintle
