// A spring and damper along the line between two points of bodies, or a rope.
#pragma once

#include <string>

#include "pintle/simulation/elements/place_spec.h"
#include "pintle/simulation/system/force_element.h"

namespace pintle {

/// With the distance l of the two points, it pulls them together by
///
///     tension = preload + stiffness (l - rest_length) + damping dl/dt
///
/// A rope (tension_only) pulls while it is stretched, preload + stiffness (l - rest_length) > 0, and the tension is
/// above zero; else not at all.
struct LineSpringSpec {
  std::string name{};
  PlaceSpec first{};
  PlaceSpec second{};
  double stiffness = 0.0;    ///< k [N/m]
  double damping = 0.0;      ///< c [N s/m]
  double rest_length = 0.0;  ///< [m]
  double preload = 0.0;      ///< p [N], the tension at the rest length
  bool tension_only = false;
  Origin origin{};
};

/// The spring for a model. Its energy is k s^2/2 + p s with s = l - rest_length, that of a rope is constant while it is
/// slack. Where the two points coincide, the line has no direction: ForcePower::ok is false.  [eq. line-spring]
Result<ForceElementPointer> make_line_spring(const Model& model, const LineSpringSpec& spec);

}  // namespace pintle
