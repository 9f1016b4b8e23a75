// SceneSystem: the margin of held dofs to breakaway, and its rounding.
#include <cmath>
#include <vector>

#include "pintle/dynamics/mass_matrix.h"
#include "pintle/math/scalar.h"
#include "pintle/model/compiled/configuration.h"
#include "pintle/simulation/hybrid/scene_system.h"

namespace pintle {
/// The size of the terms whose sum is the effort on a dof in free fall: the effect of gravity on the bodies that it
/// moves, |g| sqrt(m M_ii), with the total mass m and M at neutral coordinates.
void SceneSystem::find_weights() {
  const std::size_t nv = friction_.size();
  double mass = 0.0;
  for (const ModelBody& body : model_.bodies()) mass += body.inertia.mass;
  MassMatrixWorkspace<> work(model_);
  std::vector<double> q(static_cast<std::size_t>(model_.nq())), M(nv * nv);
  neutral(model_, q);
  mass_matrix(model_, q, work, M);
  for (std::size_t i = 0; i < nv; ++i) {
    inertia_[i] = max(M[i * nv + i], 0.0);
    weight_[i] = norm(model_.gravity()) * std::sqrt(mass * inertia_[i]);
  }
}

/// Rounding must not release a constraint at its limit, so a little more than the limit is allowed.
SceneSystem::ConstraintMargin SceneSystem::constraint_margin(std::size_t i) const {
  const ActiveConstraint hold = modes_.hold[i];
  const bool pushes_up = hold == ActiveConstraint::lower_limit || hold == ActiveConstraint::both_limits;
  const bool pushes_down = hold == ActiveConstraint::upper_limit || hold == ActiveConstraint::both_limits;
  const double above = constraint_[i] - (pushes_down ? -kInfinity<double> : -friction_[i]);
  const double below = (pushes_up ? kInfinity<double> : friction_[i]) - constraint_[i];
  double largest = 0.0;
  for (const double effort : tau_) largest = max(largest, std::abs(effort));
  const double size = std::abs(constraint_[i]) + std::abs(tau_[i]) + friction_[i] + weight_[i];
  const double rounding = 64 * kEpsilon<double> * size + 4 * kEpsilon<double> * largest;
  return {min(above, below) + rounding, static_cast<signed char>(below < above ? -1 : 1)};
}

bool SceneSystem::is_rounding(std::size_t dof, double acceleration) const {
  return std::abs(acceleration) * inertia_[dof] <= 64 * kEpsilon<double> * weight_[dof];
}

}  // namespace pintle
