#include "pintle/simulation/integrators/symplectic_midpoint.h"

#include "pintle/base/size.h"
#include "pintle/math/dual.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/spatial/exp_log_impl.h"

namespace pintle {
namespace {

using Rate = Dual<double, 1>;

constexpr int kMaxMidpointIterations = 200;

/// y = A' x of a joint's dofs.
template <class Element>
void transpose_times(int nv, const Element& element, const double* x, double* y) {
  for (int i = 0; i < nv; ++i) {
    y[i] = 0.0;
    for (int k = 0; k < nv; ++k) y[i] = fma(element(k, i), x[k], y[i]);
  }
}

/// y = J' x of a joint, J of its chart at xi.
void jacobian_transpose_times(const ChartJoint& joint, const double* xi, const double* x, double* y) {
  const Matrix6<double> J = chart_jacobian_joint(joint.kind, joint.center, xi);
  transpose_times(facts(joint.kind).nv, [&](int i, int j) { return J.m[i][j]; }, x, y);
}

/// y = (dJ/dt)' x while xi changes with xi_rate.
void rate_transpose_times(const ChartJoint& joint, const double* xi, const double* xi_rate, const double* x,
                          double* y) {
  const int nv = facts(joint.kind).nv;
  Rate moving[kMaxDofs];
  for (int i = 0; i < nv; ++i) {
    moving[i].value = xi[i];
    moving[i].derivative[0] = xi_rate[i];
  }
  const Matrix6<Rate> J = chart_jacobian_joint(joint.kind, center_as<Rate>(joint), moving);
  transpose_times(nv, [&](int i, int j) { return J.m[i][j].derivative[0]; }, x, y);
}

/// y = J^-T x.
void inverse_transpose_times(const ChartJoint& joint, const double* xi, const double* x, double* y) {
  const Matrix6<double> J_inverse = chart_jacobian_inverse_joint(joint.kind, joint.center, xi);
  transpose_times(facts(joint.kind).nv, [&](int i, int j) { return J_inverse.m[i][j]; }, x, y);
}

}  // namespace

SymplecticMidpoint::SymplecticMidpoint(const MotionSystem& system)
    : mass_(system.model()),
      factor_(system.model()),
      coriolis_(system.model()),
      q_(size(system.model().nq())),
      M_(size(system.model().nv()) * size(system.model().nv())),
      M_free_(M_.size()),
      C_(M_.size()),
      v_(size(system.model().nv())),
      u_(v_.size()),
      vdot_(v_.size()),
      auxiliary_derivative_(size(system.auxiliary_count())),
      pi0_(v_.size()),
      xi_(v_.size()),
      pi_(v_.size()),
      auxiliary_(auxiliary_derivative_.size()),
      p_(v_.size()),
      xi_rate_(v_.size()),
      pi_rate_(v_.size()) {}

/// M with identity rows and columns for held dofs, and zero momentum for them in p: they stay at rest to the bit, and
/// the others move according to their own block of M.
std::span<const double> SymplecticMidpoint::without_held(std::span<const unsigned char> held) {
  if (held.empty()) return M_;
  const std::size_t n = held.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (held[i] != 0) p_[i] = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      const bool part = held[i] == 0 && held[j] == 0;
      M_free_[i * n + j] = part ? M_[i * n + j] : i == j ? 1.0 : 0.0;
    }
  }
  return M_free_;
}

/// v = M^-1 J' pi; also computes p = J' pi and M.
bool SymplecticMidpoint::velocity_at(ChartField& field, std::span<const double> xi, std::span<const double> pi,
                                     std::span<double> v) {
  const Model& model = field.system().model();
  chart_point(field.joints(), field.nq(), field.start().q.data(), xi.data(), q_.data());
  for (std::size_t i = 0; i < p_.size(); ++i) p_[i] = pi[i];
  for (const ChartJoint& joint : field.joints())
    jacobian_transpose_times(joint, xi.data() + joint.v, pi.data() + joint.v, p_.data() + joint.v);
  mass_matrix(model, q_, mass_, M_);
  if (!factor_mass_matrix(model, without_held(field.system().held()), factor_).ok()) return false;
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = p_[i];
  solve_mass_matrix(model, factor_, v);
  return true;
}

