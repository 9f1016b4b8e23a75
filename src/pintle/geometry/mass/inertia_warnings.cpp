#include "pintle/geometry/mass/inertia_warnings.h"

#include <cmath>
#include <string>
#include <utility>

#include "pintle/math/number_text.h"
#include "pintle/spatial/check_inertia.h"

namespace pintle {
namespace {

/// A possible unit error, and its correction.
struct Repair {
  double mass, length;  ///< factors on the mass, and on the lengths of the shapes
  const char *guess, *fix;
};
constexpr Repair kDensityRepairs[] = {
    {1e-3, 1.0, "grams?", "if the mass is in grams, write it in kilograms: 0.001 times the value"},
    {1.0, 1e-3, "millimetres?", "if the shapes are in millimetres, write them in metres, or scale them by 0.001"},
    {1.0, 1e-2, "centimetres?", "if the shapes are in centimetres, write them in metres, or scale them by 0.01"},
};

/// Units of inertia in kg m^2.
struct InertiaUnit {
  double factor;
  const char* name;
};
constexpr InertiaUnit kInertiaUnits[] = {
    {1e-3, "g m^2"}, {1e-4, "kg cm^2"}, {1e-6, "kg mm^2"}, {1e-7, "g cm^2"}, {1e-9, "g mm^2"}};

/// The correction that brings the density into the range of metals, plastics and hollow bodies; nullptr when there is
/// none.
const Repair* density_repair(double density) {
  for (const Repair& repair : kDensityRepairs) {
    const double repaired = density * repair.mass / (repair.length * repair.length * repair.length);
    if (repaired >= 50.0 && repaired <= 2e4) return &repair;
  }
  return nullptr;
}

Diagnostic density_warning(double density, double mass, const Repair* repair) {
  const bool heavy = density > kMaxDensity;
  const std::string what = "the mass of " + number_text(mass) + " kg in " + (heavy ? "a box" : "shapes") + " of " +
                           rough_text(mass / density) + " m^3 is a density of " + rough_text(density) + " kg/m^3";
  std::string why = heavy ? "the heaviest metals have 22 600 kg/m^3" : "air has 1.2 kg/m^3";
  if (repair == nullptr)
    return make_warning("inertia-density", {}, what, why, "check the units: kg for masses, m for lengths");
  const double repaired = density * repair->mass / (repair->length * repair->length * repair->length);
  return make_warning("inertia-density", {}, what + ": " + repair->guess, why,
                      std::string(repair->fix) + "; that gives " + rough_text(repaired) + " kg/m^3");
}

/// The unit that may explain an inertia this many times too large: in it the inertia is about that of a solid or of a
/// shell; nullptr when there is none.
const InertiaUnit* inertia_unit(double ratio) {
  for (const InertiaUnit& unit : kInertiaUnits)
    if (ratio * unit.factor > 0.2 && ratio * unit.factor < 3.0) return &unit;
  return nullptr;
}

Diagnostic size_warning(double gyration, const Vec3<>& lengths, double mass, double ratio) {
  const std::string what = "the radius of gyration is " + rough_text(gyration) + " m, the shapes measure " +
                           rough_text(norm(lengths)) + " m along the diagonal of their box: ";
  if (ratio > 1.0) {
    const InertiaUnit* const unit = inertia_unit(ratio);
    return make_warning("inertia-size", {},
                        what + "the inertia is " + rough_text(ratio) + " times that of a solid box" +
                            (unit == nullptr ? "" : std::string(": ") + unit->name + "?"),
                        "no mass distribution within the shapes has that much inertia",
                        unit == nullptr ? "check the units (kg m^2), and that the inertia is about the centre of mass"
                                        : std::string("if the inertia is in ") + unit->name + ", write it in kg m^2: " +
                                              number_text(unit->factor) + " times the values");
  }
  const Vec3<> squares = (mass / 12.0) * componentwise_product(lengths, lengths);
  const std::string fix = "check the units (kg m^2); a solid box of that size and mass has moments of about " +
                          rough_text(squares.y + squares.z) + ", " + rough_text(squares.x + squares.z) + " and " +
                          rough_text(squares.x + squares.y) + " kg m^2";
  return make_warning("inertia-size", {},
                      what + (ratio == 0.0 ? "the inertia is zero" : "the inertia is too small for that size"),
                      "only a point mass has that little inertia", fix);
}

}  // namespace

Diagnostics inertia_warnings(double mass, const SymMat3<>& I_c, const BodyRoom& room) {
  Diagnostics warnings;
  if (!(mass > 0.0) || has_errors(check_inertia({mass, {0.0, 0.0, 0.0}, I_c}))) return warnings;
  const Vec3<> lengths = room.box.max - room.box.min;
  if (norm(lengths) < kMinRoom) return warnings;
  Repair assumed{1.0, 1.0, "", ""};
  const double min_density = mass / (lengths.x * lengths.y * lengths.z), max_density = mass / room.volume;
  const bool heavy = min_density > kMaxDensity, light = room.volume > 0.0 && max_density < kMinDensity;
  if (heavy || light) {
    const double density = heavy ? min_density : max_density;
    const Repair* const repair = density_repair(density);
    warnings.push_back(density_warning(density, mass, repair));
    if (repair != nullptr) assumed = *repair;
  }
  // Do not warn again about what the first warning explains.
  const double size = assumed.length * norm(lengths);
  const double gyration_squared = 0.5 * trace(I_c) / (assumed.mass * mass);
  const double ratio = gyration_squared / (size * size / 12.0);
  if (ratio < kMinInertiaRatio || ratio > kMaxInertiaRatio)
    warnings.push_back(size_warning(std::sqrt(0.5 * trace(I_c) / mass), lengths, mass, ratio));
  return warnings;
}

}  // namespace pintle
