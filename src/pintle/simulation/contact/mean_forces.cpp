#include "pintle/simulation/contact/mean_forces.h"

#include <cmath>

namespace pintle {

Vec3<> in_axes_now(const Vec3<>& mean, const ActiveContact& contact, const ContactFrame& frame) {
  const Vec3<> axis = transpose_times(frame.X_AC.rotation, contact.mean_axis_A);
  const double size = std::sqrt(fma(axis.y, axis.y, axis.z * axis.z)), cos = axis.y / size, sin = axis.z / size;
  return {mean.x, fma(cos, mean.y, -sin * mean.z), fma(sin, mean.y, cos * mean.z)};
}

void MeanForces::find(const Contacts& contacts, const KinematicsWorkspace& places) {
  const std::span<const ActiveContact> active = contacts.active();
  forces_.resize(active.size());
  for (std::size_t c = 0; c < active.size(); ++c) {
    const ActiveContact& contact = active[c];
    MeanForce& at = forces_[c];
    at.frame = contacts.contact_frame_of(static_cast<std::size_t>(contact.pair), contacts.point_of(contact, places), places);
    const Vec3<> force = in_axes_now(contact.mean_force, contact, at.frame);
    const Twist<> V = contact_velocity(places, at.frame);
    at.force = {force.x, force.y, force.z};
    at.moment = in_axes_now(contact.mean_moment, contact, at.frame);
    at.speed = {V.linear.x, V.linear.y, V.linear.z};
    at.angular_speed = V.angular;
  }
}

}  // namespace pintle
