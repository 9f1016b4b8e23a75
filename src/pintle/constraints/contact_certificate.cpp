#include "pintle/constraints/contact_certificate.h"

#include <cmath>

#include "pintle/base/usage_error.h"
#include "pintle/constraints/impact_replay.h"
#include "pintle/dynamics/mass_matrix.h"
#include "pintle/math/scalar.h"
#include "pintle/math/sign.h"

namespace pintle {
namespace {

using Triple = std::array<double, 3>;

/// Impulses below this fraction of m v are rounding of the velocities v, and forces below that of m a of a.
constexpr double kNoise = 1e-6;

double share(double part, double of) {
  return of > 0.0 ? part / of : part == 0.0 ? 0.0 : part / 0x1p-1022;
}

/// max(x, 0); NaN stays NaN.
double excess(double x) {
  return x < 0.0 ? 0.0 : x;
}

/// The velocity of B relative to A at a contact [m/s], that of their surfaces, which may move as conveyor belts do, and
/// the size of its terms.
struct PointSpeed {
  Triple u, slip;
  double size;
};

PointSpeed speed_of(const KinematicsWorkspace& places, const ContactFrame& touch) {
  PointSpeed speed{};
  const auto add = [&](int link, const Pose<>& X, double sign) {
    const Twist<> V = velocity_of(places, {link, X}, Axes::local);
    speed.u[0] += sign * V.linear.x;
    speed.u[1] += sign * V.linear.y;
    speed.u[2] += sign * V.linear.z;
    speed.size += norm(V.linear) + norm(V.angular) * norm(X.translation);
  };
  add(touch.link_b, touch.X_BC, 1.0);
  add(touch.link_a, touch.X_AC, -1.0);
  speed.slip = speed.u;
  const auto add_surface = [&](const SurfaceVelocity& of, const Vec3<>& outward, double sign) {
    const Vec3<> moves = of.linear + cross(of.around, outward);
    speed.slip[1] += sign * moves.y;
    speed.slip[2] += sign * moves.z;
    speed.size += norm(moves);
  };
  if (touch.surfaces_move) {
    add_surface(touch.surface_b, {-1.0, 0.0, 0.0}, 1.0);
    add_surface(touch.surface_a, {1.0, 0.0, 0.0}, -1.0);
  }
  return speed;
}

/// |mu n u_t + |u_t| f_t|: zero when friction f_t under the normal force n dissipates the maximum power at the slip
/// u_t.
double missed_power(double mu, double n, const double* f, double slip_y, double slip_z) {
  const double slip = length(slip_y, slip_z);
  return length(fma(mu * n, slip_y, slip * f[1]), fma(mu * n, slip_z, slip * f[2]));
}

/// sum of sqrt(M_kk) (|v+_k| + |v-_k|): the size of a jump of velocities, without cancellation.
double jump_size(std::span<const double> M, std::span<const double> before, std::span<const double> after) {
  double jump = 0.0;
  for (std::size_t k = 0; k < before.size(); ++k)
    jump += std::sqrt(M[k * (before.size() + 1)]) * (std::abs(after[k]) + std::abs(before[k]));
  return jump;
}

/// How much of x, a velocity or an effort, points into a limit.
double part_into_limit(LimitSide side, double x) {
  return max(at_lower_limit(side) ? excess(-x) : 0.0, at_upper_limit(side) ? excess(x) : 0.0);
}

class ImpactCertifier {
 public:
  ImpactCertifier(const Model& model, const ImpactClaim& claim, ImpactCertificateWorkspace& work)
      : model_(model), claim_(claim), work_(work), nv_(claim.before.size()), count_(claim.touches.size()) {}

  ImpactVerdict run() {
    kinematics(model_, claim_.q, claim_.before, zero(), work_.places_before);
    kinematics(model_, claim_.q, claim_.after, zero(), work_.places_after);
    work_.M.resize(nv_ * nv_);
    mass_matrix(model_, claim_.q, work_.mass, {work_.M.data(), nv_ * nv_});
    for (std::size_t i = 0; i < 3 * count_; ++i) max_impulse_ = max(max_impulse_, std::abs(claim_.P[i]));
    for (const ContactFrame& touch : claim_.touches) {
      for (const int link : {touch.link_a, touch.link_b})
        if (link >= 0) heaviest_ = max(heaviest_, model_.links()[static_cast<std::size_t>(link)].inertia.mass);
      fastest_ = max(fastest_, speed_of(work_.places_before, touch).size + speed_of(work_.places_after, touch).size);
    }
    impulse_size_ = max_impulse_ + kNoise * heaviest_ * fastest_;
    for (std::size_t c = 0; c < count_; ++c) check_point(c);
    check_momentum();
    check_limits();
    check_energy();
    verdict_.speed = fastest_;
    return verdict_;
  }

