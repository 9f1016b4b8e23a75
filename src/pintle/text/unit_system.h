// UnitSystem: the units in which results are shown. All conversion of output is here.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "pintle/base/result.h"
#include "pintle/base/unit.h"

namespace pintle {

/// How values of an SI unit are shown: as x * numerator / denominator of `unit`.
struct ShownUnit {
  std::string unit;
  double numerator = 1.0;
  double denominator = 1.0;

  double operator()(double x) const { return x * numerator / denominator; }
};

/// Units in place of m, kg, rad, N, J, W, Pa and rad/s; of the others the SI units. Times stay in seconds.
class UnitSystem {
 public:
  /// SI units and radians.
  UnitSystem() = default;

  /// Reads "si", "us" (in, lb, lbf, deg) or a list of units, one of each kind: "mm, deg", "us, ft", where later ones
  /// take the place of earlier ones of a set. Codes: unit-unknown, unit-system (a unit of time, or of a kind that no
  /// result has; two of one kind).
  static Result<UnitSystem> read(std::string_view text, const Origin& origin = {});

  /// As it was read; "si".
  const std::string& text() const { return text_; }
  bool is_si() const;

  /// The unit in place of an SI unit such as "N m/rad": each of its factors is replaced. "J", "W" and "Pa" become
  /// products of the chosen force and length if there is no unit of their own. Units that are not SI stay.
  ShownUnit shown(std::string_view si_unit) const;

  /// The same for every unit in square brackets: "x [m],slip [m/s]".
  std::string labels(std::string_view text) const;

 private:
  static constexpr std::size_t kKinds = 9;
  std::string text_ = "si";
  std::array<const Unit*, kKinds> units_{};  // in place of those of kSi; null: SI
};

}  // namespace pintle
