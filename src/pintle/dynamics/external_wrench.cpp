#include "pintle/dynamics/external_wrench.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"

namespace pintle {
void add_external(const Model& model, const KinematicsWorkspace& work, const Place& place, const Wrench<>& F, Axes axes,
                  std::span<Wrench<>> external) {
  require_size("add_external", "external", external.size(), model.bodies().size());
  require(place.body >= 0 && size(place.body) < model.bodies().size(), "add_external", "place", "it is not on a body");
  const Pose<> X_BF = inverse_times(model.bodies()[size(place.body)].X_LB, place.X_LF);
  external[size(place.body)] += X_BF * from_axes(F, pose_of(work, place), axes);
}

std::span<const Wrench<>> on_links(const Model& model, std::span<const Wrench<>> external, std::span<Wrench<>> room) {
  if (external.empty()) return {};
  require_size("on_links", "external", external.size(), model.bodies().size());
  require_size("on_links", "room", room.size(), model.links().size());
  for (Wrench<>& F : room) F = zero_wrench();
  for (std::size_t i = 0; i < external.size(); ++i) {
    const ModelBody& body = model.bodies()[i];
    if (body.link >= 0) room[size(body.link)] += body.X_LB * external[i];
  }
  return room;
}

const Wrench<>* on_plan(const Model& model, std::span<const Wrench<>> external, std::span<Wrench<>> room) {
  if (external.empty()) return nullptr;
  const auto acts = [](const Vec3<>& a) { return a.x != 0.0 || a.y != 0.0 || a.z != 0.0; };
  for (Wrench<>& F : room) F = zero_wrench();
  for (std::size_t i = 0; i < external.size(); ++i) {
    const ModelBody& body = model.bodies()[i];
    if (body.link < 0 || !(acts(external[i].force) || acts(external[i].torque))) continue;
    room[size(body.link)] += inverse_times(model.plan().frames()[size(body.link)], body.X_LB * external[i]);
  }
  return room.data();
}

}  // namespace pintle
