// The manual page of the program.
#pragma once

#include <string>
#include <vector>

#include "command_tree.h"

namespace pintle::cli {

/// pintle(1), in troff with the macros of man(7).
std::string man_page(const std::vector<CommandFacts>& tree);

}  // namespace pintle::cli