 private:
  std::span<const double> zero() const { return {work_.zero.data(), nv_}; }

  void check_point(std::size_t c) {
    const ContactFrame& touch = claim_.touches[c];
    const double* const P = claim_.P.data() + 3 * c;
    const PointSpeed before = speed_of(work_.places_before, touch), after = speed_of(work_.places_after, touch);
    const double mu = claim_.friction[c], speed = before.size + after.size;
    ContactResiduals at;
    at.complementarity = excess(share(-P[0], impulse_size_));
    const double closing = excess(share(-after.u[0], fastest_));
    at.complementarity = worse_of(at.complementarity, closing);
    at.cone = excess(share(length(P[1], P[2]) - mu * P[0], impulse_size_));
    if (claim_.rule == ImpactRule::several)
      at.dissipation = share(missed_power(mu, P[0], P, after.slip[1], after.slip[2]),
                             impulse_size_ * fma(kNoise, fastest_, speed));  // not the rounding of a place at rest
    if (claim_.rule == ImpactRule::point && before.u[0] < 0.0)
      compare_with_replay(P, before.slip, after.slip, speed, at);
    for (std::size_t r = 0; r < 3; ++r) work_by_points_ += 0.5 * P[r] * (before.u[r] + after.u[r]);
    for (std::size_t r = 0; r < 3; ++r) work_size_ += 0.5 * std::abs(P[r]) * speed;
    if (!(at.worst() <= worst_)) {
      worst_ = at.worst();
      verdict_.worst = static_cast<int>(c);
    }
    verdict_.residuals.take(at);
  }

  void compare_with_replay(const double* P, const Triple& before, const Triple& after, double speed,
                           ContactResiduals& at) const {
    const std::span<const double> A = claim_.A;
    const CoulombPoint point{A[0], {A[1], A[2]}, {A[4], A[5], A[8]}, before};
    const ImpactReplay replay =
        replay_impact({point, claim_.restitution[0], claim_.friction[0]}, claim_.law, {after[1], after[2]});
    if (!replay.ended) return;  // nearly wedged: its course is too ill-conditioned to check
    // Compare velocities: at a nearly wedged point a large impulse has little effect, and neither method has it to the
    // last digit.
    Triple off{};
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t k = 0; k < 3; ++k) off[r] = fma(A[3 * r + k], P[k] - replay.P[k], off[r]);
    at.restitution = share(std::abs(off[0]), speed);
    at.dissipation = share(length(off[1], off[2]), speed) + replay.direction_error;
  }

  /// M (v+ - v-) = sum J'P + efforts. The equation of a dof is relative to the largest possible effect of the whole
  /// jump along it.
  void check_momentum() {
    const double jump = jump_size(work_.M, claim_.before, claim_.after);
    for (std::size_t j = 0; j < nv_; ++j) {
      double sum = -claim_.efforts[j];
      for (std::size_t k = 0; k < nv_; ++k) sum = fma(work_.M[j * nv_ + k], claim_.after[k] - claim_.before[k], sum);
      work_.impulse[j] = sum;
      work_.size[j] = std::sqrt(work_.M[j * nv_ + j]) * jump + std::abs(claim_.efforts[j]);
    }
    for (std::size_t c = 0; c < count_; ++c) {
      add_impulse(claim_.touches[c].link_b, claim_.touches[c].X_BC, c, -1.0);
      add_impulse(claim_.touches[c].link_a, claim_.touches[c].X_AC, c, 1.0);
    }
    double worst = 0.0;
    for (std::size_t j = 0; j < nv_; ++j) {
      if (claim_.given[j] != 0) continue;
      worst = worse_of(worst, share(std::abs(work_.impulse[j]), work_.size[j]));
    }
    verdict_.residuals.momentum = worst;
    if (!(worst <= worst_)) verdict_.worst = -1;
  }

