// The commands of the program as data, for shell completion and the manual page.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace pintle::cli {

/// The kind of value of an option or a positional argument.
enum class ValueKind : unsigned char { none, text, scene, scene_name, folder, run, integrator, shell };

struct OptionFacts {
  std::vector<std::string> names;  ///< "-h", "--help"; for a positional argument only its name: "SCENE"
  ValueKind kind = ValueKind::none;
  std::string value{};  ///< the name of the value: "DIR"; empty without one
  std::string about{};
  bool positional = false, required = false, repeated = false;
};

struct CommandFacts {
  std::string name, about, footer;
  std::vector<OptionFacts> options;
};

/// The program itself, then its commands, in the order of its help, without hidden ones.
std::vector<CommandFacts> command_tree(const CLI::App& app);

/// Sets the value names of all options for the help: "--out DIR" instead of "--out TEXT".
void name_values(CLI::App& app);

/// Makes every option refuse an empty value, such as that of an unset variable in a script.
void refuse_empty_values(CLI::App& app);

/// All values of a kind that has few: scenes, integrators, shells.
std::vector<std::string> known_values(ValueKind kind);

}  // namespace pintle::cli
