#include "pintle/dynamics/energies.h"

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/coupled_coordinates.h"
#include "pintle/dynamics/kernels/kernels.h"

namespace pintle {

EnergiesWorkspace::EnergiesWorkspace(const Model& model)
    : sizes(model), joints(model), memory(dynamics_kernels_in_use().energies_bytes(model.tree())) {}

MechanismEnergies energies(const Model& model, std::span<const double> q, std::span<const double> v,
                           EnergiesWorkspace& work) {
  require_size("energies", "q", q.size(), static_cast<std::size_t>(model.nq()));
  require_size("energies", "v", v.size(), static_cast<std::size_t>(model.nv()));
  require_fit("energies", work.sizes, model);
  double found[2];
  dynamics_kernels_in_use().energies(model.tree(), joint_configuration(model, q, work.joints.q),
                                     joint_velocity(model, v, work.joints.v), work.memory.data(), found);
  return {found[0], found[1] + standing_gravity_energy(model)};
}

double standing_gravity_energy(const Model& model) {
  double energy = 0.0;
  for (const ModelBody& body : model.bodies()) {
    if (body.link >= 0) continue;
    const Pose<>& X_WB = body.X_LB;
    energy -= dot(model.gravity(), body.inertia.mass * X_WB.translation + X_WB.rotation * body.inertia.first_moment);
  }
  return energy;
}

}  // namespace pintle
