// A force and a torque on a body as functions of time.
#pragma once

#include <array>
#include <string>

#include "pintle/simulation/elements/drive.h"
#include "pintle/simulation/elements/place_spec.h"
#include "pintle/simulation/system/force_element.h"

namespace pintle {

/// The axes in which the components of a force are given.
enum class ForceAxes : unsigned char {
  world,  ///< the world's
  body,   ///< those of the body or frame it acts on: it rotates with it
};

struct BodyForceSpec {
  std::string name{};
  PlaceSpec at{};                 ///< a point on a body
  std::array<Drive, 3> force{};   ///< x, y, z [N]
  std::array<Drive, 3> torque{};  ///< x, y, z [N m]
  ForceAxes axes = ForceAxes::world;
  Origin origin{};
};

/// The force for a model; all its work counts as power, it stores nothing.  [eq. body-force]
Result<ForceElementPointer> make_body_force(const Model& model, const BodyForceSpec& spec);

/// Three constants, for a BodyForceSpec. Throws UsageError if one is not finite.
std::array<Drive, 3> constant_drives(const Vec3<>& value);

}  // namespace pintle
