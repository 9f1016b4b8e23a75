#include "command_tree.h"

#include <CLI/CLI.hpp>

#include "pintle/simulation/integrators/stepper.h"
#include "scene_input.h"

namespace pintle::cli {
namespace {

/// The options whose value is not arbitrary text; a positional argument has no separate value name.
struct KnownValue {
  const char* option;
  const char* value;
  ValueKind kind;
};
constexpr KnownValue kKnownValues[] = {
    {"SCENE", "", ValueKind::scene},
    {"NAME", "", ValueKind::scene_name},
    {"RUN", "", ValueKind::run},
    {"OUT", "", ValueKind::text},
    {"A", "", ValueKind::run},
    {"B", "", ValueKind::run},
    {"SHELL", "", ValueKind::shell},
    {"--out", "DIR", ValueKind::folder},
    {"--resume", "DIR", ValueKind::folder},
    {"--integrator", "NAME", ValueKind::integrator},
    {"--time", "DURATION", ValueKind::text},
    {"--step", "DURATION", ValueKind::text},
    {"--checkpoint-every", "DURATION", ValueKind::text},
    {"--set", "KEY=VALUE", ValueKind::text},
    {"--units", "SYSTEM", ValueKind::text},
    {"--base", "fixed|free", ValueKind::text},
    {"--allow", "DIR", ValueKind::folder},
    {"--package", "NAME=FOLDER", ValueKind::text},
    {"--fix-inertia", "OUT", ValueKind::text},
    {"--tolerance", "NUMBER", ValueKind::text},
    {"--absolute", "NUMBER", ValueKind::text},
    {"--q", "NUMBERS", ValueKind::text},
    {"--v", "NUMBERS", ValueKind::text},
    {"--tau", "NUMBERS", ValueKind::text},
    {"--a", "NUMBERS", ValueKind::text},
};

const KnownValue* find_known(const CLI::Option& option) {
  for (const KnownValue& known : kKnownValues)
    if (option.check_name(known.option)) return &known;
  return nullptr;
}

OptionFacts facts_of(const CLI::Option& option) {
  OptionFacts facts;
  facts.positional = option.get_positional();
  if (facts.positional) {
    facts.names = {option.get_name(true)};
  } else {
    for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
  }
  facts.about = option.get_description();
  facts.required = option.get_required();
  facts.repeated = option.get_expected_max() > 1;
  if (option.get_items_expected_max() == 0) return facts;
  const KnownValue* const known = find_known(option);
  facts.kind = known == nullptr ? ValueKind::text : known->kind;
  facts.value = option.get_type_name();
  return facts;
}

CommandFacts facts_of(const CLI::App& app) {
  CommandFacts facts{app.get_name(), app.get_description(), app.get_footer(), {}};
  for (const CLI::Option* option : app.get_options({}))
    if (!option->get_group().empty()) facts.options.push_back(facts_of(*option));
  return facts;
}

}  // namespace

std::vector<CommandFacts> command_tree(const CLI::App& app) {
  std::vector<CommandFacts> tree{facts_of(app)};
  for (const CLI::App* command : app.get_subcommands({}))
    if (!command->get_group().empty()) tree.push_back(facts_of(*command));
  return tree;
}

void name_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options({})) {
    const KnownValue* const known = find_known(*option);
    if (known != nullptr && option->get_items_expected_max() > 0) option->type_name(known->value);
  }
  for (CLI::App* command : app.get_subcommands({})) name_values(*command);
}

void refuse_empty_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options({})) {
    if (option->get_positional() || option->get_items_expected_min() == 0) continue;
    option->check(
        CLI::Validator([](std::string& value) { return value.empty() ? "the value is empty" : std::string(); }, ""));
  }
  for (CLI::App* command : app.get_subcommands({})) refuse_empty_values(*command);
}

std::vector<std::string> known_values(ValueKind kind) {
  std::vector<std::string> values;
  if (kind == ValueKind::scene || kind == ValueKind::scene_name)
    for (const EmbeddedScene& scene : embedded_scenes()) values.emplace_back(scene.name);
  if (kind == ValueKind::integrator)
    for (const MethodFacts& method : kMethodFacts) values.emplace_back(method.name);
  if (kind == ValueKind::shell) values = {"bash", "zsh", "fish"};
  return values;
}

}  // namespace pintle::cli
