#include "pintle/io/urdf/repair_inertias.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "pintle/io/urdf/read_urdf.h"
#include "pintle/spatial/check_inertia.h"
#include "pintle/spatial/principal_inertia.h"

namespace pintle {
namespace {

/// Bytes of the text, and their replacement.
struct Replacement {
  std::size_t at, length;
  std::string number;
};

class Repairer {
 public:
  Repairer(std::string_view text, double margin) : text_(text), margin_(margin) {
    lines_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') lines_.push_back(i + 1);
  }

  void repair(const UrdfLink& link) {
    const UrdfInertial& given = *link.inertial;
    const std::array<const Placed<double>*, 6> entries{&given.ixx, &given.ixy, &given.ixz,
                                                       &given.iyy, &given.iyz, &given.izz};
    const bool is_whole = std::all_of(entries.begin(), entries.end(), [](const Placed<double>* e) { return e->given; });
    if (!given.mass.given || !is_whole) return;
    ++repaired_.inertias;
    InertiaChange change;
    for (std::size_t i = 0; i < 6; ++i) change.before[i] = entries[i]->value;
    const SymMat3<> I = sym_mat3_from_array(change.before);
    if (check_inertia({given.mass.value, {0.0, 0.0, 0.0}, I}).empty()) return;
    const Result<NearestInertia> nearest = nearest_inertia(given.mass.value, I, margin_);
    if (!nearest) {
      for (Diagnostic problem : nearest.diagnostics()) {
        problem.what = "link '" + link.name.value + "': " + problem.what;
        problem.origin = given.mass.origin;
        repaired_.left.push_back(std::move(problem));
      }
      return;
    }
    change.link = link.name.value;
    change.origin = given.inertia_origin;
    change.mass = given.mass.value;
    change.nearest = *nearest;
    change.after = to_array(nearest->inertia);
    // Entries that differ only by rounding stay unchanged.
    const double rounding = 16.0 * kEpsilon<double> * std::max(largest_entry(I), largest_entry(nearest->inertia));
    for (std::size_t i = 0; i < 6; ++i) {
      if (abs(change.after[i] - change.before[i]) <= rounding)
        change.after[i] = change.before[i];
      else
        replace(entries[i]->origin, change.after[i]);
    }
    repaired_.changes.push_back(std::move(change));
  }

  RepairedUrdf take() {
    std::sort(replacements_.begin(), replacements_.end(),
              [](const Replacement& a, const Replacement& b) { return a.at < b.at; });
    std::size_t done = 0;
    for (const Replacement& one : replacements_) {
      repaired_.text += text_.substr(done, one.at - done);
      repaired_.text += one.number;
      done = one.at + one.length;
    }
    repaired_.text += text_.substr(done);
    return std::move(repaired_);
  }

 private:
  /// Replaces the value of an attribute, which begins at `origin`, up to its quote.
  void replace(const Origin& origin, double number) {
    const std::size_t at =
        lines_[static_cast<std::size_t>(origin.line - 1)] + static_cast<std::size_t>(origin.column - 1);
    char digits[32];
    const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, number);
    replacements_.push_back({at, text_.find(text_[at - 1], at) - at, std::string(digits, end.ptr)});
  }

  std::string_view text_;
  double margin_;
  std::vector<std::size_t> lines_;  ///< where they begin
  std::vector<Replacement> replacements_;
  RepairedUrdf repaired_;
};

}  // namespace

Result<RepairedUrdf> repair_inertias(std::string_view text, const std::string& file, double margin) {
  const UrdfReading reading = read_urdf_text(text, file);
  if (!reading.is_xml) return reading.problems;
  Repairer repairer(text, margin);
  for (const UrdfLink& link : reading.robot.links)
    if (link.inertial) repairer.repair(link);
  return repairer.take();
}

}  // namespace pintle
