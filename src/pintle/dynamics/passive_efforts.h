// Passive efforts of the joints: dampers, springs, friction.
#pragma once

#include <span>

#include "pintle/dynamics/workspace.h"

namespace pintle {

/// tau = -damping v - stiffness (q - rest) - friction sign(v): the passive efforts of the independent dofs. The springs
/// of spherical and free joints derive from spring_energy, in terms of the rotation vector and of the position in the
/// parent's axes. A dof at rest (v = 0) gets no friction here: its friction is an unknown within +-friction that the
/// constraint solver finds. `friction` = false leaves the friction out (DynamicsOptions::friction). Sizes: q
/// model.nq(), v and tau model.nv(), else UsageError.  [eq. passive]
void passive_efforts(const Model& model, std::span<const double> q, std::span<const double> v,
                     InverseDynamicsWorkspace<>& work, std::span<double> tau, bool friction = true);

/// The same in coordinates of all joints (Model::joint_nq, joint_nv), followers of couplings included.
void joint_passive_efforts(const Model& model, std::span<const double> q, std::span<const double> v,
                           std::span<double> tau, bool friction = true);

}  // namespace pintle