/// xi_rate_, pi_rate_ and auxiliary_derivative_: dp/dt = M vdot + (C + C') v, for dM/dt = C + C'.
bool SymplecticMidpoint::derivatives_at(ChartField& field, double t, std::span<const double> xi,
                                        std::span<const double> pi, std::span<const double> auxiliary) {
  const Model& model = field.system().model();
  const std::size_t n = v_.size();
  if (!velocity_at(field, xi, pi, v_)) return false;
  if (!field.system().derivatives(t, q_, v_, auxiliary, vdot_, auxiliary_derivative_)) return false;
  coriolis_matrix(model, q_, v_, coriolis_, C_);
  chart_velocity(field.joints(), field.nq(), xi.data(), v_.data(), u_.data());
  chart_rate(field.joints(), field.nq(), xi.data(), u_.data(), xi_rate_.data());
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < n; ++j) sum += M_[i * n + j] * vdot_[j] + (C_[i * n + j] + C_[j * n + i]) * v_[j];
    pi_rate_[i] = sum;
  }
  for (const ChartJoint& joint : field.joints()) {
    double turning[kMaxDofs], rest[kMaxDofs];
    const int nv = facts(joint.kind).nv;
    rate_transpose_times(joint, xi.data() + joint.v, xi_rate_.data() + joint.v, pi.data() + joint.v, turning);
    for (int i = 0; i < nv; ++i) rest[i] = pi_rate_[size(joint.v + i)] - turning[i];
    inverse_transpose_times(joint, xi.data() + joint.v, rest, pi_rate_.data() + joint.v);
  }
  return true;
}

StepOutcome SymplecticMidpoint::step(ChartField& field, double h, std::span<const double> z0, std::span<double> z1) {
  const Model& model = field.system().model();
  const std::size_t n = v_.size();
  const double t = field.start().t;
  mass_matrix(model, field.start().q, mass_, M_);
  for (std::size_t i = 0; i < n; ++i) {
    p_[i] = 0.0;
    for (std::size_t j = 0; j < n; ++j) p_[i] += M_[i * n + j] * field.start().v[j];
    xi_[i] = 0.0;
    pi0_[i] = p_[i];
  }
  for (const ChartJoint& joint : field.joints())
    inverse_transpose_times(joint, xi_.data() + joint.v, p_.data() + joint.v, pi0_.data() + joint.v);
  for (std::size_t i = 0; i < n; ++i) {
    xi_[i] = 0.5 * h * z0[n + i];
    pi_[i] = pi0_[i];
  }
  for (std::size_t i = 0; i < auxiliary_.size(); ++i) auxiliary_[i] = z0[2 * n + i];
  double before = __builtin_inf();
  bool found = false;
  for (int iteration = 0; iteration < kMaxMidpointIterations && !found; ++iteration) {
    if (!derivatives_at(field, t + 0.5 * h, xi_, pi_, auxiliary_)) return StepOutcome::no_derivatives;
    double change = 0.0, size_of_all = 0.0;
    const auto move = [&](double& x, double to) {
      change += abs(to - x);
      size_of_all += abs(to);
      x = to;
    };
    for (std::size_t i = 0; i < n; ++i) move(xi_[i], 0.5 * h * xi_rate_[i]);
    for (std::size_t i = 0; i < n; ++i) move(pi_[i], pi0_[i] + 0.5 * h * pi_rate_[i]);
    for (std::size_t i = 0; i < auxiliary_.size(); ++i) {
      const double to = z0[2 * n + i] + 0.5 * h * auxiliary_derivative_[i];
      if (2 * n + i < field.depended_on()) {
        move(auxiliary_[i], to);
      } else {
        auxiliary_[i] = to;
      }
    }
    if (!std::isfinite(change)) return StepOutcome::not_converged;
    // To rounding: until it no longer improves.
    found = change == 0.0 || (change <= 1e-13 * size_of_all && change >= 0.5 * before);
    before = change;
  }
  if (!found) return StepOutcome::not_converged;
  for (std::size_t i = 0; i < n; ++i) {
    z1[i] = 2.0 * xi_[i];
    pi_[i] = 2.0 * pi_[i] - pi0_[i];
  }
  for (std::size_t i = 0; i < auxiliary_.size(); ++i) z1[2 * n + i] = 2.0 * auxiliary_[i] - z0[2 * n + i];
  if (!velocity_at(field, z1.first(n), pi_, v_)) return StepOutcome::no_derivatives;
  chart_velocity(field.joints(), field.nq(), z1.data(), v_.data(), z1.data() + n);
  return StepOutcome::done;
}

}  // namespace pintle
