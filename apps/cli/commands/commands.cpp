#include "commands/commands.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "command_tree.h"

namespace pintle::cli {

void add_commands(CLI::App& app) {
  add_version_flag(app);
  add_run_command(app);
  add_check_command(app);
  add_info_command(app);
  add_diff_command(app);
  add_render_command(app);
  add_scenes_command(app);
  add_schema_command(app);
  add_dynamics_command(app);
  add_screw_command(app);
  add_completion_command(app);
  add_man_command(app);
  name_values(app);
  // The help of the program has short names, and the help of commands is made by another formatter.
  auto formatter = std::make_shared<CLI::Formatter>();
  formatter->column_width(14);
  app.formatter(formatter);
}

}  // namespace pintle::cli
