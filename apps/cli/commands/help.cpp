#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "commands/commands.h"
#include "embedded_pages.h"
#include "exit_code.h"
#include "pintle/base/nearest_name.h"
#include "pintle/io/diagnostics/problem_rules.h"

namespace pintle::cli {
namespace {

/// The heading of a page: its first line without "# ".
std::string_view heading(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  return line.starts_with("# ") ? line.substr(2) : line;
}

void list() {
  fmt::print("pintle help TOPIC prints a page of the manual:\n\n");
  for (const EmbeddedPage& page : embedded_pages()) fmt::print("  {:<14}{}\n", page.topic, heading(page.text));
  fmt::print("\npintle help CODE explains a problem such as {}, pintle help COMMAND lists options.\n", "axis-zero");
}

/// "expressions" of "docs/formats/expressions.md".
std::string topic_of(std::string text) {
  if (text.ends_with(".md")) text.resize(text.size() - 3);
  return text.substr(text.rfind('/') + 1);
}

[[noreturn]] void no_such_topic(const CLI::App& app, const std::string& topic) {
  std::vector<std::string> known;
  for (const EmbeddedPage& page : embedded_pages()) known.emplace_back(page.topic);
  for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  for (const ProblemRule& rule : problem_rules()) known.push_back(rule.code);
  const std::string nearest = nearest_name(topic, known);
  throw CommandError(ExitCode::usage,
                     fmt::format("there is no help on '{}'{}", topic,
                                 nearest.empty() ? "; pintle help lists the topics"
                                                 : fmt::format("; did you mean '{}'?", nearest)));
}

/// A page, a problem code or a command, in this order.
void show(const CLI::App& app, const std::string& given) {
  const std::string topic = topic_of(given);
  for (const EmbeddedPage& page : embedded_pages()) {
    if (page.topic != topic) continue;
    fmt::print("{}", page.text);
    return;
  }
  for (const ProblemRule& rule : problem_rules()) {
    if (rule.code != topic) continue;
    fmt::print("{}: {}\n  fix: {}\n  see: pintle help problems\n", rule.code, rule.meaning, rule.remedy);
    return;
  }
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() != topic) continue;
    fmt::print("{}", command->help(app.get_name()));
    return;
  }
  no_such_topic(app, topic);
}

}  // namespace

void add_help_command(CLI::App& app) {
  auto topic = std::make_shared<std::string>();
  CLI::App* const command = app.add_subcommand("help", "Print a page of the manual, or explain a problem code");
  command->add_option("TOPIC", *topic, "a page (pintle help lists them), a problem code, or a command");
  command->callback([topic, &app] { topic->empty() ? list() : show(app, *topic); });
}

}  // namespace pintle::cli
