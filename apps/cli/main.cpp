// `pintle`: parses the command line, calls the library, prints. The commands are in commands/.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <system_error>
#include <vector>

#include "commands/commands.h"
#include "exit_code.h"
#include "interrupt.h"
#include "pintle/base/isa.h"
#include "pintle/base/nearest_name.h"
#include "pintle/base/usage_error.h"
#include "standard_streams.h"

namespace pintle::cli {
namespace {

int fail(ExitCode code, const std::string& message) {
  say(fmt::format("pintle: error: {}\n", message));
  return static_cast<int>(code);
}

int fail_output(int error) {
  return fail(ExitCode::io, fmt::format("the output could not be written: {}", std::strerror(error)));
}

std::string meant(const std::string& word, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(word, names);
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

std::string unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return fmt::format("unknown command '{}'{}", word, meant(word, names));
}

std::string unknown_option(const CLI::App& command, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options({}))
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return fmt::format("unknown option '{}'{}", word, meant(word, names));
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  const auto is_option = [](const std::string& word) { return word.starts_with('-'); };
  const bool has_command = !app.get_subcommands().empty();
  const CLI::App& command = has_command ? *app.get_subcommands()[0] : app;
  const std::vector<std::string> rest = command.remaining();
  const auto option = std::find_if(rest.begin(), rest.end(), is_option);
  const auto word = std::find_if_not(rest.begin(), rest.end(), is_option);
  const std::string help = has_command ? fmt::format("\nTry 'pintle {} --help'.", command.get_name())
                                       : std::string("\nTry 'pintle --help'.");
  if (!has_command && word != rest.end()) return unknown_command(app, *word) + help;
  if (option != rest.end()) return unknown_option(command, *option) + help;
  if (word != rest.end()) return fmt::format("unexpected argument '{}'", *word) + help;
  return error.what() + help;
}

int run(int argc, char** argv) {
  CLI::App app("Rigid-body dynamics on screw theory", "pintle");
  add_commands(app);
  app.require_subcommand(0, 1);  // "pintle run screw" runs a scene that has the name of a command
  try {
    app.parse(argc, argv);
    if (argc == 1) fmt::print("{}", app.help());
    return static_cast<int>(ExitCode::ok);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);
    return fail(ExitCode::usage, usage_message(app, error));
  }
}

}  // namespace
}  // namespace pintle::cli

int main(int argc, char** argv) {
  using namespace pintle::cli;
  try {
    keep_standard_streams_apart();
    ignore_write_signals();
    pintle::active_isa();  // an invalid PINTLE_ISA is refused for every command
    const int code = run(argc, argv);
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? code : fail_output(errno);
  } catch (const CommandExit& exit) {
    return std::fflush(stdout) == 0 ? static_cast<int>(exit.code()) : fail_output(errno);
  } catch (const CommandError& error) {
    return fail(error.code(), error.what());
  } catch (const pintle::UsageError& error) {
    return fail(ExitCode::usage, error.what());
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0) return fail_output(error.code().value());
    return fail(ExitCode::internal, error.what());
  } catch (const std::exception& error) {
    return fail(ExitCode::internal, error.what());
  }
}
