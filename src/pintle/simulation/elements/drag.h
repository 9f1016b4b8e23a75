// The drag of a uniform medium on a body.
#pragma once

#include <string>

#include "pintle/simulation/elements/place_spec.h"
#include "pintle/simulation/system/force_element.h"

namespace pintle {

/// With the velocity u of the place relative to the medium and the angular velocity w of the body:
///
///     force = -(linear + quadratic |u|) u at the place,    torque = -(rotational_linear + rotational_quadratic |w|) w
struct DragSpec {
  std::string name{};
  PlaceSpec at{};                     ///< a point on a body: the centre of pressure
  double linear = 0.0;                ///< [N s/m]
  double quadratic = 0.0;             ///< [N s^2/m^2], such as rho c_d A / 2
  double rotational_linear = 0.0;     ///< [N m s/rad]
  double rotational_quadratic = 0.0;  ///< [N m s^2/rad^2]
  Vec3<> wind{0, 0, 0};               ///< [m/s] velocity of the medium, in the world's axes
  Origin origin{};
};

/// The drag for a model. Its power is negative in a medium at rest; wind may drive the body.  [eq. drag]
Result<ForceElementPointer> make_drag(const Model& model, const DragSpec& spec);

}  // namespace pintle
