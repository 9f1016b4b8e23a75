// Units of measurement by name, with their dimensions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pintle {

/// Exponents of the base units m, kg, s and rad.
struct Dimension {
  int length = 0, mass = 0, time = 0, angle = 0;

  bool operator==(const Dimension&) const = default;
};

constexpr Dimension operator*(const Dimension& a, const Dimension& b) {
  return {a.length + b.length, a.mass + b.mass, a.time + b.time, a.angle + b.angle};
}

constexpr Dimension power(const Dimension& a, int n) {
  return {n * a.length, n * a.mass, n * a.time, n * a.angle};
}

constexpr Dimension operator/(const Dimension& a, const Dimension& b) {
  return a * power(b, -1);
}

inline constexpr Dimension kNumber{};
inline constexpr Dimension kLength{.length = 1};
inline constexpr Dimension kMass{.mass = 1};
inline constexpr Dimension kTime{.time = 1};
inline constexpr Dimension kAngle{.angle = 1};
inline constexpr Dimension kForce = kMass * kLength / power(kTime, 2);
inline constexpr Dimension kTorque = kForce * kLength;

/// x of a unit is x * numerator / denominator in SI units and radians. The quotient keeps decimal units exact: 5 mm is
/// 5 / 1000, the double nearest to 0.005, where 5 * 0.001 may not be.
struct Unit {
  std::string_view name;
  double numerator;
  double denominator;
  Dimension dimension;
  /// In a formula only directly after a number: m*g*l means gravity, not grams.
  bool only_after_number = false;
};

/// The unit of a name; null when there is none.
const Unit* find_unit(std::string_view name);

/// The names of all units.
std::vector<std::string> unit_names();

/// A dimension in SI units: "N m", "kg/m^3", "rad/s"; "a plain number" when dimensionless.
std::string dimension_text(const Dimension& dimension);

}  // namespace pintle
