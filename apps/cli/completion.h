// Completion of the program's words in shells.
#pragma once

#include <string>
#include <vector>

#include "command_tree.h"

namespace pintle::cli {

/// A script for a shell. Commands, options, scenes and integrators stand in it: completing starts no program.
std::string bash_completion(const std::vector<CommandFacts>& tree);
std::string zsh_completion(const std::vector<CommandFacts>& tree);
std::string fish_completion(const std::vector<CommandFacts>& tree);

}  // namespace pintle::cli