  /// Limits push; after check_momentum, which finds the sizes.
  void check_limits() {
    for (std::size_t j = 0; j < claim_.sides.size(); ++j) {
      if (claim_.sides[j] == LimitSide::both) continue;
      const double pull = share(part_into_limit(claim_.sides[j], claim_.efforts[j]), work_.size[j]);
      if (!(pull <= worst_)) verdict_.worst = -1;
      verdict_.residuals.complementarity = worse_of(verdict_.residuals.complementarity, pull);
    }
  }

  void add_impulse(int link, const Pose<>& X, std::size_t c, double sign) {
    if (link < 0) return;
    jacobian(model_, work_.places_before, {link, X}, Axes::local, {work_.J.data(), 6 * nv_});
    for (std::size_t r = 0; r < 3; ++r) {
      const double P = claim_.P[3 * c + r];
      for (std::size_t j = 0; j < nv_; ++j) {
        const double by = work_.J[r * nv_ + j] * P;
        work_.impulse[j] = fma(sign, by, work_.impulse[j]);
        work_.size[j] += std::abs(by);
      }
    }
  }

  /// T+ - T- = (v+ - v-)'M (v+ + v-)/2.
  void check_energy() {
    double change = 0.0, by_limits = 0.0, by_motors = 0.0, size = work_size_;
    for (std::size_t j = 0; j < nv_; ++j) {
      double p = 0.0, p_size = 0.0;
      for (std::size_t k = 0; k < nv_; ++k) {
        p = fma(work_.M[j * nv_ + k], claim_.after[k] + claim_.before[k], p);
        p_size += std::abs(work_.M[j * nv_ + k]) * (std::abs(claim_.after[k]) + std::abs(claim_.before[k]));
      }
      change = fma(0.5 * p, claim_.after[j] - claim_.before[j], change);
      const bool given = claim_.given[j] != 0;
      const double effort = claim_.efforts[j] + (given ? work_.impulse[j] : 0.0);
      (given ? by_motors : by_limits) += 0.5 * effort * (claim_.after[j] + claim_.before[j]);
      size += 0.5 * p_size * (std::abs(claim_.after[j]) + std::abs(claim_.before[j]));
      size += std::abs(effort) * (std::abs(claim_.after[j]) + std::abs(claim_.before[j]));
    }
    verdict_.residuals.energy = share(std::abs(change - by_limits - by_motors - work_by_points_), size);
    verdict_.energy_gain = change - by_motors;
    verdict_.energy_size = size;
  }

  const Model& model_;
  const ImpactClaim& claim_;
  ImpactCertificateWorkspace& work_;
  std::size_t nv_, count_;
  double fastest_ = 0.0;  // of the places of all points: one that rests while others collide has no speed of its own
  double heaviest_ = 0.0;  // link that takes part
  double impulse_size_ = 0.0;
  double max_impulse_ = 0.0, worst_ = 0.0, work_by_points_ = 0.0, work_size_ = 0.0;
  ImpactVerdict verdict_;
};

}  // namespace

ImpactCertificateWorkspace::ImpactCertificateWorkspace(const Model& model)
    : mass(model),
      places_before(model),
      places_after(model),
      J(6 * static_cast<std::size_t>(model.nv())),
      zero(static_cast<std::size_t>(model.nv())),
      impulse(zero.size()),
      size(zero.size()) {}

ImpactVerdict certify_impact(const Model& model, const ImpactClaim& claim, ImpactCertificateWorkspace& work) {
  const char* const function = "certify_impact";
  const std::size_t nv = static_cast<std::size_t>(model.nv()), contacts = claim.touches.size();
  require_size(function, "claim.before", claim.before.size(), nv);
  require_size(function, "claim.after", claim.after.size(), nv);
  require_size(function, "claim.efforts", claim.efforts.size(), nv);
  require_size(function, "claim.given", claim.given.size(), nv);
  require_size(function, "claim.P", claim.P.size(), 3 * contacts);
  require_size(function, "claim.friction", claim.friction.size(), contacts);
  require_size(function, "claim.restitution", claim.restitution.size(), contacts);
  require_size(function, "work", work.zero.size(), nv);
  require(claim.sides.empty() || claim.sides.size() == nv, function, "claim.sides", "it has one side for each dof");
  require(claim.rule != ImpactRule::point || (contacts == 1 && claim.A.size() == 9), function, "claim.rule",
          "an impact at one point has one contact, and the nine entries of A");
  return ImpactCertifier(model, claim, work).run();
}

