#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands/commands.h"
#include "info_report.h"
#include "scene_input.h"
#include "terminal_style.h"

namespace pintle::cli {
namespace {

struct Words {
  std::string scene;
  SceneOverrides overrides;
  bool json = false;
};

void info(const Words& words) {
  const Scene scene = compiled_input(words.scene, words.overrides);
  fmt::print("{}", words.json ? info_json(scene, words.scene) : info_text(scene, words.scene, terminal_width(stdout)));
}

}  // namespace

void add_info_command(CLI::App& app) {
  auto words = std::make_shared<Words>();
  CLI::App* const command = app.add_subcommand("info", "The tree of a scene, masses, inertias, limits, all that acts");
  command->add_option("SCENE", words->scene, "a scene file, or the name of an embedded scene (pintle scenes)")
      ->required();
  command->add_option("--set", words->overrides.set, "key=value: change the scene, as in world.gravity='[0, 0, 0]'")
      ->allow_extra_args(false);
  command->add_flag("--json", words->json, "print JSON (docs/formats/commands.md)");
  command->callback([words] { info(*words); });
}

}  // namespace pintle::cli
