// The commands of the program as data, for completion in shells and for the manual page.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace pintle::cli {

/// What the value of an option or a positional word is.
enum class ValueKind : unsigned char { none, text, scene, scene_name, folder, run, integrator, shell };

struct OptionFacts {
  std::vector<std::string> names;  ///< "-h", "--help"; of a positional word its name alone: "SCENE"
  ValueKind kind = ValueKind::none;
  std::string value{};  ///< what the value is called: "DIR"; empty without one
  std::string about{};
  bool positional = false, required = false, repeated = false;
};

struct CommandFacts {
  std::string name, about, footer;
  std::vector<OptionFacts> options;
};

/// The program itself, then its commands, in the order of its help; hidden ones are left out.
std::vector<CommandFacts> command_tree(const CLI::App& app);

/// Names the values of all options for the help: "--out DIR" instead of "--out TEXT".
void name_values(CLI::App& app);

/// Makes an empty value of any option a wrong one: of a variable that is not set, in a script, say.
void refuse_empty_values(CLI::App& app);

/// All values of a kind that has few: scenes, integrators, shells.
std::vector<std::string> known_values(ValueKind kind);

}  // namespace pintle::cli
