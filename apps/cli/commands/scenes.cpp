#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands/commands.h"
#include "exit_code.h"
#include "scene_input.h"

namespace pintle::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Words {
  std::string name;
  bool json = false;
};

void list(bool json) {
  if (json) {
    Json scenes = Json::array();
    for (const EmbeddedScene& scene : embedded_scenes())
      scenes.push_back({{"name", scene.name}, {"about", about(scene.text)}});
    fmt::print("{}\n", Json{{"scenes", scenes}}.dump(2));
    return;
  }
  for (const EmbeddedScene& scene : embedded_scenes()) fmt::print("{:<16} {}\n", scene.name, about(scene.text));
  fmt::print("\npintle run NAME runs one; pintle scenes NAME prints its file, to start from.\n");
}

void show(const Words& words) {
  for (const EmbeddedScene& scene : embedded_scenes()) {
    if (scene.name != words.name) continue;
    if (words.json) {
      fmt::print("{}\n", Json{{"name", scene.name}, {"about", about(scene.text)}, {"text", scene.text}}.dump(2));
    } else {
      fmt::print("{}", scene.text);
    }
    return;
  }
  no_such_scene(words.name);
}

}  // namespace

void add_scenes_command(CLI::App& app) {
  auto words = std::make_shared<Words>();
  CLI::App* const command = app.add_subcommand("scenes", "List the scenes that come with the program, or print one");
  command->add_option("NAME", words->name, "print the file of this scene");
  command->add_flag("--json", words->json, "print JSON (docs/formats/commands.md)");
  command->callback([words] { words->name.empty() ? list(words->json) : show(*words); });
}

}  // namespace pintle::cli
