#include "pintle/dynamics/energy.h"

namespace pintle {

double kinetic_energy(const Model& model, KinematicsWorkspace& work) {
  const TreeMotion<double> motion = work.motion.view();
  double energy = 0.0;
  for (std::size_t i = 0; i < model.links().size(); ++i)
    energy += kinetic_energy(model.links()[i].inertia, motion.V[i]);
  for (std::size_t k = 0; k < model.freedoms().size(); ++k) {
    const double v = work.velocities[k];
    energy += 0.5 * model.freedoms()[k].passive.armature * v * v;
  }
  return energy;
}

double gravity_energy(const Model& model, const KinematicsWorkspace& work) {
  double energy = 0.0;
  for (const ModelBody& body : model.bodies()) {
    // m g.c with c = X_WB (h / m), so that a body without mass needs no centre of mass.
    const Pose<> X_WB = pose_of(work, {body.link, body.X_LB});
    energy -= dot(model.gravity(), body.inertia.mass * X_WB.translation + X_WB.rotation * body.inertia.first_moment);
  }
  return energy;
}

}  // namespace pintle
