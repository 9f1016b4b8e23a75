#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <limits>
#include <memory>

#include "commands/commands.h"
#include "exit_code.h"
#include "pintle/text/first_comment.h"
#include "pintle/text/json.h"
#include "pintle/text/wrapped.h"
#include "scene_input.h"
#include "terminal_style.h"

namespace pintle::cli {
namespace {

struct ScenesArguments {
  std::string name;
  bool json = false;
};

constexpr std::size_t kNameWidth = 17;

/// The name of a scene and what it is about, in lines of at most `width` columns.
std::string entry(const EmbeddedScene& scene, int width) {
  std::vector<std::string> words = words_of(first_comment(scene.text));
  words.insert(words.begin(), fmt::format("{:<{}}", scene.name, kNameWidth - 1));
  return wrapped(words, kNameWidth, width);
}

void list(bool json) {
  if (json) {
    Json scenes = Json::array();
    for (const EmbeddedScene& scene : embedded_scenes())
      scenes.push_back({{"name", scene.name}, {"about", first_comment(scene.text)}});
    fmt::print("{}\n", Json{{"scenes", scenes}}.dump(2));
    return;
  }
  // One scene a line for other programs.
  const int width = is_terminal(stdout) ? terminal_width(stdout) : std::numeric_limits<int>::max();
  for (const EmbeddedScene& scene : embedded_scenes()) fmt::print("{}", entry(scene, width));
  fmt::print("\npintle run NAME runs one; pintle scenes NAME prints its file, to start from.\n");
}

void show(const ScenesArguments& arguments) {
  for (const EmbeddedScene& scene : embedded_scenes()) {
    if (scene.name != arguments.name) continue;
    if (arguments.json) {
      fmt::print("{}\n",
                 Json{{"name", scene.name}, {"about", first_comment(scene.text)}, {"text", scene.text}}.dump(2));
    } else {
      fmt::print("{}", scene.text);
    }
    return;
  }
  no_such_scene(arguments.name);
}

}  // namespace

void add_scenes_command(CLI::App& app) {
  auto arguments = std::make_shared<ScenesArguments>();
  CLI::App* const command = app.add_subcommand("scenes", "List the scenes that come with the program, or print one");
  command->add_option("NAME", arguments->name, "print the file of this scene");
  command->add_flag("--json", arguments->json, "print JSON (docs/formats/commands.md)");
  command->callback([arguments] { arguments->name.empty() ? list(arguments->json) : show(*arguments); });
}

}  // namespace pintle::cli
