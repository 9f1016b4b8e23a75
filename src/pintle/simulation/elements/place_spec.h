// PlaceSpec: a point of a mechanism, as a person describes it.
#pragma once

#include <string>

#include "pintle/model/spec/model_spec.h"

namespace pintle {

/// A point on a body or on a frame, by its name, or on the world.
struct PlaceSpec {
  std::string on = kWorld;
  Vec3<> point{0.0, 0.0, 0.0};  ///< [m] in the axes of that body or frame
};

}  // namespace pintle
