#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "commands/commands.h"
#include "exit_code.h"
#include "numbers.h"
#include "screw_report.h"

namespace pintle::cli {
namespace {

constexpr NumberList kTwist{"--twist", "six", "vx,vy,vz,wx,wy,wz"};
constexpr NumberList kWrench{"--wrench", "six", "fx,fy,fz,nx,ny,nz"};
constexpr NumberList kPose{"--pose", "seven", "x,y,z,qx,qy,qz,qw"};

/// The arguments as given; each option may occur several times.
struct ScrewArguments {
  std::vector<std::string> twists, wrenches, poses;
  bool json = false;
};

Twist<> parse_twist(const std::string& text) {
  return twist_from_array(parse_numbers<6>(kTwist, text));
}

Wrench<> parse_wrench(const std::string& text) {
  return wrench_from_array(parse_numbers<6>(kWrench, text));
}

Pose<> parse_pose(const std::string& text) {
  const auto [x, y, z, qx, qy, qz, qw] = parse_numbers<7>(kPose, text);
  const double size = std::hypot(std::hypot(qx, qy), std::hypot(qz, qw));
  if (std::abs(size - 1.0) > 1e-6)
    throw CommandError(ExitCode::usage, fmt::format("{}: the quaternion (values 4 to 7) has norm {:.9g}, expected 1 "
                                                    "within 1e-6; divide its four numbers by that norm",
                                                    kPose.option, size));
  return pose(normalized(Quaternion<>{qx, qy, qz, qw}), {x, y, z});
}

/// The screws in the order in which they were given.
struct Screws {
  std::vector<ScrewReport> reports;
  std::vector<PowerReport> powers;
};

Screws screws_of(const CLI::App& command, const ScrewArguments& arguments) {
  Screws screws;
  std::vector<std::pair<std::size_t, Twist<>>> twists;
  std::vector<std::pair<std::size_t, Wrench<>>> wrenches;
  std::size_t pose = 0;
  for (const CLI::Option* option : command.parse_order()) {
    const std::size_t place = screws.reports.size();
    if (option->check_name(std::string(kTwist.option))) {
      twists.emplace_back(place, parse_twist(arguments.twists[twists.size()]));
      screws.reports.push_back(report_of(twists.back().second));
    } else if (option->check_name(std::string(kWrench.option))) {
      wrenches.emplace_back(place, parse_wrench(arguments.wrenches[wrenches.size()]));
      screws.reports.push_back(report_of(wrenches.back().second));
    } else if (option->check_name(std::string(kPose.option))) {
      screws.reports.push_back(report_of(parse_pose(arguments.poses[pose++])));
    }
  }
  for (const auto& [twist_place, V] : twists)
    for (const auto& [wrench_place, F] : wrenches) screws.powers.push_back(report_of(V, F, twist_place, wrench_place));
  return screws;
}

void run_screw(const CLI::App& command, const ScrewArguments& arguments) {
  const Screws screws = screws_of(command, arguments);
  if (screws.reports.empty())
    throw CommandError(ExitCode::usage,
                       "screw: nothing is given; give --twist, --wrench or --pose, for example\n"
                       "  pintle screw --twist 0,0,0.1,0,0,2");
  fmt::print("{}", arguments.json ? json_of(screws.reports, screws.powers) : text_of(screws.reports, screws.powers));
}

void add_list(CLI::App& command, const NumberList& list, std::vector<std::string>& arguments, const char* description) {
  command.add_option(std::string(list.option), arguments, description)
      ->type_name(std::string(list.names))
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

}  // namespace

void add_screw_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("screw", "The axis, pitch and magnitude of twists, wrenches and poses");
  const auto arguments = std::make_shared<ScrewArguments>();
  add_list(*command, kTwist, arguments->twists, "A motion: linear [m/s], angular [rad/s]");
  add_list(*command, kWrench, arguments->wrenches, "A force [N] and its torque about the origin [N m]");
  add_list(*command, kPose, arguments->poses, "A displacement: position [m], unit quaternion");
  command->add_flag("--json", arguments->json, "Print JSON");
  command->callback([command, arguments] { run_screw(*command, *arguments); });
}

}  // namespace pintle::cli
