#include "pintle/base/unit.h"

namespace pintle {
namespace {

constexpr double kPi = 3.14159265358979323846;

constexpr Dimension kSpeed = kAngle / kTime, kFrequency = kNumber / kTime, kEnergy = kTorque, kPower = kEnergy / kTime;
constexpr Dimension kPressure = kForce / power(kLength, 2);

constexpr Unit kUnits[] = {
    {"rad", 1, 1, kAngle},      {"mrad", 1, 1000, kAngle}, {"deg", kPi, 180, kAngle},    {"rev", 2 * kPi, 1, kAngle},
    {"rpm", kPi, 30, kSpeed},   {"m", 1, 1, kLength},      {"um", 1, 1e6, kLength},      {"mm", 1, 1000, kLength},
    {"cm", 1, 100, kLength},    {"km", 1000, 1, kLength},  {"s", 1, 1, kTime},           {"ms", 1, 1000, kTime},
    {"us", 1, 1e6, kTime},      {"Hz", 1, 1, kFrequency},  {"kHz", 1000, 1, kFrequency}, {"kg", 1, 1, kMass},
    {"N", 1, 1, kForce},        {"mN", 1, 1000, kForce},   {"kN", 1000, 1, kForce},      {"Nm", 1, 1, kTorque},
    {"mNm", 1, 1000, kTorque},  {"kNm", 1000, 1, kTorque}, {"J", 1, 1, kEnergy},         {"kJ", 1000, 1, kEnergy},
    {"W", 1, 1, kPower},        {"kW", 1000, 1, kPower},   {"Pa", 1, 1, kPressure},      {"kPa", 1000, 1, kPressure},
    {"MPa", 1e6, 1, kPressure}, {"GPa", 1e9, 1, kPressure}, {"bar", 1e5, 1, kPressure},
    {"g", 1, 1000, kMass, true},
    // The international inch and pound, and the standard acceleration of gravity 9.80665 m/s^2: exact by definition.
    {"in", 254, 10000, kLength}, {"ft", 3048, 10000, kLength}, {"lb", 45359237, 1e8, kMass},
    {"oz", 45359237, 16e8, kMass}, {"lbf", 44482216152605, 1e13, kForce}, {"psi", 44482216152605, 64516e5, kPressure},
};

/// Derived units first, so that a torque reads "N m" and not "kg m^2/s^2".
struct NamedDimension {
  const char* name;
  Dimension dimension;
};

constexpr NamedDimension kNamed[] = {
    {"N m", kTorque},
    {"N m/rad", kTorque / kAngle},
    {"N m s/rad", kTorque* kTime / kAngle},
    {"N m s", kTorque* kTime},
    {"N", kForce},
    {"N/m", kForce / kLength},
    {"N s/m", kForce* kTime / kLength},
    {"N s", kForce* kTime},
    {"W", kPower},
    {"Pa", kPressure},
};

std::string factor(const char* name, int exponent) {
  return exponent == 1 ? std::string(name) : std::string(name) + "^" + std::to_string(exponent);
}

}  // namespace

const Unit* find_unit(std::string_view name) {
  for (const Unit& unit : kUnits)
    if (unit.name == name) return &unit;
  return nullptr;
}

std::vector<std::string> unit_names() {
  std::vector<std::string> names;
  for (const Unit& unit : kUnits) names.emplace_back(unit.name);
  return names;
}

std::string dimension_text(const Dimension& dimension) {
  if (dimension == kNumber) return "a plain number";
  for (const NamedDimension& named : kNamed)
    if (named.dimension == dimension) return named.name;
  struct Part {
    const char* name;
    int exponent;
  };
  const Part parts[] = {
      {"kg", dimension.mass}, {"m", dimension.length}, {"rad", dimension.angle}, {"s", dimension.time}};
  std::string above, below;
  for (const Part& part : parts) {
    if (part.exponent > 0) above += (above.empty() ? "" : " ") + factor(part.name, part.exponent);
    if (part.exponent < 0) below += "/" + factor(part.name, -part.exponent);
  }
  return (above.empty() ? "1" : above) + below;
}

}  // namespace pintle