double certify_separation(const SeparationClaim& claim, const ImpactCertificateWorkspace& work) {
  const char* const function = "certify_separation";
  const std::size_t nv = work.zero.size();
  require_size(function, "claim.before", claim.before.size(), nv);
  require_size(function, "claim.after", claim.after.size(), nv);
  require(claim.sides.empty() || claim.sides.size() == nv, function, "claim.sides", "it has one side for each dof");
  double fastest = claim.speed, worst = 0.0;
  for (const ContactFrame& touch : claim.touches) {
    const PointSpeed speed = speed_of(work.places_after, touch);
    fastest = max(fastest, speed.size);
    worst = worse_of(worst, excess(-speed.u[0]));
  }
  worst = share(worst, fastest);
  if (claim.sides.empty()) return worst;
  const double jump = jump_size(work.M, claim.before, claim.after);
  for (std::size_t j = 0; j < nv; ++j) {
    const double closing = std::sqrt(work.M[j * (nv + 1)]) * part_into_limit(claim.sides[j], claim.after[j]);
    worst = worse_of(worst, share(closing, jump));
  }
  return worst;
}

ContactResiduals certify_contact(const KinematicsWorkspace& places, const ContactClaim& claim, double gravity) {
  const ContactFrame& touch = claim.touch;
  const double* const f = claim.force.data();
  // The scales: accelerations rate_size, speeds speed_size, forces force_size.
  const ContactFrameMotion motion = contact_frame_motion(places, touch);
  double rate_size = gravity + (claim.mass > 0.0 ? claim.max_force / claim.mass : 0.0);
  const auto add_derivatives = [&](int link, const Pose<>& X) {
    const Twist<> A = acceleration_of(places, {link, X}, Axes::local), V = velocity_of(places, {link, X}, Axes::local);
    const double angular_speed = norm(V.angular);
    rate_size += norm(A.linear) + (norm(A.angular) + angular_speed * angular_speed) * norm(X.translation) +
                 angular_speed * norm(V.linear);
  };
  add_derivatives(touch.link_a, touch.X_AC);
  add_derivatives(touch.link_b, touch.X_BC);
  const double speed_size = speed_of(places, touch).size + std::sqrt(2.0 * rate_size * claim.size);
  const double force_size = max(claim.max_force, claim.mass * fma(kNoise, rate_size, gravity));
  const Vec3<>& u = motion.speed;
  const Vec3<>& w = motion.speed_rate;
  ContactResiduals at;
  const auto take = [](double& into, double residual) { into = worse_of(into, residual); };
  take(at.complementarity, excess(share(-f[0], force_size)));
  take(at.complementarity, share(std::abs(claim.gap), claim.size));
  take(at.complementarity, share(std::abs(u.x), speed_size));
  take(at.complementarity, share(std::abs(w.x), rate_size));
  const double mu = claim.sticks ? claim.static_friction : claim.kinetic_friction;
  at.cone = excess(share(length(f[1], f[2]) - mu * f[0], force_size));
  if (claim.sticks) {
    take(at.dissipation, share(length(u.y, u.z), speed_size));
    take(at.dissipation, share(length(w.y, w.z), rate_size));
  } else if (length(u.y, u.z) > 4 * kEpsilon<double> * speed_size) {
    take(at.dissipation, share(missed_power(mu, f[0], f, u.y, u.z), force_size * speed_size));
  } else {  // it begins to slide: check the direction
    take(at.dissipation, share(missed_power(mu, f[0], f, w.y, w.z), force_size * rate_size));
  }
  // Rolling and spinning friction, about the tangents and about the normal; an angular velocity counts as a speed at
  // `size`.
  const auto check_rotation = [&](double lever, bool rotates, double m_y, double m_z, double w_y, double w_z) {
    if (!(lever > 0.0)) return;
    take(at.cone, excess(share(length(m_y, m_z) - lever * f[0], force_size * lever)));
    const double moment[3] = {0.0, m_y, m_z}, angular_speed = length(w_y, w_z), fastest = speed_size / claim.size;
    if (!rotates) take(at.dissipation, share(angular_speed, fastest));
    if (rotates)
      take(at.dissipation, share(missed_power(lever, f[0], moment, w_y, w_z), force_size * lever * fastest));
  };
  const Vec3<>& m = claim.moment;
  check_rotation(claim.rolling_friction, claim.rolls, m.y, m.z, motion.angular_velocity.y, motion.angular_velocity.z);
  check_rotation(claim.spinning_friction, claim.spins, m.x, 0.0, motion.angular_velocity.x, 0.0);
  return at;
}

}  // namespace pintle
