// Prints problems in colour.
#pragma once

#include <string>

#include "pintle/base/diagnostic.h"
#include "terminal_style.h"

namespace pintle::cli {

/// `text` is the problem as `format` gives it: its place, its kind, the caret and the word "fix" are coloured.
std::string coloured_problem(const Diagnostic& problem, const std::string& text, const Colors& colors);

}  // namespace pintle::cli
