#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>

#include "chromium.h"
#include "commands/commands.h"
#include "exit_code.h"
#include "numbers.h"
#include "pintle/files/atomic_file.h"
#include "pintle/io/report/gif_writer.h"
#include "pintle/run/run_checkpoints.h"
#include "pintle/text/base64.h"
#include "pintle/text/json.h"

namespace pintle::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kMaxPixels = 1e8;  // total of an animation: each pixel takes three bytes of memory
constexpr int kSmallest = 16, kLargest = 8192;

struct RenderArguments {
  std::string run, out, time, from, to, size, fps, theme = "light";
};

struct Size {
  int width = 0, height = 0;
};

[[noreturn]] void refuse(const std::string& what) {
  throw CommandError(ExitCode::usage, what);
}

Size parse_size(const std::string& text, Size otherwise) {
  if (text.empty()) return otherwise;
  const std::size_t x = text.find('x');
  const auto side = [&](const std::string& digits) {
    if (digits.empty() || digits.size() > 4 || digits.find_first_not_of("0123456789") != std::string::npos) return 0;
    return std::stoi(digits);
  };
  const Size size{side(text.substr(0, x)), x == std::string::npos ? 0 : side(text.substr(x + 1))};
  if (std::min(size.width, size.height) < kSmallest || std::max(size.width, size.height) > kLargest)
    refuse(fmt::format("--size: '{}' is not a size; such as 1280x720, each from {} to {}", text, kSmallest, kLargest));
  return size;
}

double number(const char* option, const std::string& text) {
  return parse_numbers<1>({.option = option, .count = "one", .names = "(such as 1.5)"}, text)[0];
}

std::string report_path(const std::string& run) {
  std::error_code error;
  const std::string file = fs::is_directory(run, error) ? in_folder(run, "report.html") : run;
  if (!fs::is_regular_file(file, error))
    throw CommandError(ExitCode::io,
                       fmt::format("there is no '{}'; 'pintle run SCENE --out DIR' writes DIR/report.html", file));
  return fs::absolute(file).string();
}

std::string file_url(const std::string& path) {
  std::string url = "file://";
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/-_.~").find(c) != std::string_view::npos;
    url += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return url;
}

/// Opens the report as a picture only, without the rest of the page.
void open_report(Chromium& browser, const std::string& report, const RenderArguments& arguments, Size size) {
  std::string url =
      fmt::format("{}#bare&width={}&height={}&theme={}", file_url(report), size.width, size.height, arguments.theme);
  if (!arguments.time.empty()) url += fmt::format("&t={}", number("--time", arguments.time));
  browser.open(url);
  const Json problem = browser.evaluate(
      "(document.querySelector('.broken') || {}).innerText || (!window.pintleReport ? 'it is not a report of Pintle' : "
      "!pintleReport.webgl ? 'the browser cannot draw 3D (no WebGL)' : "
      "!pintleReport.sheet ? 'it was written by another version; run the scene again' : '')");
  if (!problem.as_string().empty())
    throw CommandError(ExitCode::io, fmt::format("'{}': {}", report, problem.as_string()));
}

std::string bytes_of(const Json& text, std::string_view head) {
  std::string bytes;
  if (!text.is_string() || !text.as_string().starts_with(head) ||
      !base64_bytes(std::string_view(text.as_string()).substr(head.size()), bytes))
    throw CommandError(ExitCode::io, "the browser delivered no picture");
  return bytes;
}

std::string png(const RenderArguments& arguments, const std::string& report) {
  if (!arguments.fps.empty() || !arguments.from.empty() || !arguments.to.empty())
    refuse("--fps, --from and --to are for animations (.gif); a picture has --time");
  const Size size = parse_size(arguments.size, {1280, 720});
  Chromium browser(std::chrono::seconds(120));
  open_report(browser, report, arguments, size);
  return bytes_of(browser.evaluate("pintleReport.sheet.png()"), "data:image/png;base64,");
}

