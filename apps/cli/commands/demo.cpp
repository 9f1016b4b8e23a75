#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numbers>
#include <string>

#include "carried_brick.h"
#include "commands/commands.h"
#include "exit_code.h"
#include "largest_difference.h"
#include "pintle/spatial/exp_log.h"
#include "write_file.h"

namespace pintle::cli {
namespace {

constexpr Quaternion<> kStartRotation{0.0, 0.0, 0.0, 1.0};
constexpr Quaternion<> kEndRotation{0.1, 0.3, 0.9, 0.3};
constexpr Vec3<> kStartPosition{0.7, 1.0, 0.3};
constexpr Vec3<> kEndPosition{-0.2, 2.6, 1.4};

/// How far points of the axis are from the axis after the displacement [m].
double departure_from_axis(const Pose<>& X, const Screw<>& screw) {
  double result = 0.0;
  for (const double at : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
    const Vec3<> moved = transform_point(X, fma(at, screw.direction, screw.point));
    result = std::max(result, norm(cross(screw.direction, moved - screw.point)));
  }
  return result;
}

/// The power [W] of the brick's weight at the end of the motion, in the axes of the world and of the brick.
struct Powers {
  double world, brick;
};
Powers power_of_weight(const CarriedBrick& brick, const Twist<>& V_W) {
  const double mass = 2.0, gravity = 9.81;
  const Wrench<> F_W = wrench(Vec3<>{0.0, 0.0, -mass * gravity}, brick.X_WB.translation, 0.0);
  return {dot(V_W, F_W), dot(inverse_times(brick.X_WB, V_W), inverse_times(brick.X_WB, F_W))};
}

void print_vector(const char* name, const Vec3<>& v, const char* unit = "") {
  fmt::print("  {:<18}{:>9.4f}{:>9.4f}{:>9.4f}{}\n", name, v.x, v.y, v.z, unit);
}

void print_rotation(const char* name, const Quaternion<>& q) {
  fmt::print("  {:<18}{:>9.4f}{:>9.4f}{:>9.4f}{:>9.4f}  unit quaternion\n", name, q.x, q.y, q.z, q.w);
}

void print_number(const char* name, double value, const char* unit) {
  fmt::print("  {:<18}{:>9.4f}  {}\n", name, value, unit);
}

void print_poses() {
  fmt::print(
      "A brick is carried from one pose to another. Whatever way it went, one screw\n"
      "does the same: a turn about one line and an advance along it (Mozzi-Chasles).\n\n"
      "The two poses             x        y        z        w\n");
  print_vector("start position", kStartPosition, "           m");
  print_rotation("start rotation", kStartRotation);
  print_vector("end position", kEndPosition, "           m");
  print_rotation("end rotation", kEndRotation);
}

void print_screw(const Screw<>& screw) {
  fmt::print("\nThe screw                 x        y        z\n");
  print_vector("axis point", screw.point, "  m");
  print_vector("axis direction", screw.direction);
  print_number("angle", screw.magnitude * 180.0 / std::numbers::pi, "deg");
  print_number("advance", screw.magnitude * screw.pitch, "m");
  print_number("pitch", screw.pitch, "m/rad");
  print_number("lead", screw.pitch * 2.0e3 * std::numbers::pi, "mm/rev");
}

void print_proof(const CarriedBrick& brick, const Pose<>& X, const Screw<>& screw) {
  const auto line = [](const std::string& law, double residual) { fmt::print("  {:<62}{:>8.1e}\n", law, residual); };
  const Powers powers = power_of_weight(brick, log(X));
  fmt::print("\n{:<59}{:>13}\n", "The proof", "largest error");
  line("the screw carries start onto end", largest_difference(displacement_of(screw) * brick.X_WA, brick.X_WB));
  line("exp(log X) = X for the displacement X", largest_difference(exp(log(X)), X));
  line("points on the axis stay on it [m]", departure_from_axis(X, screw));
  line(fmt::format("power of its weight, {:.3f} W, in world and brick axes [W]", powers.world),
       std::abs(powers.world - powers.brick));
}

void run_demo(const CarriedBrick& brick, const std::string& folder) {
  const std::filesystem::path picture = std::filesystem::path(folder) / "screw.svg";
  if (!folder.empty()) write_file(picture, picture_of(brick));
  const Pose<> X = displacement_of(brick);
  const Screw<> screw = screw_of(X);
  print_poses();
  print_screw(screw);
  print_proof(brick, X, screw);
  fmt::print("\n");
  if (!folder.empty()) fmt::print("The picture: {}\n\n", picture.string());
  fmt::print(
      "Try next\n"
      "  ./run screw --twist 0,0,0.1,0,0,2   the screw of a motion of your own\n"
      "  ./run --version                     what was built\n"
      "  ./run test                          everything Pintle promises, checked\n");
}

}  // namespace

void add_demo_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("demo", "A brick carried from pose to pose by one screw");
  const auto folder = std::make_shared<std::string>();
  const CLI::Option* out = command->add_option("--out", *folder, "Write the picture screw.svg into this folder");
  command->callback([folder, out] {
    if (out->count() > 0 && folder->empty())
      throw CommandError(ExitCode::usage, "--out: nothing is given; give a folder");
    const CarriedBrick brick{.size = {0.5, 0.3, 0.15},
                             .X_WA = pose(kStartRotation, kStartPosition),
                             .X_WB = pose(kEndRotation, kEndPosition)};
    run_demo(brick, *folder);
  });
}

}  // namespace pintle::cli
