// Bodies on free joints at a state: their accelerations, the poses of their links, and M^-1 J^T for impulses at their
// contacts.
#include "pintle/simulation/flight/free_flight.h"

#include <algorithm>

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

constexpr std::size_t kFreeJointDofs = 6;

void write_to(double* values, const Vec3<>& linear, const Vec3<>& angular) {
  const double parts[kFreeJointDofs] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
  for (std::size_t i = 0; i < kFreeJointDofs; ++i) values[i] = parts[i];
}

/// The contribution of a body to the three rows of a contact: an impulse d at a point p changes its angular velocity by
/// I_c^-1 ((p - c) x d) and the velocity of its centre of mass by d/m. `sign` is -1 if its motion counts against the
/// other's.
void add_share(const FlightBody& body, const Pose<>& X_LC, double sign, const Twist<>& V, std::size_t first_row,
               ContactRowsWorkspace& rows) {
  const Vec3<>&p = X_LC.translation, &c = body.center;
  const Vec3<> arm = p - c, speed = V.linear + cross(V.angular, p);
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t row = first_row + static_cast<std::size_t>(axis);
    const std::size_t at = row * rows.nv + static_cast<std::size_t>(body.v);
    const Vec3<> d = sign * column(X_LC.rotation, axis), turn = body.mobility * cross(arm, d);
    write_to(rows.J.data() + at, d, cross(p, d));
    write_to(rows.responses.data() + at, d / body.mass - cross(turn, c), turn);
    rows.speed[row] += dot(d, speed);
  }
}

}  // namespace

Wrench<> FreeFlight::accelerations(std::span<const double> q, std::span<const double> v, std::span<double> vdot) const {
  Wrench<> weight{};
  for (const FlightBody& body : bodies_) {
    const double* const p = q.data() + body.q;
    const double* const u = v.data() + body.v;
    const Quaternion<> r{p[3], p[4], p[5], p[6]};
    const Vec3<> V{u[0], u[1], u[2]}, w{u[3], u[4], u[5]}, &c = body.center;
    const Vec3<> turning = body.mobility * cross(body.inertia * w, w);
    const Vec3<> g = rotate(conjugate(r), body.gravity);
    const Vec3<> linear = g + cross(V, w) - cross(turning, c) - cross(w, cross(w, c));
    write_to(vdot.data() + body.v, linear, turning);
    const Vec3<> place = transform_point(body.X_WJ, Vec3<>{p[0], p[1], p[2]} + rotate(r, c));
    weight += Wrench<>{body.weight, cross(place, body.weight)};
  }
  return weight;
}

void FreeFlight::place(std::span<const double> q, std::span<const double> v, KinematicsWorkspace& places,
                       std::span<const double> vdot) const {
  const auto motion = places.motion.view();
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const FlightBody& body = bodies_[i];
    const double* const p = q.data() + body.q;
    const double* const u = v.data() + body.v;
    const Pose<> X_JL{rotation_matrix(Quaternion<>{p[3], p[4], p[5], p[6]}), {p[0], p[1], p[2]}};
    places.X_WL[i] = motion.X_PL[i] = body.X_WJ * X_JL;
    motion.V[i] = {{u[0], u[1], u[2]}, {u[3], u[4], u[5]}};
    if (vdot.empty()) continue;
    const double* const a = vdot.data() + body.v;
    places.A[i] = {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}};
  }
}

void FreeFlight::assemble_contacts(std::span<const ContactFrame> touches, const KinematicsWorkspace& places,
                                   ContactRowsWorkspace& rows, std::span<double> A) const {
  require(touches.size() <= rows.max_contacts, "FreeFlight::assemble_contacts", "touches",
          "the workspace was made for fewer");
  const Twist<>* const V = places.motion.view().V;
  rows.rows = 3 * touches.size();
  for (std::size_t i = 0; i < rows.rows * rows.nv; ++i) rows.J[i] = rows.responses[i] = 0.0;
  for (std::size_t c = 0; c < touches.size(); ++c) {
    const ContactFrame& touch = touches[c];
    const std::size_t row = 3 * c;
    rows.normal_angular_speed[c] = rows.size[c] = 0.0;
    std::size_t first = rows.nv, last = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) rows.speed[row + axis] = rows.rate[row + axis] = 0.0;
    const auto add = [&](int link, const Pose<>& X_LC, double sign) {
      if (link < 0) return;
      const FlightBody& body = bodies_[static_cast<std::size_t>(link)];
      const std::size_t v = static_cast<std::size_t>(body.v);
      add_share(body, X_LC, sign, V[link], row, rows);
      first = std::min(first, v);
      last = std::max(last, v + kFreeJointDofs);
    };
    add(touch.link_a, touch.X_AC, -1.0);
    add(touch.link_b, touch.X_BC, 1.0);
    if (touch.surfaces_move) {
      const Vec3<> surfaces = surface_velocity_of_b(touch) - surface_velocity_of_a(touch);
      rows.speed[row + 1] += surfaces.y;
      rows.speed[row + 2] += surfaces.z;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      rows.first[row + axis] = first;
      rows.last[row + axis] = last;
    }
  }
  multiply_rows(rows, A);
}

}  // namespace pintle
