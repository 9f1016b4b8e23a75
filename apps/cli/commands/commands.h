// Every command of the program; each is defined in the file of its name in this folder.
#pragma once

namespace CLI {
class App;
}

namespace pintle::cli {

/// Adds all commands to the program. commands.cpp is the one list of them.
void add_commands(CLI::App& app);

/// `--version`: version, compiler, instruction set and bit family.
void add_version_flag(CLI::App& app);

}  // namespace pintle::cli
