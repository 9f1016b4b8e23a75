#include "completion.h"

#include <fmt/core.h>

#include <span>

namespace pintle::cli {
namespace {

/// The commands, without the program itself.
std::span<const CommandFacts> commands_of(const std::vector<CommandFacts>& tree) {
  return std::span(tree).subspan(1);
}

std::string joined(const std::vector<std::string>& arguments, const char* between) {
  std::string text;
  for (const std::string& word : arguments) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// ---- bash

/// The completions of a value.
std::string bash_values(ValueKind kind) {
  const std::string arguments = joined(known_values(kind), " ");
  switch (kind) {
    case ValueKind::scene:
      return fmt::format("_pintle_words \"{}\"; _pintle_files '*.toml' '*.urdf'", arguments);
    case ValueKind::folder:
    case ValueKind::run:
      return "_pintle_files ''";
    case ValueKind::scene_name:
    case ValueKind::integrator:
    case ValueKind::shell:
      return fmt::format("_pintle_words \"{}\"", arguments);
    case ValueKind::none:
    case ValueKind::text:
      break;
  }
  return ":";
}

void add_bash_command(std::string& script, const CommandFacts& command) {
  std::vector<std::string> names;
  std::string values;
  ValueKind positional = ValueKind::none;
  for (const OptionFacts& option : command.options) {
    if (option.positional) {
      positional = option.kind;
      continue;
    }
    names.insert(names.end(), option.names.begin(), option.names.end());
    if (option.kind == ValueKind::none) continue;
    values += fmt::format("        {}) {}; return ;;\n", joined(option.names, "|"), bash_values(option.kind));
  }
  script += fmt::format("    {})\n", command.name);
  if (!values.empty()) script += "      case $previous in\n" + values + "      esac\n";
  script += fmt::format("      case $current in\n        -*) _pintle_words \"{}\" ;;\n        *) {} ;;\n      esac\n",
                        joined(names, " "), bash_values(positional));
  script += "      ;;\n";
}

constexpr const char* kBashHelpers = R"(# bash completion of pintle, printed by: pintle completion bash

_pintle_words() {
  local word
  while IFS= read -r word; do
    COMPREPLY+=("$word")
  done < <(compgen -W "$1" -- "$current")
}

# Files of patterns, and folders.
_pintle_files() {
  local file pattern
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do
    COMPREPLY+=("$file")
  done < <(for pattern; do [ -z "$pattern" ] || compgen -f -X "!$pattern" -- "$current"; done; compgen -d -- "$current")
}

)";

// ---- zsh

/// Escapes a text for a specification of _arguments, within single quotes.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return result;
}

std::string zsh_values(ValueKind kind) {
  switch (kind) {
    case ValueKind::scene:
      return "_pintle_scenes";
    case ValueKind::folder:
    case ValueKind::run:
      return "_files -/";
    case ValueKind::scene_name:
    case ValueKind::integrator:
    case ValueKind::shell:
      return "(" + joined(known_values(kind), " ") + ")";
    case ValueKind::none:
    case ValueKind::text:
      break;
  }
  return " ";
}

std::string zsh_option(const OptionFacts& option) {
  const std::string value =
      option.kind == ValueKind::none ? "" : fmt::format(":{}:{}", zsh_text(option.value), zsh_values(option.kind));
  const std::string about = zsh_text(option.about);
  if (option.names.size() > 1) {
    return fmt::format("'({})'{{{}}}'[{}]{}'", joined(option.names, " "), joined(option.names, ","), about, value);
  }
  return fmt::format("'{}{}[{}]{}'", option.repeated ? "*" : "", option.names[0], about, value);
}

void add_zsh_command(std::string& script, const CommandFacts& command) {
  script += fmt::format("        {})\n          _arguments", command.name);
  int position = 0;
  for (const OptionFacts& option : command.options) {
    script += " \\\n            ";
    script += option.positional
                  ? fmt::format("'{}:{}:{}'", ++position, zsh_text(option.names[0]), zsh_values(option.kind))
                  : zsh_option(option);
  }
  script += "\n          ;;\n";
}

// ---- fish

std::string fish_text(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fish_values(ValueKind kind) {
  const std::string arguments = joined(known_values(kind), " ");
  switch (kind) {
    case ValueKind::scene:
      return fmt::format("-k -a \"(__fish_complete_suffix .toml; __fish_complete_suffix .urdf)\" -a {}",
                         fish_text(arguments));
    case ValueKind::folder:
    case ValueKind::run:
      return "-a \"(__fish_complete_directories)\"";
    case ValueKind::scene_name:
    case ValueKind::integrator:
    case ValueKind::shell:
      return "-a " + fish_text(arguments);
    case ValueKind::none:
    case ValueKind::text:
      break;
  }
  return "";
}

std::string fish_option(const OptionFacts& option) {
  std::string text;
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (option.kind != ValueKind::none) text += " -x " + fish_values(option.kind);
  return text + " -d " + fish_text(option.about);
}

void add_fish_command(std::string& script, const CommandFacts& command) {
  const std::string begin = fmt::format("complete -c pintle -n '__fish_seen_subcommand_from {}'", command.name);
  for (const OptionFacts& option : command.options) {
    if (!option.positional) {
      script += begin + fish_option(option) + "\n";
    } else if (const std::string values = fish_values(option.kind); !values.empty()) {
      script += begin + " " + values + "\n";
    }
  }
}

}  // namespace

std::string bash_completion(const std::vector<CommandFacts>& tree) {
  std::vector<std::string> names, arguments;
  for (const CommandFacts& command : commands_of(tree)) names.push_back(command.name);
  arguments = names;
  for (const OptionFacts& option : tree[0].options)
    arguments.insert(arguments.end(), option.names.begin(), option.names.end());
  std::string script = kBashHelpers;
  script += fmt::format(R"(_pintle() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} command= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${{COMP_WORDS[i]}} in
      {}) command=${{COMP_WORDS[i]}}; break ;;
    esac
  done
  case $command in
    '') _pintle_words "{}" ;;
)",
                        joined(names, "|"), joined(arguments, " "));
  for (const CommandFacts& command : commands_of(tree)) add_bash_command(script, command);
  return script + "  esac\n}\n\ncomplete -F _pintle pintle\n";
}

