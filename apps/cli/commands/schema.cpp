#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands/commands.h"
#include "pintle/io/toml/scene_schema.h"

namespace pintle::cli {

void add_schema_command(CLI::App& app) {
  auto reference = std::make_shared<bool>(false);
  CLI::App* const command = app.add_subcommand("schema", "Print the JSON Schema of scene files, for editors");
  command->add_flag("--reference", *reference, "print the keys as tables in Markdown instead");
  command->callback([reference] { fmt::print("{}", *reference ? scene_reference() : scene_schema()); });
}

}  // namespace pintle::cli
