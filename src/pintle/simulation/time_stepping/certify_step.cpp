#include <cmath>

#include "pintle/base/size.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/math/scalar.h"
#include "pintle/simulation/time_stepping/time_stepping.h"

namespace pintle {
namespace {

/// [s] Impulses of the weight over a shorter time are rounding.
constexpr double kWeightNoise = 1e-7;

/// Zero for nothing over nothing.
double share(double part, double whole) {
  return part > 0.0 ? part / whole : 0.0;
}

/// The impulses of friction against a velocity: how far they are outside their cone, and the power that the law demands
/// and that is missing.
struct FrictionResiduals {
  double cone, dissipation;
};

FrictionResiduals friction_residuals(double limit, const Vec3<>& impulse, const Vec3<>& velocity) {
  return {max(norm(impulse) - limit, 0.0), max(fma(limit, norm(velocity), dot(impulse, velocity)), 0.0)};
}

}  // namespace

/// Velocities after the impulses, at the positions of the start: relative to those of the places before and after, and
/// of a fall through their size; impulses to the largest one; momenta to the largest one of their tree.
void TimeStepping::certify(TimeSteppingReport& report) {
  const std::span<const StepContact> all = contacts_.all();
  if (all.empty() && bounds_.empty()) return;
  kinematics(model_, before_.q, after_.v, zero_, places_);
  const Contacts& contacts = system_.contacts();
  const ContactSetup& setup = contacts.setup();
  const double g = norm(model_.gravity());
  double largest = 0.0;
  for (std::size_t c = 0; c < all.size(); ++c) largest = max(largest, impulses_.rows(c)[0].P);
  for (Wrench<>& wrench : on_bodies_) wrench = zero_wrench();
  for (std::size_t c = 0; c < all.size(); ++c) {
    const std::span<const StepRow> rows = impulses_.rows(c);
    const ContactFrame& frame = all[c].frame;
    const std::size_t pair = size(all[c].contact.pair);
    const Surface& surface = contacts.surface(pair);
    const Vec3<> P{rows[0].P, rows[1].P, rows[2].P};
    Vec3<> spin{0.0, 0.0, 0.0}, roll{0.0, 0.0, 0.0};
    if (frame.spins) spin.x = rows[3].P;
    if (frame.rolls) roll = {0.0, rows[frame.spins ? 4 : 3].P, rows[frame.spins ? 5 : 4].P};
    const Wrench<> on_b{P, spin + roll};
    const auto add = [&](int part, const Pose<>& X_LC, const Wrench<>& F_C) {
      const int body = setup.parts[size(part)].body;
      if (body >= 0) on_bodies_[size(body)] += inverse_times(model_.bodies()[size(body)].X_LB, X_LC * F_C);
    };
    add(setup.pairs[pair].b, frame.X_BC, on_b);
    add(setup.pairs[pair].a, frame.X_AC, -on_b);
    const Twist<> V = contact_velocity(places_, frame);
    const double extent = contacts.extent(pair);
    const double speed = norm(velocity_of(places_, {frame.link_a, frame.X_AC}, Axes::local).linear) +
                         norm(velocity_of(places_, {frame.link_b, frame.X_BC}, Axes::local).linear) +
                         std::abs(rows[0].free) + std::abs(rows[0].closing) + std::sqrt(g * extent);
    const double separation = V.linear.x + rows[0].closing;
    ContactResiduals at;
    at.complementarity = max(share(-P.x, largest), share(P.x > 0.0 ? std::abs(separation) : -separation, speed));
    const auto check = [&](double lever, double friction, const Vec3<>& impulse, const Vec3<>& velocity) {
      const FrictionResiduals of = friction_residuals(friction * P.x, impulse, velocity);
      at.cone = max(at.cone, share(of.cone, lever * largest));
      at.dissipation = max(at.dissipation, share(of.dissipation, largest * speed));
    };
    check(1.0, impulses_.friction(c), {0.0, P.y, P.z}, {0.0, V.linear.y, V.linear.z});
    if (frame.spins) check(surface.spinning_friction, surface.spinning_friction, spin, {V.angular.x, 0.0, 0.0});
    if (frame.rolls) check(surface.rolling_friction, surface.rolling_friction, roll, {0.0, V.angular.y, V.angular.z});
    if (at.worst() > report.certificate.worst()) report.worst_pair = all[c].contact.pair;
    report.certificate.take(at);
  }
  report.certificate.momentum = momentum_residual();
}

/// M (v+ - v-) - J'P, for the dofs that nothing prescribes. Of M and the contacts' J inverse dynamics makes one call,
/// with the impulses as wrenches on the bodies.
double TimeStepping::momentum_residual() {
  for (std::size_t i = 0; i < way_.size(); ++i) way_[i] = after_.v[i] - before_.v[i];
  DynamicsOptions options;
  options.passive = false;
  options.external = on_bodies_;
  inverse_dynamics(model_, before_.q, zero_, way_, inverse_, efforts_, options);
  gravity_efforts(model_, before_.q, inverse_, carried_);
  for (std::size_t i = 0; i < efforts_.size(); ++i) efforts_[i] -= carried_[i];
  for (double& size_of : momentum_size_) size_of = 0.0;
  const auto take_size = [&](std::size_t dof, double momentum) {
    double& size_of = momentum_size_[size(trees_.of_dof(dof))];
    size_of = max(size_of, std::abs(momentum));
  };
  for (std::size_t k = 0; k < bounds_.size(); ++k) {
    const double P = bounds_[k].sign * impulses_.row_of_bound(k).P;
    efforts_[bounds_[k].dof] -= P;
    take_size(bounds_[k].dof, P);
  }
  for (std::size_t c = 0; c < contacts_.all().size(); ++c)
    for (std::size_t side = 0; side < 2; ++side) {
      const int tree = contacts_.all()[c].trees[side];
      if (tree < 0) continue;
      const double* J = contacts_.J(c, side);
      for (const StepRow& row : impulses_.rows(c))
        for (const std::size_t dof : trees_.dofs(size(tree))) take_size(dof, row.P * *J++);
    }
  for (std::size_t i = 0; i < efforts_.size(); ++i)  // their difference has the rounding of the weight
    if (momentum_size_[size(trees_.of_dof(i))] > 0.0) take_size(i, kWeightNoise * carried_[i]);
  double worst = 0.0;
  for (std::size_t i = 0; i < efforts_.size(); ++i) {
    if (system_.prescribed()[i] != 0) continue;
    const double size_of = momentum_size_[size(trees_.of_dof(i))], no_impulse = way_[i] == 0.0 ? 0.0 : 1.0;
    worst = worse_of(worst, size_of > 0.0 ? std::abs(efforts_[i]) / size_of : no_impulse);
  }
  return worst;
}

}  // namespace pintle