std::string zsh_completion(const std::vector<CommandFacts>& tree) {
  std::string script = "#compdef pintle\n# zsh completion of pintle, printed by: pintle completion zsh\n\n";
  script += fmt::format(
      "_pintle_scenes() {{\n  local -a scenes\n  scenes=({})\n  _describe -t scenes scene scenes\n"
      "  _files -g '*.(toml|urdf)'\n}}\n\n",
      joined(known_values(ValueKind::scene), " "));
  script += "_pintle() {\n  local curcontext=$curcontext state line\n  local -a commands\n  commands=(\n";
  for (const CommandFacts& command : commands_of(tree))
    script += fmt::format("    '{}:{}'\n", command.name, zsh_text(command.about));
  script += "  )\n  _arguments -C";
  for (const OptionFacts& option : tree[0].options) script += " \\\n    " + zsh_option(option);
  script +=
      " \\\n    '1: :->command' '*:: :->words'\n  case $state in\n    command) _describe -t commands command commands "
      ";;\n    arguments)\n      case $line[1] in\n";
  for (const CommandFacts& command : commands_of(tree)) add_zsh_command(script, command);
  return script +
         "      esac\n      ;;\n  esac\n}\n\n"
         "if [ \"$funcstack[1]\" = _pintle ]; then\n  _pintle \"$@\"\nelse\n  compdef _pintle pintle\nfi\n";
}

std::string fish_completion(const std::vector<CommandFacts>& tree) {
  std::string script = "# fish completion of pintle, printed by: pintle completion fish\n\ncomplete -c pintle -f\n";
  for (const OptionFacts& option : tree[0].options)
    script += "complete -c pintle -n __fish_use_subcommand" + fish_option(option) + "\n";
  for (const CommandFacts& command : commands_of(tree)) {
    script += fmt::format("complete -c pintle -n __fish_use_subcommand -a {} -d {}\n", command.name,
                          fish_text(command.about));
  }
  for (const CommandFacts& command : commands_of(tree)) add_fish_command(script, command);
  return script;
}

}  // namespace pintle::cli
