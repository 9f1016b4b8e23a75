#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "commands/commands.h"
#include "counted.h"
#include "exit_code.h"
#include "losses_text.h"
#include "pintle/files/atomic_file.h"
#include "pintle/io/scene/read_scene.h"
#include "pintle/io/scene/write_scene.h"
#include "pintle/io/sources/scene_files.h"
#include "pintle/io/urdf/write_urdf.h"
#include "pintle/text/json.h"
#include "pintle/text/shell_word.h"
#include "scene_input.h"

namespace pintle::cli {
namespace {

namespace fs = std::filesystem;
struct ConvertArguments {
  std::string in, out;
  SceneOverrides overrides;
  bool force = false, json = false;
};

enum class Format { scene, urdf };

/// What to write.
struct Conversion {
  Format format = Format::scene;
  std::string text;
  std::vector<CompanionFile> files;
  WriteLosses losses;
  LossReport read_losses;
};

Format format_of(const std::string& out) {
  if (out.ends_with(".toml")) return Format::scene;
  if (out.ends_with(".urdf")) return Format::urdf;
  throw CommandError(ExitCode::usage,
                     fmt::format("the name '{}' does not show its format: end it in .toml or .urdf", out));
}

bool is_robot(const std::string& name) {
  std::error_code error;
  if (!fs::is_regular_file(name, error)) return false;
  const Result<std::string> text = read_whole_file(name, SceneLimits().scene_bytes);
  return text && is_robot_text(*text);
}

/// URDF refers to mesh files directly, so a mesh that is approximated as visual or collision shape here is no loss.
void keep_meshes(LossReport& losses) {
  for (LossEntry& entry : losses.entries)
    if (entry.element == "mesh" && entry.status == ElementStatus::approximated) entry.status = ElementStatus::read;
}

Conversion convert_input(const ConvertArguments& arguments) {
  Conversion conversion;
  conversion.format = format_of(arguments.out);
  SceneOverrides overrides = arguments.overrides;
  overrides.strict = false;  // all losses are reported together
  // A robot alone has nothing to collide with; its collision shapes are kept all the same.
  if (is_robot(arguments.in)) overrides.set.push_back("contact.single_point=false");
  ReadScene read = load_scene(arguments.in, overrides);
  const fs::path out(arguments.out);
  const WritePlace place{folder_of(arguments.out), out.stem().string() + "-files"};
  if (conversion.format == Format::scene) {
    WrittenScene written = write_scene(read.scene->spec(), place);
    conversion.text = std::move(written.text);
    conversion.files = std::move(written.files);
    conversion.losses = std::move(written.losses);
  } else {
    WrittenUrdf written = write_urdf(read.scene->spec(), place);
    conversion.text = std::move(written.text);
    conversion.files = std::move(written.files);
    conversion.losses = std::move(written.losses);
    keep_meshes(read.losses);
  }
  conversion.read_losses = std::move(read.losses);
  return conversion;
}

std::string write_losses_text(const WriteLosses& losses) {
  std::string text;
  for (const WriteLoss& loss : losses) text += fmt::format("  {:<13} {}: {}\n", name(loss.status), loss.what, loss.how);
  return text;
}

std::string all_losses_text(const Conversion& conversion, const std::string& out) {
  std::string text;
  if (conversion.read_losses.has_losses())
    text += fmt::format("not used of {}:\n{}", conversion.read_losses.file, losses_text(conversion.read_losses));
  if (!conversion.losses.empty())
    text += fmt::format("not expressible in {}:\n{}", out, write_losses_text(conversion.losses));
  return text;
}

/// Existing files are overwritten only on request; the input never.
void refuse_to_overwrite(const ConvertArguments& arguments, const Conversion& conversion) {
  std::error_code error;
  if (fs::exists(arguments.out, error) && fs::equivalent(arguments.in, arguments.out, error))
    throw CommandError(ExitCode::usage, fmt::format("'{}' is the input: give the output another name", arguments.out));
  if (arguments.force) return;
  std::vector<std::string> paths{arguments.out};
  for (const CompanionFile& file : conversion.files) paths.push_back(folder_of(arguments.out) + file.path);
  for (const std::string& path : paths)
    if (fs::exists(path, error))
      throw CommandError(ExitCode::io, fmt::format("'{}' already exists; --force overwrites it", path));
}

void write_all(const ConvertArguments& arguments, const Conversion& conversion) {
  const auto check = [](const Result<void>& done) {
    if (!done) throw CommandError(ExitCode::io, format(done.diagnostics()[0]));
  };
  FileGroup group;
  for (const CompanionFile& file : conversion.files) {
    const std::string path = folder_of(arguments.out) + file.path;
    check(make_folders(folder_of(path)));
    std::string bytes = file.bytes;
    if (!file.copy_of.empty()) {
      const Result<std::string> copied = read_whole_file(file.copy_of, SceneLimits().bytes);
      if (!copied) throw CommandError(ExitCode::io, format(copied.diagnostics()[0]));
      bytes = *copied;
    }
    check(write_whole_file(path, bytes, &group));
  }
  check(write_whole_file(arguments.out, conversion.text, &group));
  check(group.commit());
}

void print_json(const ConvertArguments& arguments, const Conversion& conversion) {
  Json files = Json::array(), lost = Json::array();
  for (const CompanionFile& file : conversion.files) files.push_back(folder_of(arguments.out) + file.path);
  for (const WriteLoss& loss : conversion.losses)
    lost.push_back({{"what", loss.what}, {"status", name(loss.status)}, {"how", loss.how}});
  const Json json{{"scene", arguments.in},
                  {"out", arguments.out},
                  {"format", conversion.format == Format::scene ? "scene" : "urdf"},
                  {"files", std::move(files)},
                  {"losses", losses_json(conversion.read_losses)},
                  {"not_expressible", std::move(lost)}};
  fmt::print("{}\n", json.dump(2));
}

void print_text(const ConvertArguments& arguments, const Conversion& conversion) {
  const std::size_t count = conversion.files.size();
  fmt::print("{} written{}\n{}", arguments.out,
             count == 0 ? ""
                        : fmt::format(", with {} in {}", counted(count, "file", "files"),
                                      folder_of(folder_of(arguments.out) + conversion.files[0].path)),
             all_losses_text(conversion, arguments.out));
}

void convert(const ConvertArguments& arguments) {
  const Conversion conversion = convert_input(arguments);
  const bool lossy = conversion.read_losses.has_losses() || !conversion.losses.empty();
  if (arguments.overrides.strict && lossy)
    throw CommandError(ExitCode::bad_model, fmt::format("not all of '{}' can be converted (--strict)\n{}", arguments.in,
                                                        all_losses_text(conversion, arguments.out)));
  refuse_to_overwrite(arguments, conversion);
  write_all(arguments, conversion);
  arguments.json ? print_json(arguments, conversion) : print_text(arguments, conversion);
}

}  // namespace

void add_convert_command(CLI::App& app) {
  auto arguments = std::make_shared<ConvertArguments>();
  CLI::App* const command = app.add_subcommand("convert", "Convert a scene to URDF or back, and report what is lost");
  command->add_option("SCENE", arguments->in, "a scene or URDF file, or the name of an embedded scene")->required();
  command->add_option("OUT", arguments->out, "the file to write: its name ends in .toml or .urdf")->required();
  command->add_option("--set", arguments->overrides.set, "key=value: change the scene, as in run.step='1 ms'");
  add_file_options(*command, arguments->overrides);
  command->add_flag("--force", arguments->force, "overwrite existing files");
  command->add_flag("--json", arguments->json, "print what was written and what was lost as JSON");
  command->callback([arguments] { convert(*arguments); });
}

}  // namespace pintle::cli
