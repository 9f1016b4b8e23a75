#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "commands/commands.h"
#include "counted.h"
#include "exit_code.h"
#include "losses_text.h"
#include "pintle/io/diagnostics/sarif.h"
#include "pintle/io/sources/scene_files.h"
#include "pintle/simulation/run/check_start.h"
#include "pintle/text/json.h"
#include "repaired_inertias.h"
#include "scene_input.h"
#include "standard_streams.h"

namespace pintle::cli {
namespace {

struct CheckArguments {
  std::string scene;
  SceneOverrides overrides;
  std::string repaired;  ///< the file to write with repaired inertias
  bool json = false, sarif = false;
};

/// The problems found, and the scene if there is one.
struct Findings {
  Diagnostics problems;
  std::size_t errors = 0, warnings = 0, losses = 0;
  std::string contents;  ///< "3 bodies, 4 dofs, 1 motor; 2 s by rk4"
};

std::string contents(const Scene& scene) {
  const SceneSpec& spec = scene.spec();
  std::string text =
      counted(scene.model().bodies().size(), "body", "bodies") + ", " + counted(scene.model().nv(), "dof", "dofs");
  const struct {
    std::size_t count;
    const char *one, *several;
  } parts[] = {{spec.motors.size() + spec.prescribed.size(), "motor", "motors"},
               {spec.controllers.size(), "controller", "controllers"},
               {spec.feedbacks.size(), "control", "controls"},
               {spec.joint_springs.size() + spec.line_springs.size(), "spring", "springs"},
               {spec.bushings.size(), "bushing", "bushings"},
               {spec.body_forces.size(), "force", "forces"},
               {spec.drags.size(), "drag", "drags"},
               {spec.events.size(), "event", "events"},
               {spec.sensors.size(), "sensor", "sensors"}};
  for (const auto& part : parts)
    if (part.count > 0) text += ", " + counted(part.count, part.one, part.several);
  return text + fmt::format("; {:g} s by {}", spec.run.duration, facts(spec.run.method).name);
}

void append(Diagnostics& all, const Diagnostics& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// Finds the problems of a scene, including those of its initial state.
Findings look(const ReadScene& read) {
  Findings findings;
  findings.losses = read.losses.losses().size();
  findings.problems = read.scene.diagnostics();
  if (read.scene) {
    append(findings.problems, check_start(*read.scene));
    findings.contents = contents(*read.scene);
  }
  for (const Diagnostic& problem : findings.problems) {
    findings.errors += problem.severity == Severity::error ? 1 : 0;
    findings.warnings += problem.severity == Severity::warning ? 1 : 0;
  }
  return findings;
}

Json as_json(const Diagnostics& problems) {
  Json list = Json::array();
  for (const Diagnostic& problem : problems) {
    list.push_back({{"code", problem.code},
                    {"severity", name(problem.severity)},
                    {"file", problem.origin.file},
                    {"line", problem.origin.line},
                    {"column", problem.origin.column},
                    {"message", problem.what},
                    {"why", problem.why},
                    {"fix", problem.fix}});
  }
  return list;
}

void print_json(const Findings& findings, const ReadScene& read, const RepairedUrdf* repaired) {
  Json json{{"scene", read.name},
            {"errors", findings.errors},
            {"warnings", findings.warnings},
            {"problems", as_json(findings.problems)},
            {"losses", losses_json(read.losses)}};
  if (repaired != nullptr) json["inertia_changes"] = repaired_json(*repaired);
  fmt::print("{}\n", json.dump(2));
}

/// The path of a file relative to the working directory; absolute if it lies outside.
std::string path_from_here(const std::string& file) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::proximate(file, error);
  return error || path.empty() || *path.begin() == ".."
             ? std::filesystem::absolute(file, error).lexically_normal().string()
             : path.generic_string();
}

/// The files that have problems; command line options and embedded scenes are not files.
std::vector<SarifFile> files_of(const Diagnostics& problems) {
  constexpr std::size_t kMaxRead = 64 << 20;
  std::vector<SarifFile> files;
  for (const Diagnostic& problem : problems) {
    const std::string& file = problem.origin.file;
    const auto is_same = [&](const SarifFile& other) { return other.name == file; };
    std::error_code error;
    if (std::any_of(files.begin(), files.end(), is_same) || !std::filesystem::is_regular_file(file, error)) continue;
    const Result<std::string> text = read_whole_file(file, kMaxRead);
    files.push_back({file, path_from_here(file), text ? *text : std::string()});
  }
  return files;
}

void print_text(const Findings& findings, const ReadScene& read, bool strict) {
  fmt::print("{}", problems_text(findings.problems, read.texts, stdout));
  if (!read.losses.entries.empty())
    fmt::print("{}{}\n{}", findings.problems.empty() ? "" : "\n", losses_count(read.losses), losses_text(read.losses));
  std::string count;
  if (findings.errors > 0) count = counted(findings.errors, "error", "errors");
  if (findings.warnings > 0) count += (count.empty() ? "" : ", ") + counted(findings.warnings, "warning", "warnings");
  if (strict && findings.losses > 0) {
    count += (count.empty() ? "" : ", ") + counted(findings.losses, "loss", "losses");
    fmt::print("\n{} ({} by --strict)\n", count, findings.losses == 1 ? "an error" : "an error each");
  } else if (findings.errors > 0) {
    fmt::print("\n{}\n", count);
  } else {
    const bool alone = findings.problems.empty() && read.losses.entries.empty();
    fmt::print("{}{}: {}; {}\n", alone ? "" : "\n", read.name, count.empty() ? "no problems" : count + ", no errors",
               findings.contents);
  }
}

void print_sarif(const Findings& findings, const ReadScene& read, bool strict) {
  Diagnostics problems = findings.problems;
  append(problems, loss_problems(read.losses, strict ? Severity::error : Severity::note));
  fmt::print("{}", sarif_text(problems, files_of(problems)));
}

void check(const CheckArguments& arguments) {
  std::optional<RepairedUrdf> repaired;
  if (!arguments.repaired.empty()) repaired = write_repaired(arguments.scene, arguments.repaired);
  const ReadScene read = read_input(repaired ? arguments.repaired : arguments.scene, arguments.overrides);
  const Findings findings = look(read);
  const bool strict = arguments.overrides.strict;
  if (arguments.json) {
    print_json(findings, read, repaired ? &*repaired : nullptr);
  } else if (arguments.sarif) {
    if (repaired) say(repaired_text(*repaired, arguments.repaired));
    print_sarif(findings, read, strict);
  } else {
    if (repaired) fmt::print("{}\n", repaired_text(*repaired, arguments.repaired));
    print_text(findings, read, strict);
  }
  if (findings.errors > 0 || (strict && findings.losses > 0)) throw CommandExit(ExitCode::bad_model);
}

}  // namespace

void add_check_command(CLI::App& app) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* const command = app.add_subcommand("check", "Check a scene or a URDF: every problem with place and fix");
  command->add_option("SCENE", arguments->scene, "a scene or URDF file, or the name of an embedded scene")->required();
  command->add_option("--set", arguments->overrides.set, "key=value: change the scene, as in run.step='1 ms'");
  add_file_options(*command, arguments->overrides);
  command->add_option("--fix-inertia", arguments->repaired,
                      "write a URDF with the nearest possible inertias to this file, and check that");
  CLI::Option* const json = command->add_flag("--json", arguments->json, "print problems[] and losses as JSON");
  command->add_flag("--sarif", arguments->sarif, "print SARIF 2.1.0, for tools that show problems beside the lines")
      ->excludes(json);
  command->callback([arguments] { check(*arguments); });
}

}  // namespace pintle::cli
