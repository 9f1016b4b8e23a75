// Every command of the program; each is defined in the file of its name in this folder.
#pragma once

namespace CLI {
class App;
}

namespace pintle::cli {

/// Adds all commands to the program. commands.cpp is the only list of them.
void add_commands(CLI::App& app);

/// `completion`: shell completion scripts.
void add_completion_command(CLI::App& app);

/// `man`: the manual page; for packagers, hidden in the help.
void add_man_command(CLI::App& app);

/// `--version`: version, compiler, instruction set and bit family; with `--json` as JSON.
void add_version_flag(CLI::App& app);

/// `run`: simulates a scene, with a table, plots, energy balance and certificate, and files on request.
void add_run_command(CLI::App& app);

/// `check`: every problem of a scene, with its place and its fix.
void add_check_command(CLI::App& app);

/// `info`: the tree of a scene, its masses and inertias, and its force elements.
void add_info_command(CLI::App& app);

/// `convert`: writes a scene as URDF, or a robot as a scene, and lists the losses.
void add_convert_command(CLI::App& app);

/// `diff`: the first difference of two runs, and the largest ones.
void add_diff_command(CLI::App& app);

/// `report`: runs a scene and writes its report page.
void add_report_command(CLI::App& app);

/// `render`: a picture or an animation of a run, rendered by Chromium.
void add_render_command(CLI::App& app);

/// `scenes`: the scenes embedded in the program.
void add_scenes_command(CLI::App& app);

/// `help`: pages of the manual, problem codes, and the options of commands.
void add_help_command(CLI::App& app);

/// `schema`: the JSON Schema of scene files.
void add_schema_command(CLI::App& app);

/// `dynamics`: accelerations from efforts, or efforts from accelerations, with joint wrenches and a certificate.
void add_dynamics_command(CLI::App& app);

/// `screw`: the axis, pitch and magnitude of twists, wrenches and displacements.
void add_screw_command(CLI::App& app);

}  // namespace pintle::cli
