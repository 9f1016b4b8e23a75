#include "pintle/geometry/mass/mass_properties.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pintle/geometry/mass/check_holes.h"
#include "pintle/math/number_text.h"
#include "pintle/spatial/check_inertia.h"

namespace pintle {
namespace {

void check_positive(Diagnostics& problems, const char* quantity, double value, const char* unit) {
  if (std::isfinite(value) && value > 0.0) return;
  problems.push_back(make_error(quantity, {}, std::string("the ") + quantity + " is " + number_text(value) + " " + unit,
                                "it must be finite and positive", "give a value above 0"));
}

void check_pose(Diagnostics& problems, const Pose<>& X) {
  const Vec3<> p = X.translation;
  if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
    problems.push_back(make_error("pose-not-finite", {}, "the shape is placed at " + point_text(p) + " m",
                                  "every result that depends on it would be meaningless",
                                  "check where this position was computed or read"));
  }
  constexpr double kLargest = 1e-9;  // far above rounding, and far below any error of the caller
  double off = abs(determinant(X.rotation) - 1.0);
  const Mat3<> gram = transpose_times(X.rotation, X.rotation);
  const std::array<double, 9> one = to_array(identity3<double>()), product = to_array(gram);
  for (std::size_t i = 0; i < 9; ++i) off = !(abs(product[i] - one[i]) <= off) ? abs(product[i] - one[i]) : off;
  if (!(off <= kLargest)) {
    problems.push_back(make_error(
        "pose-rotation", {}, "the matrix of the pose is not a rotation (off by " + number_text(off) + ")",
        "its columns must be orthonormal and right-handed", "make it with rotation_matrix from a unit quaternion"));
  }
}

Diagnostics check_input(const Shape& shape, std::span<const Hole> holes, const Pose<>& X_BS) {
  Diagnostics problems = check(shape);
  check_pose(problems, X_BS);
  for (const Hole& hole : holes) check_pose(problems, hole.X_SH);
  if (has_errors(problems) || holes.empty()) return problems;
  const Diagnostics of_holes = check_holes(shape, holes);
  problems.insert(problems.end(), of_holes.begin(), of_holes.end());
  return problems;
}

// The moments of what the holes leave, in the frame of the shape.  [eq. holes]
Result<VolumeProperties> remaining_volume(const Shape& shape, std::span<const Hole> holes) {
  const VolumeProperties solid = volume_properties(shape);
  if (holes.empty()) return solid;
  SpatialInertia<> removed{};
  for (const Hole& hole : holes) removed = removed + hole.X_SH * unit_density_inertia(hole.shape);
  const Result<SpatialInertia<>> rest = subtract(spatial_inertia(solid.volume, solid.centroid, solid.inertia), removed);
  if (!rest) {
    return make_error("hole-nothing-left", {}, std::string("nothing is left of the ") + name(shape),
                      "its holes have " + number_text(removed.mass) + " of its " + number_text(solid.volume) + " m^3",
                      "make the holes smaller");
  }
  return VolumeProperties{rest->mass, rest->first_moment / rest->mass, inertia_about_center_of_mass(*rest)};
}

bool is_finite(const SpatialInertia<>& I) {
  const auto finite = [](double x) { return std::isfinite(x); };
  const std::array<double, 3> h = to_array(I.first_moment);
  const std::array<double, 6> entries = to_array(I.inertia);
  return finite(I.mass) && std::all_of(h.begin(), h.end(), finite) &&
         std::all_of(entries.begin(), entries.end(), finite);
}

// The inertia in B of a solid with this mass: transforms c and I_c before moving the origin, so that a shape far from
// the origin of its own frame loses no digits. The result includes `warnings`.
Result<SpatialInertia<>> placed_inertia(const VolumeProperties& solid, double mass, const Pose<>& X_BS,
                                        Diagnostics warnings) {
  const SymMat3<> I_c = congruence(X_BS.rotation, (mass / solid.volume) * solid.inertia);
  const SpatialInertia<> I = spatial_inertia(mass, transform_point(X_BS, solid.centroid), I_c);
  const bool in_range = solid.volume > 0.0 && mass > 0.0 && is_finite(I);
  if (in_range) return {I, std::move(warnings)};
  return make_error(
      "shape-range", {},
      "the volume of the shape is " + number_text(solid.volume) + " m^3, and its mass " + number_text(mass) + " kg",
      "the mass or inertia overflows or underflows a double", "check the units: lengths are in m, masses in kg");
}

}  // namespace

Result<SpatialInertia<>> inertia_from_density(const Shape& shape, double density, const Pose<>& X_BS) {
  return inertia_from_density(shape, {}, density, X_BS);
}

Result<SpatialInertia<>> inertia_from_density(const Shape& shape, std::span<const Hole> holes, double density,
                                              const Pose<>& X_BS) {
  Diagnostics problems = check_input(shape, holes, X_BS);
  check_positive(problems, "density", density, "kg/m^3");
  if (has_errors(problems)) return problems;
  const Result<VolumeProperties> solid = remaining_volume(shape, holes);
  if (!solid) return solid.diagnostics();
  return placed_inertia(*solid, density * solid->volume, X_BS, std::move(problems));
}

Result<SpatialInertia<>> inertia_from_mass(const Shape& shape, double mass, const Pose<>& X_BS) {
  return inertia_from_mass(shape, {}, mass, X_BS);
}

Result<SpatialInertia<>> inertia_from_mass(const Shape& shape, std::span<const Hole> holes, double mass,
                                           const Pose<>& X_BS) {
  Diagnostics problems = check_input(shape, holes, X_BS);
  check_positive(problems, "mass", mass, "kg");
  if (has_errors(problems)) return problems;
  const Result<VolumeProperties> solid = remaining_volume(shape, holes);
  if (!solid) return solid.diagnostics();
  return placed_inertia(*solid, mass, X_BS, std::move(problems));
}

Result<SpatialInertia<>> subtract(const SpatialInertia<>& whole, const SpatialInertia<>& part) {
  const SpatialInertia<> rest = whole - part;
  // A remainder of the order of the rounding errors of the two masses counts as zero mass.
  if (rest.mass <= 16.0 * kEpsilon<double> * abs(whole.mass)) {
    return make_error(
        "subtract-mass", {},
        "a part of " + number_text(part.mass) + " kg is subtracted from " + number_text(whole.mass) + " kg",
        "no mass remains", "check the masses, and which of the two is the whole");
  }
  Diagnostics problems = check_inertia(rest, whole);
  if (!has_errors(problems)) return rest;
  for (Diagnostic& diagnostic : problems) {
    diagnostic.what = "after subtraction of the part, " + diagnostic.what;
    diagnostic.fix = "check that the part lies inside the whole, and that both are about the same origin";
  }
  return problems;
}

}  // namespace pintle