std::string gif(const RenderArguments& arguments, const std::string& report) {
  if (!arguments.time.empty()) refuse("--time is for pictures (.png); an animation has --from and --to");
  const Size size = parse_size(arguments.size, {640, 360});
  const double fps = arguments.fps.empty() ? 12.5 : number("--fps", arguments.fps);
  if (!(fps >= 1.0 && fps <= 50.0))
    refuse(fmt::format("--fps: {} pictures per second; 1 to 50 are possible", arguments.fps));
  Chromium browser(std::chrono::seconds(600));
  open_report(browser, report, arguments, size);
  const double start = browser.evaluate("pintleReport.start").as_number(),
               end = browser.evaluate("pintleReport.end").as_number();
  const double from = arguments.from.empty() ? start : std::max(start, number("--from", arguments.from));
  const double to = arguments.to.empty() ? end : std::min(end, number("--to", arguments.to));
  if (!(to > from)) refuse(fmt::format("the run goes from {} s to {} s; the interval is outside it", start, end));
  const double count = std::max(1.0, std::floor((to - from) * fps + 1e-9));
  if (count * size.width * size.height > kMaxPixels)
    refuse(fmt::format("{} pictures of {}x{} are too many; give a smaller --size or --fps, or --from and --to", count,
                       size.width, size.height));
  PictureSequence pictures{.width = size.width, .height = size.height, .frames = {}, .delays = {}};
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const std::string expression = fmt::format("pintleReport.sheet.pixels({})", from + i / fps);
    pictures.frames.push_back(bytes_of(browser.evaluate(expression), ""));
    // Differences of rounded times in hundredths of a second, so that the sum never drifts.
    pictures.delays.push_back(static_cast<int>(std::lround(100.0 * (i + 1) / fps) - std::lround(100.0 * i / fps)));
  }
  return gif_animation(pictures);
}

void render(const RenderArguments& arguments) {
  const std::string kind = fs::path(arguments.out).extension().string();
  if (kind != ".png" && kind != ".gif") refuse(fmt::format("'{}' ends neither in .png nor in .gif", arguments.out));
  const std::string report = report_path(arguments.run);
  const std::string bytes = kind == ".png" ? png(arguments, report) : gif(arguments, report);
  const Result<void> written = write_whole_file(arguments.out, bytes);
  if (written) return;
  std::string problems;
  for (const Diagnostic& problem : written.diagnostics()) problems += "\n" + format(problem);
  throw CommandError(ExitCode::io, fmt::format("'{}' could not be written{}", arguments.out, problems));
}

}  // namespace

void add_render_command(CLI::App& app) {
  auto arguments = std::make_shared<RenderArguments>();
  CLI::App* const command = app.add_subcommand("render", "Draw a run: a picture or an animation of its report");
  command->add_option("RUN", arguments->run, "a folder of results (run --out), or its report.html")->required();
  command->add_option("OUT", arguments->out, "the file to write: .png or .gif")->required();
  command->add_option("--time", arguments->time, "the time of a picture [s] (default: the start)");
  command->add_option("--from", arguments->from, "where an animation begins [s]");
  command->add_option("--to", arguments->to, "where it ends [s]");
  command->add_option("--fps", arguments->fps, "pictures per second of an animation, 1 to 50 (default 12.5)");
  command->add_option("--size", arguments->size, "WIDTHxHEIGHT [pixels] (default 1280x720; animations 640x360)");
  command->add_option("--theme", arguments->theme, "light or dark")->check(CLI::IsMember({"light", "dark"}));
  command->footer(
      "Needs Chromium (Debian: apt-get install chromium); PINTLE_CHROMIUM names another\n"
      "program. Exit code 4: there is none, or a file cannot be read or written.");
  command->callback([arguments] { render(*arguments); });
}

}  // namespace pintle::cli
