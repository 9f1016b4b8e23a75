#include "screw_report.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include "exit_code.h"
#include "largest_difference.h"
#include "pintle/spatial/exp_log.h"

namespace pintle::cli {
namespace {

constexpr double kDegreesPerRadian = 180.0 / std::numbers::pi;
constexpr double kMillimetresPerMetre = 1000.0;

/// The names of the values of each kind.
struct Words {
  std::string_view kind, infinite, pitch_unit, magnitude_unit, infinite_magnitude_unit;
};
constexpr std::array<Words, 3> kWords{{
    {"twist", "infinite (pure translation)", "m/rad", "rad/s", "m/s"},
    {"wrench", "infinite (pure couple)", "m", "N", "N m"},
    {"displacement", "infinite (pure translation)", "m/rad", "rad", "m"},
}};

const Words& words_of(ScrewKind kind) {
  return kWords[static_cast<std::size_t>(kind)];
}

bool is_zero(const Vec3<>& a) {
  return a.x == 0.0 && a.y == 0.0 && a.z == 0.0;
}

/// `resultant` is the part that vanishes for an infinite pitch.
ScrewReport checked(ScrewKind kind, const Screw<>& screw, const Vec3<>& resultant, double residual) {
  const bool infinite = std::isinf(screw.pitch) && is_zero(resultant);
  const bool in_range = is_finite(screw.point) && std::isfinite(screw.magnitude) && std::isfinite(residual) &&
                        (infinite || std::isfinite(screw.pitch));
  if (!in_range)
    throw CommandError(ExitCode::usage, fmt::format("the screw of this {} is beyond the range of a double; its parts "
                                                    "differ too much in size or are too large",
                                                    words_of(kind).kind));
  return {kind, screw, infinite, residual};
}

// ---- the table

std::string number(double value) {
  return fmt::format("{:.6g}", value + 0.0);  // + 0.0 makes -0 a 0
}

void row(std::string& out, std::string_view name, double value, std::string_view unit) {
  out += fmt::format("  {:<12}{:>14}  {}\n", name, number(value), unit);
}

void row(std::string& out, std::string_view name, const Vec3<>& v, std::string_view unit) {
  const std::string line =
      fmt::format("  {:<12}{:>14}{:>14}{:>14}  {}", name, number(v.x), number(v.y), number(v.z), unit);
  out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

void add_magnitude(std::string& out, const ScrewReport& report) {
  const Words& arguments = words_of(report.kind);
  const double magnitude = report.screw.magnitude;
  if (report.infinite_pitch) {
    row(out, "magnitude", magnitude, arguments.infinite_magnitude_unit);
  } else if (report.kind == ScrewKind::displacement) {
    row(out, "magnitude", magnitude * kDegreesPerRadian, "deg");
    row(out, "", magnitude, "rad");
  } else {
    row(out, "magnitude", magnitude, arguments.magnitude_unit);
  }
}

void add_pitch(std::string& out, const ScrewReport& report) {
  const Words& arguments = words_of(report.kind);
  if (report.infinite_pitch) {
    out += fmt::format("  {:<12}{}\n", "pitch", arguments.infinite);
    return;
  }
  row(out, "pitch", report.screw.pitch, arguments.pitch_unit);
  if (report.kind != ScrewKind::wrench)
    row(out, "lead", report.screw.pitch * 2.0 * std::numbers::pi * kMillimetresPerMetre, "mm/rev");
}

std::string table_of(const ScrewReport& report, std::size_t place) {
  const std::string_view kind = words_of(report.kind).kind;
  std::string out = fmt::format("{:<14}{:>14}{:>14}{:>14}\n", fmt::format("{} {}", place + 1, kind), "x", "y", "z");
  if (report.screw.magnitude == 0.0) {
    out += fmt::format("  zero: any line is an axis of this {}\n", kind);
  } else {
    if (!report.infinite_pitch) row(out, "axis point", report.screw.point, "m");
    row(out, "direction", report.screw.direction, "");
    add_pitch(out, report);
    add_magnitude(out, report);
  }
  out += fmt::format("  {:<12}{:>14.1e}  largest error when rebuilt from this screw\n", "check", report.residual);
  return out;
}

// ---- JSON: every string is one of ours and needs no escape; fmt's "{}" is the shortest text that reads back the same

std::string json(const Vec3<>& v) {
  return fmt::format("[{}, {}, {}]", v.x, v.y, v.z);
}

std::string json(const ScrewReport& report) {
  const Screw<>& screw = report.screw;
  return fmt::format(
      "{{\"kind\": \"{}\", \"point\": {}, \"direction\": {}, \"pitch\": {}, \"magnitude\": {}, "
      "\"infinite_pitch\": {}, \"residual\": {}}}",
      words_of(report.kind).kind, json(screw.point), json(screw.direction),
      report.infinite_pitch ? "null" : fmt::format("{}", screw.pitch), screw.magnitude, report.infinite_pitch,
      report.residual);
}

std::string json(const PowerReport& report) {
  return fmt::format("{{\"twist\": {}, \"wrench\": {}, \"power\": {}, \"reciprocal\": {}}}", report.twist,
                     report.wrench, report.power, report.reciprocal);
}

template <class Report>
std::string json_list(std::span<const Report> reports) {
  std::string out = "[";
  for (const Report& report : reports) {
    out += out.size() == 1 ? "\n    " : ",\n    ";
    out += json(report);
  }
  return out + (reports.empty() ? "]" : "\n  ]");
}

}  // namespace

ScrewReport report_of(const Twist<>& V) {
  const Screw<> screw = screw_of(V);
  return checked(ScrewKind::twist, screw, V.angular, largest_difference(to_array(V), to_array(twist_of(screw))));
}

ScrewReport report_of(const Wrench<>& F) {
  const Screw<> screw = screw_of(F);
  return checked(ScrewKind::wrench, screw, F.force, largest_difference(to_array(F), to_array(wrench_of(screw))));
}

ScrewReport report_of(const Pose<>& X) {
  const Screw<> screw = screw_of(X);
  return checked(ScrewKind::displacement, screw, log(X).angular, largest_difference(X, displacement_of(screw)));
}

PowerReport report_of(const Twist<>& V, const Wrench<>& F, std::size_t twist, std::size_t wrench) {
  const std::array<double, 6> v = to_array(V), f = to_array(F);
  double sum_of_sizes = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i) sum_of_sizes += std::abs(v[i] * f[i]);
  const double power = dot(V, F);
  if (!std::isfinite(sum_of_sizes) || !std::isfinite(power))
    throw CommandError(ExitCode::usage, "the power of the wrench on the twist is beyond the range of a double");
  return {twist, wrench, power, std::abs(power) <= 1e-12 * sum_of_sizes};
}

std::string text_of(std::span<const ScrewReport> screws, std::span<const PowerReport> powers) {
  std::string out;
  for (std::size_t i = 0; i < screws.size(); ++i) {
    if (i > 0) out += "\n";
    out += table_of(screws[i], i);
  }
  if (!powers.empty()) out += "\n";
  for (const PowerReport& report : powers)
    out += fmt::format("power of wrench {} on twist {}: {} W, {}\n", report.wrench + 1, report.twist + 1,
                       number(report.power), report.reciprocal ? "reciprocal" : "not reciprocal");
  return out;
}

std::string json_of(std::span<const ScrewReport> screws, std::span<const PowerReport> powers) {
  return fmt::format("{{\n  \"screws\": {},\n  \"powers\": {}\n}}\n", json_list(screws), json_list(powers));
}

}  // namespace pintle::cli
