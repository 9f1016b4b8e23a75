// The help of commands, in lines of a terminal.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace pintle::cli {

/// Puts what options are about into lines that end within 80 columns.
class HelpText : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace pintle::cli
