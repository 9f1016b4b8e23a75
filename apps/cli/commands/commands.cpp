#include "commands/commands.h"

namespace pintle::cli {

void add_commands(CLI::App& app) {
  add_version_flag(app);
}

}  // namespace pintle::cli
