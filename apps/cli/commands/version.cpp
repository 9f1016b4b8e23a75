#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands/commands.h"
#include "exit_code.h"
#include "pintle/base/isa.h"
#include "pintle/base/version.h"
#include "pintle/io/recording/run_json.h"
#include "pintle/text/json.h"

namespace pintle::cli {
namespace {

struct VersionArguments {
  bool version = false, json = false;
};

void print_text() {
  const Isa isa = active_isa();
  fmt::print(
      "pintle {}\n"
      "compiler         {}\n"
      "instruction set  {}\n"
      "bit family       {}\n",
      kVersion, compiler_name(), name(isa), bit_family(isa));
}

void print_json() {
  const Isa isa = active_isa();
  const Json json{
      {"version", kVersion}, {"compiler", compiler_name()}, {"isa", name(isa)}, {"bit_family", bit_family(isa)}};
  fmt::print("{}\n", json.dump(2));
}

}  // namespace

void add_version_flag(CLI::App& app) {
  auto arguments = std::make_shared<VersionArguments>();
  app.add_flag("--version", arguments->version, "Print version, compiler, instruction set, bit family");
  app.add_flag("--json", arguments->json, "With --version: as JSON");
  // Runs before any command: --version ignores them.
  app.parse_complete_callback([arguments] {
    if (arguments->json && !arguments->version)
      throw CommandError(ExitCode::usage, "--json goes with --version, or behind a command");
    if (!arguments->version) return;
    arguments->json ? print_json() : print_text();
    throw CommandExit(ExitCode::ok);
  });
}

}  // namespace pintle::cli
