#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands/commands.h"
#include "info_report.h"
#include "losses_text.h"
#include "scene_input.h"
#include "terminal_style.h"

namespace pintle::cli {
namespace {

struct InfoArguments {
  std::string scene;
  SceneOverrides overrides;
  bool json = false;
};

void info(const InfoArguments& arguments) {
  const ReadScene read = load_scene(arguments.scene, arguments.overrides);
  const Scene& scene = *read.scene;
  if (arguments.json) {
    fmt::print("{}", info_json(scene, arguments.scene, read.losses));
    return;
  }
  fmt::print("{}", info_text(scene, arguments.scene, terminal_width(stdout), units_of(arguments.overrides)));
  if (!read.losses.entries.empty()) fmt::print("\n{}\n{}", losses_count(read.losses), losses_text(read.losses));
}

}  // namespace

void add_info_command(CLI::App& app) {
  auto arguments = std::make_shared<InfoArguments>();
  CLI::App* const command = app.add_subcommand("info", "The tree of a scene, masses, inertias, limits, forces");
  command
      ->add_option("SCENE", arguments->scene, "a scene or URDF file, or the name of an embedded scene (pintle scenes)")
      ->required();
  command->add_option("--set", arguments->overrides.set, "key=value: change the scene, as in world.gravity='[0, 0, 0]'")
      ->allow_extra_args(false);
  add_file_options(*command, arguments->overrides);
  add_unit_option(*command, arguments->overrides);
  command->add_flag("--json", arguments->json, "print JSON (docs/formats/commands.md)");
  command->callback([arguments] { info(*arguments); });
}

}  // namespace pintle::cli
