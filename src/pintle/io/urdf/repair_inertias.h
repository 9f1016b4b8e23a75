// URDF files with inertias that no body has, repaired: the nearest ones in their place, and not another byte changed.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/geometry/mass/nearest_inertia.h"

namespace pintle {

/// How far within what bodies can have repaired inertias lie (nearest_inertia's margin), so that the roundings of other
/// programs do no harm.
inline constexpr double kRepairMargin = 1e-6;

/// An inertia that was repaired.
struct InertiaChange {
  std::string link{};
  Origin origin{};                 ///< of its <inertia>
  double mass = 0.0;               ///< [kg], as it was
  NearestInertia nearest{};        ///< what changed
  std::array<double, 6> before{};  ///< ixx, ixy, ixz, iyy, iyz, izz [kg m^2]
  std::array<double, 6> after{};   ///< as they are written now
};

/// A URDF file with its inertias repaired.
struct RepairedUrdf {
  std::string text{};                    ///< of the whole file
  std::vector<InertiaChange> changes{};  ///< in the order of the file
  std::size_t inertias = 0;              ///< how many the file has
  Diagnostics left{};                    ///< why some could not be repaired: a mass that is not above zero
};

/// Replaces the numbers of every <inertia> that no body can have by those of the nearest one that a body can have
/// (nearest_inertia). Numbers are written so that they are read back as the same doubles; those that stay, mass, place
/// and everything else keep their bytes. Problems: those of read_urdf_text where the file is no URDF at all.
Result<RepairedUrdf> repair_inertias(std::string_view text, const std::string& file, double margin = kRepairMargin);

}  // namespace pintle
