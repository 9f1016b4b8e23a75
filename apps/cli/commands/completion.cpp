#include "completion.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands/commands.h"
#include "exit_code.h"
#include "man_page.h"

namespace pintle::cli {
namespace {

void print_script(const std::string& shell, const std::vector<CommandFacts>& tree) {
  if (shell == "bash") {
    fmt::print("{}", bash_completion(tree));
  } else if (shell == "zsh") {
    fmt::print("{}", zsh_completion(tree));
  } else if (shell == "fish") {
    fmt::print("{}", fish_completion(tree));
  } else {
    throw CommandError(ExitCode::usage, fmt::format("'{}' is not one of bash, zsh and fish", shell));
  }
}

}  // namespace

void add_completion_command(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* const command = app.add_subcommand("completion", "Print a script that completes words in a shell");
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required();
  command->footer(
      "source <(pintle completion bash) completes words in the shell you are in. The\n"
      "package of the program installs all three scripts for every shell.");
  command->callback([shell, &app] { print_script(*shell, command_tree(app)); });
}

void add_man_command(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("man", "Print the manual page, for man -l -");
  command->group("");  // only packagers need it
  command->callback([&app] { fmt::print("{}", man_page(command_tree(app))); });
}

}  // namespace pintle::cli
