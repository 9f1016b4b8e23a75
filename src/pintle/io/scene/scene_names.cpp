#include "pintle/io/scene/scene_names.h"

#include <utility>

#include "pintle/model/spec/model_spec.h"

namespace pintle {
namespace {

/// With more names than this the nearest one is not searched.
constexpr std::size_t kMaxNames = 2000;

const char* word_of(NameKind kind) {
  switch (kind) {
    case NameKind::body:
    case NameKind::body_or_world:
      return "body";
    case NameKind::joint:
      return "joint";
    case NameKind::frame:
      return "frame";
    case NameKind::place:
      return "body or frame";
    case NameKind::event:
      return "event";
    case NameKind::sensor:
      return "sensor";
    case NameKind::ground:
      return "ground";
    case NameKind::element:
      break;
  }
  return "motor, spring or other element";
}

}  // namespace

bool SceneNames::knows(NameKind kind, const std::string& name) const {
  return names_.count({kind, name}) > 0;
}

void SceneNames::insert(TomlTable& table, NameKind kind, const std::string& name, const Origin& origin) {
  const auto [at, is_new] = names_.emplace(std::pair(kind, name), origin);
  if (is_new) return;
  const Origin& first = at->second;
  const bool other_file = first.file != origin.file;
  table.file().add(
      origin, "scene-name-twice", std::string("a second ") + word_of(kind) + " is called '" + name + "'",
      "the first is in " + (other_file ? first.file + ", " : std::string()) + "line " + std::to_string(first.line),
      table.repetition() > 0 ? "put {i} into the name, or rename one of them" : "rename one of them");
}

std::string SceneNames::give(TomlTable& table, NameKind kind, std::string_view key) {
  const std::string kind_of_table = table.who();
  const int errors = table.file().errors();
  std::string name = table.text(key);
  const bool is_used = kind != NameKind::element && kind != NameKind::event && kind != NameKind::ground;
  if (is_used && (name.empty() || table.file().errors() > errors)) lose();
  if (name.empty()) return name;
  table.set_who(kind_of_table + " '" + name + "'");
  insert(table, kind, name, table.origin_of(key));
  return name;
}

std::string SceneNames::give_or(TomlTable& table, NameKind kind, const std::string& fallback) {
  if (table.has("name")) return give(table, kind);
  std::string name = fallback;
  for (int i = 2; knows(kind, name); ++i) name = fallback + "_" + std::to_string(i);
  table.ignore("name");
  table.set_who(table.who() + " '" + name + "'");
  insert(table, kind, name, table.origin());
  return name;
}

void SceneNames::give_quietly(TomlTable& table, NameKind kind, const std::string& name) {
  const bool is_own = table.has("name");
  if (name.empty() || (!is_own && knows(kind, name))) return;
  insert(table, kind, name, table.origin_of("name"));
}

void SceneNames::give_foreign(NameKind kind, const std::string& name, const Origin& origin) {
  names_.emplace(std::pair(kind, name), origin);
}

std::string SceneNames::use(TomlTable& table, NameKind kind, std::string_view key, std::string fallback) {
  std::string name = table.text(key, std::move(fallback));
  if (table.has(key) && !name.empty()) uses_.push_back({kind, name, table.origin_of(key), table.who(), &table.file()});
  return name;
}

void SceneNames::use(TomlTable& table, NameKind kind, const std::string& name, const Origin& origin) {
  uses_.push_back({kind, name, origin, table.who(), &table.file()});
}

bool SceneNames::exists(NameKind kind, const std::string& name) const {
  const bool world = kind == NameKind::place || kind == NameKind::body_or_world;
  if (world && name == kWorld) return true;
  if (kind == NameKind::place) return knows(NameKind::body, name) || knows(NameKind::frame, name);
  return knows(kind == NameKind::body_or_world ? NameKind::body : kind, name);
}

std::vector<std::string> SceneNames::all(NameKind kind) const {
  std::vector<std::string> names;
  for (const auto& [key, origin] : names_) {
    const bool body = key.first == NameKind::body && (kind == NameKind::place || kind == NameKind::body_or_world);
    const bool frame = key.first == NameKind::frame && kind == NameKind::place;
    if (key.first == kind || body || frame) names.push_back(key.second);
  }
  if (kind == NameKind::place || kind == NameKind::body_or_world) names.emplace_back(kWorld);
  return names;
}

void SceneNames::check() {
  if (lost_) return;
  const Use* last = nullptr;  // for repetitions only the first is reported
  for (const Use& use : uses_) {
    const NameKind kind = use.kind;
    if (exists(kind, use.name)) continue;
    const bool again = last != nullptr && last->file == use.file && last->origin.line == use.origin.line &&
                       last->origin.column == use.origin.column;
    last = &use;
    if (again) continue;
    const std::vector<std::string> known = all(kind);
    std::string why;
    if (known.empty()) why = std::string("the scene has no ") + word_of(kind) + " at all";
    if (!known.empty() && known.size() <= 12) why = "there are: " + listed(known);
    use.file->add(
        use.origin, "scene-name", use.who + ": there is no " + word_of(kind) + " '" + use.name + "'", why,
        did_you_mean(use.name, known.size() <= kMaxNames ? known : std::vector<std::string>(), "correct the name"));
  }
}

}  // namespace pintle
