#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands/commands.h"
#include "exit_code.h"
#include "scene_input.h"

namespace pintle::cli {
namespace {

void list() {
  for (const EmbeddedScene& scene : embedded_scenes()) fmt::print("{:<16} {}\n", scene.name, about(scene.text));
  fmt::print("\npintle run NAME runs one; pintle scenes NAME prints its file, to start from.\n");
}

void show(const std::string& name) {
  for (const EmbeddedScene& scene : embedded_scenes()) {
    if (scene.name != name) continue;
    fmt::print("{}", scene.text);
    return;
  }
  read_input(name, {});  // says which name is nearest
}

}  // namespace

void add_scenes_command(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  CLI::App* const command = app.add_subcommand("scenes", "List the scenes that come with the program, or print one");
  command->add_option("NAME", *name, "print the file of this scene");
  command->callback([name] { name->empty() ? list() : show(*name); });
}

}  // namespace pintle::cli
