#include <cmath>

#include "pintle/base/size.h"
#include "pintle/math/scalar.h"
#include "pintle/model/compiled/configuration.h"
#include "pintle/simulation/hybrid/scene_system.h"

namespace pintle {
/// Adds a wrench on a contact frame C of a link to those on its body.
void SceneSystem::add_wrench(int body, const Pose<>& X_LC, const Wrench<>& F_C) {
  if (body < 0) return;
  external_[size(body)] += inverse_times(model_.bodies()[size(body)].X_LB, X_LC * F_C);
}

/// The wrenches of all contacts, from the accelerations without them.
bool SceneSystem::add_contact_forces(const MotionInstant& at, std::span<const double> vdot,
                                     std::span<double> auxiliary_derivative) {
  kinematics(model_, at.q, at.v, vdot, contact_places_);
  double power = 0.0;
  if (has_mean_forces()) {
    mean_forces_.find(contacts_, contact_places_);
    for (std::size_t c = 0; c < mean_forces_.all().size(); ++c) {
      const MeanForce& of = mean_forces_.all()[c];
      add_contact_force(c, of.frame, of.force.data(), of.moment, auxiliary_derivative);
      for (std::size_t i = 0; i < 3; ++i) power = fma(of.force[i], of.speed[i], power);
      power += dot(of.moment, of.angular_speed);
    }
  } else {
    contact_forces_.locate(contacts_, contact_places_);
    if (!contact_forces_.solve(contacts_, at.q, given_)) {
      derivatives_error_.contacts = true;
      return false;
    }
    const std::span<const double> forces = contact_forces_.forces(), speeds = contact_forces_.speeds();
    for (std::size_t c = 0; c < contact_forces_.count(); ++c)
      add_contact_force(c, contact_forces_.touches()[c], forces.data() + 3 * c, contact_forces_.moment(c),
                        auxiliary_derivative);
    for (std::size_t i = 0; i < forces.size(); ++i) power = fma(forces[i], speeds[i], power);
  }
  if (contact_work_ >= 0) auxiliary_derivative[size(contact_work_)] = power;
  return true;
}

/// The wrenches of an active contact on its bodies, and the power of moving surfaces.
void SceneSystem::add_contact_force(std::size_t contact, const ContactFrame& touch, const double* f,
                                    const Vec3<>& moment, std::span<double> auxiliary_derivative) {
  const Wrench<> on_b{{f[0], f[1], f[2]}, moment};
  const std::size_t number = size(contacts_.active()[contact].pair);
  const ContactPair& pair = contacts_.setup().pairs[number];
  add_wrench(contacts_.setup().parts[size(pair.b)].body, touch.X_BC, on_b);
  add_wrench(contacts_.setup().parts[size(pair.a)].body, touch.X_AC, -on_b);
  if (surface_count_ > 0)
    add_surface_work(number, touch, f, auxiliary_derivative.subspan(first_surface_work_, surface_count_));
}

/// The impulse does the work P.(u + s) on slips that include the velocities s of surfaces, and P.u on the bodies.
void SceneSystem::add_surface_work(std::size_t pair, const ContactFrame& touch, const double* P,
                                   std::span<double> work) const {
  if (!touch.surfaces_move) return;
  const ContactPair& of = contacts_.setup().pairs[pair];
  const auto add = [&](int part, const Vec3<>& surface, double sign) {
    const int body = contacts_.setup().parts[size(part)].body;
    if (surface_of_.empty() || surface_of_[size(body + 1)] < 0) return;
    work[size(surface_of_[size(body + 1)])] += sign * fma(P[1], surface.y, P[2] * surface.z);
  };
  add(of.a, surface_velocity_of_a(touch), 1.0);
  add(of.b, surface_velocity_of_b(touch), -1.0);
}

SceneSystem::ContactVerdict SceneSystem::certify_contacts(const KinematicsWorkspace& places) {
  ContactVerdict verdict;
  if (contacts_.active().empty() || has_mean_forces()) return verdict;  // each step has had its own
  const std::size_t count = contact_forces_.count(), nv = zero_.size();
  const std::span<const double> f = contact_forces_.forces();
  found_forces_.assign(f.begin(), f.end());
  (void)contact_margin();
  double max_force = 0.0;
  for (std::size_t i = 0; i < 3 * count; ++i) max_force = max(max_force, std::abs(f[i]));
  const double gravity = norm(model_.gravity());
  const ContactSetup& setup = contacts_.setup();
  double worst = -1.0;
  for (std::size_t c = 0; c < count; ++c) {
    const ActiveContact& active = contacts_.active()[c];
    const ContactPair& pair = setup.pairs[size(active.pair)];
    ContactClaim claim;
    claim.touch = contact_forces_.touches()[c];
    claim.force = {f[3 * c], f[3 * c + 1], f[3 * c + 2]};
    claim.sticks = active.mode == ContactMode::sticks;
    claim.static_friction = pair.surface.static_friction;
    claim.kinetic_friction = pair.surface.friction;
    claim.gap = contacts_.point_of(active, places).distance;
    claim.size = contacts_.size(size(active.pair), places);
    for (const int link : {claim.touch.link_a, claim.touch.link_b}) {
      const double mass = link < 0 ? 0.0 : model_.links()[size(link)].inertia.mass;
      if (mass > 0.0 && !(claim.mass > 0.0 && claim.mass < mass)) claim.mass = mass;
    }
    claim.max_force = max_force;
    claim.moment = contact_forces_.moment(c);
    claim.rolling_friction = pair.surface.rolling_friction;
    claim.spinning_friction = pair.surface.spinning_friction;
    claim.rolls = active.roll.mode == ContactMode::slides;
    claim.spins = active.spin.mode == ContactMode::slides;
    const ContactResiduals at = certify_contact(places, claim, gravity);
    verdict.residuals.take(at);
    if (at.worst() <= worst) continue;
    worst = at.worst();
    verdict.body_a = setup.parts[size(pair.a)].body;
    verdict.body_b = setup.parts[size(pair.b)].body;
  }
  // The certified forces cause the same motion as those that the accelerations were found with.
  const Buffer<double>& J = contact_forces_.rows().J;
  double max_change = 0.0, max_size = 0.0;
  for (std::size_t i = 0; i < nv; ++i) {
    double change = 0.0, sizes = 0.0;
    for (std::size_t row = 0; row < f.size(); ++row) {
      change = fma(J[row * nv + i], f[row] - found_forces_[row], change);
      sizes += std::abs(J[row * nv + i]) * (std::abs(f[row]) + std::abs(found_forces_[row]));
    }
    max_change = max(max_change, std::abs(change));
    max_size = max(max_size, sizes);
  }
  if (max_size > 0.0) verdict.residuals.momentum = max_change / max_size;
  return verdict;
}

void SceneSystem::read_contact_forces(std::vector<ContactForceRecord>& records) const {
  const std::size_t count = contacts_.active().size();
  records.resize(count);
  const bool means = has_mean_forces();
  for (std::size_t c = 0; c < count; ++c) {
    const ActiveContact& active = contacts_.active()[c];
    const ContactPair& pair = contacts_.setup().pairs[size(active.pair)];
    const ContactPart& a = contacts_.setup().parts[size(pair.a)];
    const ContactPart& b = contacts_.setup().parts[size(pair.b)];
    const MeanForce* const mean = means ? &mean_forces_.all()[c] : nullptr;
    const ContactFrame& touch = means ? mean->frame : contact_forces_.touches()[c];
    const Pose<> X_WC = pose_of(contact_places_, {touch.link_a, touch.X_AC});
    const double* const f = means ? mean->force.data() : contact_forces_.forces().data() + 3 * c;
    const double* const u = means ? mean->speed.data() : contact_forces_.speeds().data() + 3 * c;
    const Vec3<> moment = means ? mean->moment : contact_forces_.moment(c);
    // The world is A.
    const bool swap = b.body < 0;
    const double sign = swap ? -1.0 : 1.0;
    records[c] = {.body_a = swap ? b.body : a.body,
                  .body_b = swap ? a.body : b.body,
                  .shape_a = swap ? b.number : a.number,
                  .shape_b = swap ? a.number : b.number,
                  .point = X_WC.translation,
                  .normal = X_WC.rotation * Vec3<>{sign, 0.0, 0.0},
                  .normal_force = f[0],
                  .friction = X_WC.rotation * Vec3<>{0.0, sign * f[1], sign * f[2]},
                  .moment = X_WC.rotation * (sign * moment),
                  .slip = active.mode == ContactMode::slides ? std::sqrt(fma(u[1], u[1], u[2] * u[2])) : 0.0,
                  .slides = active.mode == ContactMode::slides};
  }
}

bool SceneSystem::slides_with_friction() const {
  const auto turns_in = [&](const ActiveContact& contact, FrictionKind kind) {
    return contact.mode_of(kind) == ContactMode::slides && contacts_.has(kind, size(contact.pair));
  };
  for (const ActiveContact& contact : contacts_.active())
    if (turns_in(contact, FrictionKind::slip) || turns_in(contact, FrictionKind::roll)) return true;
  return false;
}

bool SceneSystem::is_autonomous() const {
  return !has_added_elements() && state_count_ == 0 && scene_.prescribed().empty() &&
         !time_functions_.any() && !(next_sample() < kInfinity<double>);
}

std::size_t SceneSystem::free_dofs() const {
  std::size_t count = 0;
  for (const unsigned char given : given_) count += given == 0 ? 1 : 0;
  return count;
}

void SceneSystem::extrapolate(const MotionState& from, std::span<const double> vdot, double h, MotionState& to) {
  for (std::size_t i = 0; i < vdot.size(); ++i) {
    displacement_[i] = h * from.v[i];
    to.v[i] = fma(h, vdot[i], from.v[i]);
  }
  to.t = from.t + h;
  to.auxiliary = from.auxiliary;
  integrate(model_, from.q, displacement_, to.q);
  prescribe(to.t, to.q, to.v, to.auxiliary);
}

Vec3<> SceneSystem::contact_place(const MotionState& state, const ActiveContact& contact) {
  kinematics(model_, state.q, state.v, zero_, contact_places_);
  const ContactFrame touch =
      contacts_.contact_frame_of(size(contact.pair), contacts_.point_of(contact, contact_places_), contact_places_);
  return pose_of(contact_places_, {touch.link_a, touch.X_AC}).translation;
}

bool SceneSystem::drop_departed_contacts(const MotionState& state) {
  std::vector<ActiveContact>& active = contacts_.active();
  kinematics(model_, state.q, state.v, zero_, contact_places_);
  contact_forces_.locate(contacts_, contact_places_);
  std::size_t kept = 0;
  for (std::size_t c = 0; c < active.size(); ++c)
    if (!contact_forces_.has_departed(c)) active[kept++] = active[c];
  const bool any = kept < active.size();
  active.resize(kept);
  return any;
}

double SceneSystem::stabilise_contacts(MotionState& state) {
  if (contacts_.active().empty()) return 0.0;
  double worst = 0.0;
  for (int k = 0; k < 2; ++k) {
    kinematics(model_, state.q, state.v, zero_, contact_places_);
    contact_forces_.locate(contacts_, contact_places_);
    if (!contact_forces_.prepare(state.q, given_)) return worst;
    for (double& number : displacement_) number = 0.0;
    const double gap = contact_forces_.close_gaps(contacts_, contact_places_, displacement_);
    worst = max(worst, gap);
    if (gap == 0.0) break;
    integrate(model_, state.q, displacement_, state.q);
  }
  kinematics(model_, state.q, state.v, zero_, contact_places_);
  contact_forces_.locate(contacts_, contact_places_);
  if (!contact_forces_.prepare(state.q, given_)) return worst;
  contact_forces_.limit_held(contacts_, state.v);
  return worst;
}

}  // namespace pintle
