#include "pintle/io/toml/scene_schema.h"

#include <doctest/doctest.h>

#include <set>

#include "io/scene_blocks.h"
#include "pintle/io/toml/scene_keys.h"
#include "pintle/io/toml/toml_value.h"
#include "pintle/simulation/scene/scene.h"

namespace pintle {
namespace {

using namespace test;

/// Marks what a file uses of the keys.
void mark(const TomlValue& value, const SceneTable& table, std::set<const SceneKey*>& used) {
  for (const TomlMember& member : value.members) {
    const SceneKey* const key = table.find(member.key);
    REQUIRE(key != nullptr);
    used.insert(key);
    if (key->table == nullptr) continue;
    if (key->kind == KeyKind::named_tables) {
      for (const TomlMember& named : member.value.members) mark(named.value, *key->table, used);
    } else if (member.value.is_table()) {
      mark(member.value, *key->table, used);
    } else if (key->kind == KeyKind::tables) {
      for (const TomlValue& item : member.value.items) mark(item, *key->table, used);
    }
  }
}

TEST_CASE("every example of docs/formats/scene.md is read and compiled") {
  const std::vector<std::string> blocks = toml_blocks();
  CHECK(blocks.size() >= 9);
  for (const std::string& block : blocks) {
    MemoryFiles others = block_files();
    const Result<SceneSpec> spec = read_scene_text(block, "scene.md", others);
    for (const Diagnostic& problem : spec.diagnostics()) FAIL_CHECK(format(problem, block));
    if (!spec) continue;
    const Result<Scene> scene = compile(*spec);
    for (const Diagnostic& problem : scene.diagnostics()) FAIL_CHECK(format(problem, block));
  }
}

// A key that the reader does not ask for is a problem of the file ("scene-unused"), and one it asks for that is not in
// the list throws. So when the examples above are read without a problem and contain every key, list and reader agree.
TEST_CASE("the examples of docs/formats/scene.md contain every key") {
  std::set<const SceneKey*> used;
  for (const std::string& block : toml_blocks()) mark(*parse_toml(block, "scene.md"), scene_root(), used);
  std::set<std::string> seldom = {"frame.repeat",   "coupling.repeat", "controller.repeat", "spring.repeat",
                                  "bushing.repeat", "force.repeat",    "drag.repeat",       "event.repeat",
                                  "sensor.repeat",  "ground.repeat",   "control.repeat"};
  for (const SceneTable* const table : scene_tables()) {
    for (const SceneKey& key : table->keys) {
      const std::string name = std::string(table->name) + "." + std::string(key.name);
      if (seldom.erase(name) == 0) CHECK_MESSAGE(used.count(&key) == 1, name);
    }
  }
}

TEST_CASE("every table is listed once, and every key leads to a listed one") {
  std::set<const SceneTable*> listed;
  std::set<std::string_view> names;
  for (const SceneTable* const table : scene_tables()) {
    CHECK(listed.insert(table).second);
    CHECK(names.insert(table->name).second);
  }
  for (const SceneTable* const table : scene_tables())
    for (const SceneKey& key : table->keys)
      if (key.table != nullptr) CHECK(listed.count(key.table) == 1);
}

TEST_CASE("docs/formats/scene.schema.json is the schema") {
  CHECK(source_text("docs/formats/scene.schema.json") == scene_schema());
}

TEST_CASE("docs/formats/scene.md contains the reference") {
  CHECK(source_text("docs/formats/scene.md")
            .find("<!-- made by scene_reference() -->\n" + scene_reference() + "<!-- end -->\n") != std::string::npos);
}

}  // namespace
}  // namespace pintle
