// Formats the help of commands for a terminal.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace pintle::cli {

/// Wraps the descriptions of options within 80 columns.
class HelpText : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace pintle::cli
