// Shell completion of the program's arguments.
#pragma once

#include <string>
#include <vector>

#include "command_tree.h"

namespace pintle::cli {

/// A completion script for a shell. It contains the commands, options, scenes and integrators: completing starts no
/// program.
std::string bash_completion(const std::vector<CommandFacts>& tree);
std::string zsh_completion(const std::vector<CommandFacts>& tree);
std::string fish_completion(const std::vector<CommandFacts>& tree);

}  // namespace pintle::cli
