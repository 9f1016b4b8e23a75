#include "pintle/spatial/check_inertia.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "pintle/math/number_text.h"
#include "pintle/spatial/principal_inertia.h"

namespace pintle {
namespace {

void report(Diagnostics& problems, const char* code, std::string what, const char* why, const char* fix) {
  problems.push_back(make_error(code, {}, std::move(what), why, fix));
}

void check_finite(Diagnostics& problems, const char* quantity, double value, const char* unit) {
  if (std::isfinite(value)) return;
  report(problems, "inertia-not-finite", std::string("the ") + quantity + " is " + number_text(value) + " " + unit,
         "every result that depends on it would be meaningless", "check where this value was computed or read");
}

void check_finite(Diagnostics& problems, const SpatialInertia<>& I) {
  check_finite(problems, "mass", I.mass, "kg");
  check_finite(problems, "first moment along x", I.first_moment.x, "kg m");
  check_finite(problems, "first moment along y", I.first_moment.y, "kg m");
  check_finite(problems, "first moment along z", I.first_moment.z, "kg m");
  constexpr const char* kEntries[] = {"inertia Ixx", "inertia Ixy", "inertia Ixz",
                                      "inertia Iyy", "inertia Iyz", "inertia Izz"};
  const std::array<double, 6> entries = to_array(I.inertia);
  for (std::size_t i = 0; i < 6; ++i) check_finite(problems, kEntries[i], entries[i], "kg m^2");
}

// The magnitude of the terms of which I_c is the difference.
double size_of_terms(const SpatialInertia<>& I) {
  const double steiner = I.mass > 0.0 ? norm_squared(I.first_moment) / I.mass : 0.0;
  return largest_entry(I.inertia) + steiner;
}

// A handful of roundings for the shift to the centre of mass and for the eigenvalues; the rest is for the inertia
// itself, which may be a sum over the many parts of a body.
double rounding_of(const SpatialInertia<>& I) {
  return 256.0 * kEpsilon<double> * size_of_terms(I);
}

// The amount by which moments violate the conditions of a body; negative: their margin.
double lack_of(const SpatialInertia<>& I) {
  const auto [p0, p1, p2] = principal_inertia(I.mass == 0.0 ? I.inertia : inertia_about_center_of_mass(I)).moments;
  return std::max(-p0, p2 - (p0 + p1));
}

void check_principal_moments(Diagnostics& problems, const SymMat3<>& I_c, double rounding) {
  const auto [p0, p1, p2] = principal_inertia(I_c).moments;
  const auto text = [&](double moment) { return number_text(abs(moment) <= rounding ? 0.0 : moment); };
  const std::string moments = "the principal moments of inertia about the centre of mass are " + text(p0) + ", " +
                              text(p1) + " and " + text(p2) + " kg m^2: ";
  const char* const fix =
      "check the six entries, their order and signs, and whether they are about the centre of mass or the origin";
  if (p0 < -rounding) {
    report(problems, "inertia-negative", moments + text(p0) + " < 0",
           "rotation about any axis must have positive kinetic energy", fix);
  } else if (p0 + p1 < p2 - rounding) {
    report(problems, "inertia-triangle",
           moments + text(p0) + " + " + text(p1) + " < " + text(p2) + ", by " + number_text(p2 - (p0 + p1)) + " kg m^2",
           "no distribution of mass has a moment larger than the sum of the other two", fix);
  }
}

}  // namespace

Diagnostics check_inertia(const SpatialInertia<>& I) {
  return check_inertia(I, I);
}

Diagnostics check_inertia(const SpatialInertia<>& I, const SpatialInertia<>& scale) {
  Diagnostics problems;
  check_finite(problems, I);
  if (has_errors(problems)) return problems;
  if (I.mass < 0.0) {
    report(problems, "inertia-mass", "the mass is " + number_text(I.mass) + " kg", "a mass is not negative",
           "give a mass of 0 kg or more");
    return problems;
  }
  const bool massless = I.mass == 0.0;
  if (massless && norm(I.first_moment) > 0.0) {
    report(problems, "inertia-first-moment",
           "the mass is 0 kg, but the first moment is " + point_text(I.first_moment) + " kg m",
           "without mass there is no centre of mass", "give a mass above 0 kg, or a first moment of zero");
    return problems;
  }
  const SymMat3<> I_c = massless ? I.inertia : inertia_about_center_of_mass(I);
  check_principal_moments(problems, I_c, std::max(rounding_of(I), rounding_of(scale)));
  return problems;
}

Diagnostics check_welded_inertia(const SpatialInertia<>& part, const SpatialInertia<>& whole) {
  Diagnostics problems = check_inertia(part);
  if (problems.empty() || !check_inertia(whole).empty()) return problems;
  const double rounding = rounding_of(whole);
  for (Diagnostic& problem : problems) {
    if (problem.code != "inertia-negative" && problem.code != "inertia-triangle") continue;
    if (lack_of(part) > rounding && lack_of(whole) >= -rounding) continue;
    problem.code = "inertia-alone";
    problem.severity = Severity::warning;
    problem.why = "no single body can have it; the composite inertia with all bodies welded to it is possible";
  }
  return problems;
}

}  // namespace pintle
