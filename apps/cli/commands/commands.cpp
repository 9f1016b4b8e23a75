#include "commands/commands.h"

namespace pintle::cli {

void add_commands(CLI::App& app) {
  add_version_flag(app);
  add_run_command(app);
  add_check_command(app);
  add_scenes_command(app);
  add_schema_command(app);
  add_demo_command(app);
  add_dynamics_command(app);
  add_screw_command(app);
}

}  // namespace pintle::cli
