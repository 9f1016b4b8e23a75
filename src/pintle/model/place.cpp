#include "pintle/model/place.h"

#include "pintle/base/usage_error.h"

namespace pintle {

Place body_place(const Model& model, int body) {
  require(body >= 0 && body < static_cast<int>(model.bodies().size()), "body_place", "body", "there is no such body");
  const ModelBody& found = model.bodies()[static_cast<std::size_t>(body)];
  return {found.link, found.X_LB};
}

Place frame_place(const Model& model, int frame) {
  require(frame >= 0 && frame < static_cast<int>(model.frames().size()), "frame_place", "frame",
          "there is no such frame");
  const ModelFrame& found = model.frames()[static_cast<std::size_t>(frame)];
  if (found.body < 0) return {-1, found.X_BF};
  const Place body = body_place(model, found.body);
  return {body.link, body.X_LF * found.X_BF};
}

Place point_place(const Model& model, int body, const Vec3<>& point_B) {
  const Place place = body_place(model, body);
  return {place.link, place.X_LF * Pose<>{identity3(), point_B}};
}

}  // namespace pintle
