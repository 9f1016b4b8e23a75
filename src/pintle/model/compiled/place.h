// Place: a frame that moves with a link, made from a body, a named frame or any point.
#pragma once

#include "pintle/model/compiled/model.h"

namespace pintle {

/// A frame F fixed to a link (-1: to the world).
struct Place {
  int link;
  Pose<> X_LF;
  int body = -1;  ///< the body it is on, -1 for the world
};

/// The frame of a body (its index from Model::body).
Place body_place(const Model& model, int body);

/// A named frame (its index from Model::frame).
Place frame_place(const Model& model, int frame);

/// Returns the frame of the body or the named frame of that name, or the world's. Throws UsageError, with the nearest
/// name, when neither exists, and when both do.
Place place_named(const Model& model, std::string_view name);

/// The frame at a point of a body, with the body's axes; the point [m] in the body's frame.
Place point_place(const Model& model, int body, const Vec3<>& point_B);

}  // namespace pintle
