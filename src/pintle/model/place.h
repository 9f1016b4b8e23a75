// Place: a frame that moves with a link, wherever it came from: a body, a named frame, any point.
#pragma once

#include "pintle/model/model.h"

namespace pintle {

/// A frame F fixed to a link (-1: to the world).
struct Place {
  int link;
  Pose<> X_LF;
};

/// The frame of a body (its number from Model::body).
Place body_place(const Model& model, int body);

/// A named frame (its number from Model::frame).
Place frame_place(const Model& model, int frame);

/// The frame at a point of a body, with the body's axes; the point [m] in the body's frame.
Place point_place(const Model& model, int body, const Vec3<>& point_B);

}  // namespace pintle
