#include "pintle/dynamics/energy.h"

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/passive_efforts.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/model/links/configuration_impl.h"

namespace pintle {

double kinetic_energy(const Model& model, const KinematicsWorkspace& work) {
  require_fit("kinetic_energy", work.sizes, model);
  const auto motion = work.motion.view();
  double energy = 0.0;
  for (std::size_t i = 0; i < model.links().size(); ++i)
    energy += kinetic_energy(model.links()[i].inertia, motion.V[i]);
  for (std::size_t k = 0; k < model.dofs().size(); ++k) {
    const double v = work.velocities[k];
    energy += 0.5 * model.dofs()[k].passive.armature * v * v;
  }
  return energy;
}

double gravity_energy(const Model& model, const KinematicsWorkspace& work) {
  require_fit("gravity_energy", work.sizes, model);
  double energy = 0.0;
  for (const ModelBody& body : model.bodies()) {
    // m g.c with c = X_WB (h / m), so that a body without mass needs no centre of mass.
    const Pose<> X_WB = pose_of(work, {body.link, body.X_LB});
    energy -= dot(model.gravity(), body.inertia.mass * X_WB.translation + X_WB.rotation * body.inertia.first_moment);
  }
  return energy;
}

double spring_energy(const Model& model, const KinematicsWorkspace& work) {
  require_fit("spring_energy", work.sizes, model);
  double energy = 0.0;
  for (const Link& link : model.links()) {
    double stretch[kMaxDofs];
    stretch_of_joint(link.kind, work.positions.data() + link.q, stretch);
    for (int k = 0; k < link.nv; ++k) {
      const JointPassive& passive = model.dofs()[static_cast<std::size_t>(link.v + k)].passive;
      const double beyond = stretch[k] - passive.rest;
      energy += 0.5 * passive.stiffness * beyond * beyond;
    }
  }
  return energy;
}

Power power_of(const Model& model, KinematicsWorkspace& work, std::span<const double> tau,
               const DynamicsOptions& options) {
  require_size("power_of", "tau", tau.size(), static_cast<std::size_t>(model.nv()));
  require_fit("power_of", work.sizes, model);
  require(is_at_rest(work.root) && options.root_rests(), "power_of", "work",
          "its kinematics must have the world at rest");
  if (!options.external.empty()) {
    require_size("power_of", "options.external", options.external.size(), model.bodies().size());
  }
  Power power{};
  for (const IndependentJoint& joint : model.independent_joints()) {
    const int first = model.joints()[static_cast<std::size_t>(joint.joint)].v;
    for (int k = 0; k < facts(joint.kind).nv; ++k) {
      power.efforts +=
          tau[static_cast<std::size_t>(joint.v + k)] * work.velocities[static_cast<std::size_t>(first + k)];
    }
  }
  if (options.passive) joint_passive_efforts(model, work.positions, work.velocities, work.efforts, options.friction);
  for (std::size_t k = 0; k < work.velocities.size(); ++k) {
    if (options.passive) power.passive += work.efforts[k] * work.velocities[k];
    power.kinetic_rate += model.dofs()[k].passive.armature * work.velocities[k] * work.accelerations[k];
  }
  const auto motion = work.motion.view();
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    const ModelBody& body = model.bodies()[b];
    if (body.link < 0) continue;
    const Twist<> V = inverse_times(body.X_LB, motion.V[body.link]);
    const Twist<> A = inverse_times(body.X_LB, work.A[static_cast<std::size_t>(body.link)]);
    const Mat3<> R_WB = work.X_WL[static_cast<std::size_t>(body.link)].rotation * body.X_LB.rotation;
    power.kinetic_rate += dot(V, body.inertia * A);  // V' (V x* I V) = 0
    power.gravity += dot(V, body.inertia * translation(transpose_times(R_WB, model.gravity())));
    if (!options.external.empty()) power.external += dot(V, options.external[b]);
  }
  return power;
}

}  // namespace pintle
