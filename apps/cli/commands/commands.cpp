#include "commands/commands.h"

namespace pintle::cli {

void add_commands(CLI::App& app) {
  add_version_flag(app);
  add_demo_command(app);
  add_dynamics_command(app);
  add_screw_command(app);
}

}  // namespace pintle::cli
