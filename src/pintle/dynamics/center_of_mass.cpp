#include "pintle/dynamics/center_of_mass.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"

namespace pintle {
double moving_mass(const Model& model) {
  double mass = 0.0;
  for (const Link& link : model.links()) mass += link.inertia.mass;
  return mass;
}

CenterOfMass center_of_mass(const Model& model, const KinematicsWorkspace& work, CentroidalWorkspace& scratch) {
  const MassCenter center = place_links("center_of_mass", model, work, scratch);
  accelerate_without_vdot(model, work, scratch);
  const auto motion = work.motion.view();
  const Vec3<> nil{0.0, 0.0, 0.0};
  Vec3<> momentum = nil, rate = nil, bias = nil;
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const Link& link = model.links()[i];
    const Mat3<>& R_WL = work.X_WL[i].rotation;
    momentum += R_WL * (link.inertia * motion.V[i]).force;
    rate += R_WL * momentum_rate(link, motion.V[i], work.A[i]).force;
    bias += R_WL * momentum_rate(link, motion.V[i], scratch.A_0[i]).force;
  }
  return {.mass = center.mass,
          .position = work.X_WL[0].translation + center.from_first,
          .velocity = momentum / center.mass,
          .acceleration = rate / center.mass,
          .bias_acceleration = bias / center.mass};
}

void center_of_mass_jacobian(const Model& model, const KinematicsWorkspace& work, CentroidalWorkspace& scratch,
                             std::span<double> J) {
  require_fit("center_of_mass_jacobian", work.sizes, model);
  require_fit("center_of_mass_jacobian", scratch.sizes, model);
  const std::size_t nv = size(model.nv());
  require_size("center_of_mass_jacobian", "J", J.size(), 3 * nv);
  const double mass = moving_mass(model);
  require_moving_mass("center_of_mass_jacobian", mass);
  gather_subtrees(model, work, scratch);
  const auto motion = work.motion.view();
  for (double& x : J) x = 0.0;
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const Link& link = model.links()[i];
    for (int k = link.v; k < link.v + link.nv; ++k) {
      const CoordinateSource& source = model.v_sources()[size(k)];
      const Vec3<> column = work.X_WL[i].rotation * (scratch.I_C[i] * motion.S[k]).force / mass;
      for (std::size_t row = 0; row < 3; ++row)
        J[row * nv + size(source.source)] += source.ratio * to_array(column)[row];
    }
  }
}

}  // namespace pintle
