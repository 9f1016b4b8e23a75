#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "commands/commands.h"
#include "diff_report.h"
#include "exit_code.h"
#include "numbers.h"
#include "pintle/io/recording/stored_run.h"

namespace pintle::cli {
namespace {

struct DiffArguments {
  std::string first, second, tolerance, absolute;
  bool json = false, all = false;
};

double not_negative(const char* option, const std::string& text) {
  if (text.empty()) return 0.0;
  const double number = parse_numbers<1>({.option = option, .count = "one", .names = "(such as 1e-9)"}, text)[0];
  if (number < 0.0) throw CommandError(ExitCode::usage, fmt::format("{}: {} is negative", option, text));
  return number;
}

StoredRun read(const std::string& path) {
  Result<StoredRun> run = read_stored_run(path);
  if (run) return std::move(*run);
  std::string problems;
  for (const Diagnostic& problem : run.diagnostics()) problems += "\n" + format(problem);
  throw CommandError(ExitCode::io, fmt::format("'{}' cannot be read as a run{}", path, problems));
}

void diff(const DiffArguments& arguments) {
  CompareOptions options;
  options.within = !arguments.tolerance.empty() || !arguments.absolute.empty();
  options.relative = not_negative("--tolerance", arguments.tolerance);
  options.absolute = not_negative("--absolute", arguments.absolute);
  const StoredRun first = read(arguments.first), second = read(arguments.second);
  if (!(first.has_table && second.has_table) && !(first.has_values && second.has_values)) {
    throw CommandError(ExitCode::usage, "a table and a run.json have nothing in common; give the folder of each run");
  }
  const ComparedRuns runs{first, second, options, compare_runs(first, second, options)};
  fmt::print("{}", arguments.json ? diff_json(runs) : diff_text(runs, arguments.all));
  if (!runs.comparison.equal) throw CommandExit(ExitCode::bad_model);
}

}  // namespace

void add_diff_command(CLI::App& app) {
  auto arguments = std::make_shared<DiffArguments>();
  CLI::App* const command = app.add_subcommand("diff", "Compare two runs: the first difference by joint and time");
  command->add_option("A", arguments->first, "a folder of results (run --out), or its run.csv or run.json")->required();
  command->add_option("B", arguments->second, "another one")->required();
  command->add_option("--tolerance", arguments->tolerance,
                      "relative to the largest value of a column; only common rows and columns are compared");
  command->add_option("--absolute", arguments->absolute, "absolute tolerance, added to it, in the unit of the column");
  command->add_flag("--all", arguments->all, "list every column and value that differs");
  command->add_flag("--json", arguments->json, "print JSON (docs/formats/commands.md)");
  command->footer(
      "Exit code 0: identical, or equal within the tolerance; 3: different; 4: a run\n"
      "cannot be read. How a run was made (versions, scene, settings) is printed but\n"
      "not compared. Within a tolerance only rows and columns of both runs count, not\n"
      "certificates and the residuals of balances.");
  command->callback([arguments] { diff(*arguments); });
}

}  // namespace pintle::cli
