#include "pintle/simulation/run/row_bodies.h"

namespace pintle {

RowBodies::RowBodies(const Scene& scene)
    : system_(scene, {}), no_states_(static_cast<std::size_t>(system_.auxiliary_count())), reactions_(scene.model()) {}

bool RowBodies::find(double t, std::span<const double> q, std::span<const double> v, std::span<const double> vdot,
                     std::span<const ContactForceRecord> contacts) {
  if (!system_.applied({t, q, v, no_states_})) return false;
  DynamicsOptions options = system_.options();
  if (!contacts.empty()) {
    const std::span<const Wrench<>> loads = system_.external();
    external_.assign(loads.begin(), loads.end());
    external_.resize(system_.model().bodies().size());
    kinematics(system_.model(), q, v, vdot, reactions_.kinematics);
    add_contacts(contacts);
    options.external = external_;
  }
  pintle::reactions(system_.model(), q, v, vdot, reactions_, options);
  return true;
}

void RowBodies::add_contacts(std::span<const ContactForceRecord> contacts) {
  const auto add = [&](int body, const ContactForceRecord& contact, double sign) {
    if (body < 0) return;
    const Pose<> X_WB = pose_of(places(), body_place(system_.model(), body));
    const Vec3<> force = sign * contact.force();
    const Vec3<> torque = cross(contact.point - X_WB.translation, force) + sign * contact.moment;
    external_[static_cast<std::size_t>(body)] +=
        {transpose_times(X_WB.rotation, force), transpose_times(X_WB.rotation, torque)};
  };
  for (const ContactForceRecord& contact : contacts) {
    add(contact.body_a, contact, -1.0);
    add(contact.body_b, contact, 1.0);
  }
}

}  // namespace pintle
