// Repairs physically impossible inertias of URDF files: replaces them with the nearest possible ones and changes no
// other byte.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/geometry/mass/nearest_inertia.h"

namespace pintle {

/// How far inside the set of possible inertias the repaired ones lie (nearest_inertia's margin), so that rounding in
/// other programs does no harm.
inline constexpr double kRepairMargin = 1e-6;

/// A repaired inertia.
struct InertiaChange {
  std::string link{};
  Origin origin{};                 ///< of its <inertia>
  double mass = 0.0;               ///< [kg], unchanged
  NearestInertia nearest{};        ///< what changed
  std::array<double, 6> before{};  ///< ixx, ixy, ixz, iyy, iyz, izz [kg m^2]
  std::array<double, 6> after{};   ///< as written now
};

/// A URDF file with repaired inertias.
struct RepairedUrdf {
  std::string text{};                    ///< of the whole file
  std::vector<InertiaChange> changes{};  ///< in file order
  std::size_t inertias = 0;              ///< number of inertias in the file
  Diagnostics left{};                    ///< why some could not be repaired: a mass that is not positive
};

/// Replaces the values of every physically impossible <inertia> by those of the nearest possible one (nearest_inertia).
/// The new values read back as the same doubles; unchanged values, mass, pose and everything else keep their bytes.
/// Problems: those of read_urdf_text if the file is not URDF at all.
Result<RepairedUrdf> repair_inertias(std::string_view text, const std::string& file, double margin = kRepairMargin);

}  // namespace pintle
