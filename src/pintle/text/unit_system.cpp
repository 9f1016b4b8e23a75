#include "pintle/text/unit_system.h"

#include <algorithm>

#include "pintle/base/nearest_name.h"

namespace pintle {
namespace {

/// The SI units that have a replacement. "N m" and "rad/s" are replaced as a whole, by "mNm" or "rpm".
struct SiUnit {
  std::string_view name;
  Dimension dimension;
  const char* in_factors;  // of force and length, if these are chosen; null: none
};
constexpr Dimension kPowerDimension = kTorque / kTime, kPressureDimension = kForce / power(kLength, 2);
constexpr SiUnit kSi[] = {{"m", kLength, nullptr},
                          {"kg", kMass, nullptr},
                          {"rad", kAngle, nullptr},
                          {"N", kForce, nullptr},
                          {"J", kTorque, "N m"},
                          {"N m", kTorque, nullptr},
                          {"W", kPowerDimension, "N m/s"},
                          {"Pa", kPressureDimension, "N/m^2"},
                          {"rad/s", kAngle / kTime, nullptr}};
enum Kind : std::size_t {
  kOfLength, kOfMass, kOfAngle, kOfForce, kOfEnergy, kOfTorque, kOfPower, kOfPressure, kOfSpeed
};

/// The kind of results that a unit shows; the number of kinds if none.
std::size_t kind_of(const Unit& unit) {
  const bool is_torque = unit.dimension == kTorque && unit.name.ends_with("Nm");
  for (std::size_t k = 0; k < std::size(kSi); ++k) {
    if (unit.dimension != kSi[k].dimension) continue;
    if (unit.dimension == kTorque && (k == kOfTorque) != is_torque) continue;
    return k;
  }
  return std::size(kSi);
}

/// The units of a set of that name; empty if it is none.
std::string_view set_of(std::string_view name) {
  if (name == "us" || name == "imperial") return "in,lb,lbf,deg";
  return name == "si" ? std::string_view("m,kg,rad,N,J,Nm,W,Pa") : std::string_view();
}

/// Splits at commas, without spaces around the parts.
template <class Take>
void for_parts(std::string_view text, Take take) {
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view part = text.substr(0, comma);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    take(part);
    if (comma == text.size()) return;
    text.remove_prefix(comma + 1);
  }
}

/// A factor of a unit's text: "m^2" in "kg m^2", "/s" in "m/s".
struct Factor {
  bool divides;
  std::string_view name;
  std::string_view exponent;  // "^2"; empty: 1
};

/// The next factor; its name is empty at the end, or where the text is no unit.
Factor take_factor(std::string_view& text) {
  Factor factor{false, {}, {}};
  while (!text.empty() && (text.front() == ' ' || text.front() == '/')) {
    factor.divides = factor.divides || text.front() == '/';
    text.remove_prefix(1);
  }
  std::size_t n = 0;
  while (n < text.size() && text[n] != ' ' && text[n] != '/' && text[n] != '^') ++n;
  factor.name = text.substr(0, n);
  text.remove_prefix(n);
  n = 0;
  while (n < text.size() && text[n] != ' ' && text[n] != '/') ++n;
  factor.exponent = text.substr(0, n);
  text.remove_prefix(n);
  return factor;
}

int exponent_of(const Factor& factor) {
  const bool plain = factor.exponent.size() == 2 && factor.exponent[1] >= '1' && factor.exponent[1] <= '9';
  return factor.exponent.empty() ? 1 : plain ? factor.exponent[1] - '0' : 0;
}

}  // namespace

bool UnitSystem::is_si() const {
  return std::all_of(units_.begin(), units_.end(), [](const Unit* unit) { return unit == nullptr; });
}

