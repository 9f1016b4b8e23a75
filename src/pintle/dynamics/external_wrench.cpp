#include "pintle/dynamics/external_wrench.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/kernels/planned_kernels.h"

namespace pintle {
void add_external(const Model& model, const KinematicsWorkspace& work, const Place& place, const Wrench<>& F, Axes axes,
                  std::span<Wrench<>> external) {
  const std::span<const ModelBody> bodies = model.bodies();
  require_size("add_external", "external", external.size(), bodies.size());
  require(place.body >= 0 && size(place.body) < bodies.size(), "add_external", "place", "it is not on a body");
  const Pose<> X_BF = inverse_times(bodies[size(place.body)].X_LB, place.X_LF);
  external[size(place.body)] += X_BF * (axes == Axes::local ? F : from_axes(F, pose_of(work, place), axes));
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
  const std::span<const ModelBody> bodies = model.bodies();
  const std::span<const Pose<>> frames = model.plan().frames();
  for (Wrench<>& F : room) F = zero_wrench();
  for (std::size_t i = 0; i < external.size(); ++i) {
    const ModelBody& body = bodies[i];
    if (body.link < 0 || !(acts(external[i].force) || acts(external[i].torque))) continue;
    room[size(body.link)] += inverse_times(frames[size(body.link)], body.X_LB * external[i]);
  }
  return room.data();
}

}  // namespace pintle
