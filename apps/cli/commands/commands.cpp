#include "commands/commands.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "command_tree.h"
#include "help_text.h"

namespace pintle::cli {

void add_commands(CLI::App& app) {
  app.formatter(std::make_shared<HelpText>());
  add_version_flag(app);
  add_run_command(app);
  add_check_command(app);
  add_info_command(app);
  add_convert_command(app);
  add_diff_command(app);
  add_report_command(app);
  add_render_command(app);
  add_scenes_command(app);
  add_schema_command(app);
  add_dynamics_command(app);
  add_screw_command(app);
  add_help_command(app);
  add_completion_command(app);
  add_man_command(app);
  name_values(app);
  refuse_empty_values(app);
  // The names in the program's help are shorter than those of options, and the commands have their own formatter.
  auto formatter = std::make_shared<HelpText>();
  formatter->column_width(14);
  app.formatter(formatter);
}

}  // namespace pintle::cli