Result<UnitSystem> UnitSystem::read(std::string_view text, const Origin& origin) {
  static_assert(std::size(kSi) == kKinds);
  UnitSystem system;
  Diagnostics problems;
  std::array<bool, kKinds> named{};
  const auto take = [&](std::string_view name, bool by_name) {
    const Unit* const unit = find_unit(name);
    if (unit == nullptr) {
      std::vector<std::string> known = unit_names();
      known.insert(known.begin(), {"si", "us"});
      const std::string nearest = nearest_name(std::string(name), known);
      problems.push_back(make_error("unit-unknown", origin, "unknown unit '" + std::string(name) + "'", "",
                                    nearest.empty() ? "write si, us, or units such as mm, deg"
                                                    : "did you mean '" + nearest + "'?"));
      return;
    }
    const std::size_t kind = kind_of(*unit);
    if (kind == kKinds) {
      problems.push_back(make_error("unit-system", origin, "no result is shown in '" + std::string(name) + "'",
                                    "units of length, mass, angle, force, energy, torque, power, pressure and angular "
                                    "speed can be chosen; times are in seconds",
                                    "leave it out"));
    } else if (by_name && named[kind]) {
      problems.push_back(make_error("unit-system", origin,
                                    "'" + std::string(name) + "' is the second unit in place of " +
                                        std::string(kSi[kind].name),
                                    "results have one", "leave one out"));
    } else {
      system.units_[kind] = unit->numerator == unit->denominator ? nullptr : unit;
      named[kind] = named[kind] || by_name;
    }
  };
  for_parts(text, [&](std::string_view part) {
    if (const std::string_view set = set_of(part); !set.empty()) {
      for_parts(set, [&](std::string_view one) { take(one, false); });
    } else {
      take(part, true);
    }
  });
  if (!problems.empty()) return problems;
  system.text_ = system.is_si() ? "si" : std::string(text);
  return system;
}

ShownUnit UnitSystem::shown(std::string_view si_unit) const {
  const auto whole = [&](Kind kind) {
    const Unit& unit = *units_[kind];
    return ShownUnit{std::string(unit.name), unit.denominator, unit.numerator};
  };
  for (const Kind kind : {kOfTorque, kOfSpeed})
    if (units_[kind] != nullptr && si_unit == kSi[kind].name) return whole(kind);
  ShownUnit result{{}, 1.0, 1.0};
  std::string_view rest = si_unit;
  for (Factor factor = take_factor(rest); !factor.name.empty(); factor = take_factor(rest)) {
    std::string name(factor.name);
    for (std::size_t k = 0; k < kKinds; ++k) {
      if (kSi[k].name != factor.name || k == kOfTorque || k == kOfSpeed) continue;
      const int times = exponent_of(factor);
      if (times == 0) break;
      ShownUnit one{name, 1.0, 1.0};
      if (units_[k] != nullptr) {
        one = whole(static_cast<Kind>(k));
      } else if (kSi[k].in_factors != nullptr && times == 1 && !factor.divides &&
                 (units_[kOfForce] != nullptr || units_[kOfLength] != nullptr)) {
        one = shown(kSi[k].in_factors);
      }
      for (int i = 0; i < times; ++i) {
        result.numerator *= factor.divides ? one.denominator : one.numerator;
        result.denominator *= factor.divides ? one.numerator : one.denominator;
      }
      name = one.unit;
    }
    if (!result.unit.empty() || factor.divides) result.unit += factor.divides ? "/" : " ";
    result.unit += name + std::string(factor.exponent);
  }
  if (result.numerator == result.denominator && is_si()) return {std::string(si_unit), 1.0, 1.0};
  return result;
}

std::string UnitSystem::labels(std::string_view text) const {
  std::string result;
  while (!text.empty()) {
    const std::size_t begin = text.find('['), end = text.find(']', begin);
    if (begin == std::string_view::npos || end == std::string_view::npos) break;
    result += std::string(text.substr(0, begin + 1)) + shown(text.substr(begin + 1, end - begin - 1)).unit + "]";
    text.remove_prefix(end + 1);
  }
  return result + std::string(text);
}

}  // namespace pintle
