#include "pintle/model/compiled/place.h"

#include <vector>

#include "pintle/base/nearest_name.h"
#include "pintle/base/usage_error.h"

namespace pintle {

Place body_place(const Model& model, int body) {
  require(body >= 0 && body < static_cast<int>(model.bodies().size()), "body_place", "body", "there is no such body");
  const ModelBody& found = model.bodies()[static_cast<std::size_t>(body)];
  return {found.link, found.X_LB, body};
}

Place frame_place(const Model& model, int frame) {
  require(frame >= 0 && frame < static_cast<int>(model.frames().size()), "frame_place", "frame",
          "there is no such frame");
  const ModelFrame& found = model.frames()[static_cast<std::size_t>(frame)];
  if (found.body < 0) return {-1, found.X_BF};
  const Place body = body_place(model, found.body);
  return {body.link, body.X_LF * found.X_BF, found.body};
}

Place place_named(const Model& model, std::string_view name) {
  if (name == kWorld) return {-1, identity_pose<double>()};
  int body = -1, frame = -1;
  for (std::size_t i = 0; i < model.bodies().size(); ++i)
    if (model.bodies()[i].name == name) body = static_cast<int>(i);
  for (std::size_t i = 0; i < model.frames().size(); ++i)
    if (model.frames()[i].name == name) frame = static_cast<int>(i);
  if (body >= 0 && frame >= 0) {
    throw UsageError("place_named: '" + std::string(name) +
                     "' is a body and a frame: use body_place(model, model.body(...)) or frame_place");
  }
  if (body >= 0) return body_place(model, body);
  if (frame >= 0) return frame_place(model, frame);
  std::vector<std::string> names;
  for (const ModelBody& known : model.bodies()) names.push_back(known.name);
  for (const ModelFrame& known : model.frames()) names.push_back(known.name);
  names.emplace_back(kWorld);
  const std::string nearest = nearest_name(name, names);
  throw UsageError("place_named: there is no body or frame '" + std::string(name) + "'" +
                   (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

Place point_place(const Model& model, int body, const Vec3<>& point_B) {
  const Place place = body_place(model, body);
  return {place.link, place.X_LF * Pose<>{identity3(), point_B}, body};
}

}  // namespace pintle
