// What joints do by themselves: dampers, springs, friction.
#pragma once

#include <span>

#include "pintle/dynamics/workspace.h"

namespace pintle {

/// tau = -damping v - stiffness (q - rest) - friction sign(v): what joints do by themselves, for the independent
/// dofs. The springs of ball and free joints have the energy of spring_energy, by the rotation vector and by the
/// position in the parent's axes. A dof at rest (v = 0) gets no friction here: its friction is an unknown within
/// +-friction, found by the constraints. `friction` false leaves the friction out (DynamicsOptions::friction). Sizes: q
/// model.nq(), v and tau model.nv(), else UsageError.  [eq. passive]
void passive_efforts(const Model& model, std::span<const double> q, std::span<const double> v,
                     InverseDynamicsWorkspace<>& work, std::span<double> tau, bool friction = true);

/// The same with numbers of all joints (Model::joint_nq, joint_nv), those that couplings drive too.
void joint_passive_efforts(const Model& model, std::span<const double> q, std::span<const double> v,
                           std::span<double> tau, bool friction = true);

}  // namespace pintle
