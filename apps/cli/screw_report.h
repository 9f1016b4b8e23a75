// The screw view of a twist, a wrench or a displacement, as a table for people and as JSON for programs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pintle/spatial/screw.h"

namespace pintle::cli {

enum class ScrewKind { twist, wrench, displacement };

/// A screw, and how accurately it reproduces what it was made of.
struct ScrewReport {
  ScrewKind kind;
  Screw<> screw;
  bool infinite_pitch;  ///< a pure translation or a pure couple
  double residual;      ///< largest difference of any component, in SI units
};

/// The power [W] of a wrench on a twist, and whether it is zero up to rounding.
struct PowerReport {
  std::size_t twist, wrench;  ///< their indices in the list of screws
  double power;
  bool reciprocal;
};

/// Throws CommandError (usage) if the screw is beyond the range of double.
ScrewReport report_of(const Twist<>& V);
ScrewReport report_of(const Wrench<>& F);
ScrewReport report_of(const Pose<>& X);

/// Reciprocal means |power| <= 1e-12 times the sum of the absolute terms. `twist` and `wrench` are kept as given.
PowerReport report_of(const Twist<>& V, const Wrench<>& F, std::size_t twist, std::size_t wrench);

std::string text_of(std::span<const ScrewReport> screws, std::span<const PowerReport> powers);
std::string json_of(std::span<const ScrewReport> screws, std::span<const PowerReport> powers);

}  // namespace pintle::cli
