#include "repaired_inertias.h"

#include <fmt/core.h>

#include "counted.h"
#include "exit_code.h"
#include "pintle/files/atomic_file.h"
#include "pintle/io/sources/scene_files.h"
#include "pintle/io/xml/xml_document.h"
#include "pintle/math/number_text.h"
#include "pintle/text/json.h"
#include "scene_input.h"

namespace pintle::cli {
namespace {

constexpr const char* kEntries[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};

double relative_change(const InertiaChange& change) {
  return change.nearest.distance / norm(change.nearest.moments_before);
}

std::string moments_text(const Vec3<>& moments) {
  return fmt::format("{:.4g}, {:.4g}, {:.4g}", moments.x, moments.y, moments.z);
}

std::string change_text(const InertiaChange& change) {
  std::string text = fmt::format("  line {}: link '{}': principal moments {} -> {} kg m^2, a change of {:.2g} %\n   ",
                                 change.origin.line, change.link, moments_text(change.nearest.moments_before),
                                 moments_text(change.nearest.moments), 100.0 * relative_change(change));
  const char* separator = " ";
  for (std::size_t i = 0; i < 6; ++i) {
    if (change.after[i] == change.before[i]) continue;
    text += fmt::format("{}{} {:.6g} -> {:.6g}", separator, kEntries[i], change.before[i], change.after[i]);
    separator = ", ";
  }
  constexpr double kLarge = 0.2;
  if (relative_change(change) > kLarge)
    text += "\n    this is a large change: the given values are wrong, and the nearest inertia may not be the true one";
  return text + "\n";
}

}  // namespace

RepairedUrdf write_repaired(const std::string& from, const std::string& to) {
  const Result<std::string> text = read_whole_file(from, XmlLimits().bytes);
  if (!text) throw CommandError(ExitCode::io, format(text.diagnostics()[0]));
  Result<RepairedUrdf> repaired = repair_inertias(*text, from);
  if (!repaired)
    throw CommandError(ExitCode::bad_model,
                       fmt::format("the robot in '{}' cannot be repaired\n{}", from,
                                   problems_text(repaired.diagnostics(), {{from, *text}}, stderr)));
  const Result<void> written = write_whole_file(to, repaired->text);
  if (!written) throw CommandError(ExitCode::io, format(written.diagnostics()[0]));
  return *std::move(repaired);
}

std::string repaired_text(const RepairedUrdf& repaired, const std::string& to) {
  std::string text =
      fmt::format("{}: {} of {} changed{}\n", to, repaired.changes.size(),
                  counted(repaired.inertias, "inertia", "inertias"), repaired.changes.empty() ? "" : ":");
  for (const InertiaChange& change : repaired.changes) text += change_text(change);
  for (const Diagnostic& problem : repaired.left)
    text += fmt::format("  line {}: {}; it was not changed: {}\n", problem.origin.line, problem.what, problem.why);
  return text;
}

Json repaired_json(const RepairedUrdf& repaired) {
  Json list = Json::array();
  for (const InertiaChange& change : repaired.changes) {
    list.push_back({{"link", change.link},
                    {"line", change.origin.line},
                    {"before", change.before},
                    {"after", change.after},
                    {"principal_before", Json(change.nearest.moments_before)},
                    {"principal_after", Json(change.nearest.moments)},
                    {"distance", change.nearest.distance}});
  }
  return list;
}

}  // namespace pintle::cli
