#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands/commands.h"
#include "exit_code.h"
#include "scene_input.h"

namespace pintle::cli {
namespace {

struct Words {
  std::string scene;
  SceneOverrides overrides;
  bool json = false;
};

nlohmann::ordered_json as_json(const Diagnostics& problems) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
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

void check(const Words& words) {
  const ReadScene read = read_input(words.scene, words.overrides);
  Diagnostics problems = read.spec.diagnostics();
  if (read.spec) {
    const Result<Scene> scene = compile(*read.spec);
    problems.insert(problems.end(), scene.diagnostics().begin(), scene.diagnostics().end());
  }
  std::size_t errors = 0;
  for (const Diagnostic& problem : problems) errors += problem.severity == Severity::error ? 1 : 0;
  if (words.json) {
    fmt::print(
        "{}\n",
        nlohmann::ordered_json{{"scene", read.name}, {"errors", errors}, {"problems", as_json(problems)}}.dump(2));
  } else {
    fmt::print("{}", problems_text(problems, read.texts));
    if (problems.empty()) fmt::print("{}: no problems\n", read.name);
  }
  if (errors > 0) throw CommandExit(ExitCode::bad_model);
}

}  // namespace

void add_check_command(CLI::App& app) {
  auto words = std::make_shared<Words>();
  CLI::App* const command = app.add_subcommand("check", "Check a scene file: every problem with its place and its fix");
  command->add_option("SCENE", words->scene, "a scene file, or the name of an embedded scene")->required();
  command->add_option("--set", words->overrides.set, "key=value: change the scene, as in run.step='1 ms'");
  command->add_flag("--json", words->json, "print problems[] as JSON");
  command->callback([words] { check(*words); });
}

}  // namespace pintle::cli
