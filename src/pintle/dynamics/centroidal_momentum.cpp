#include "pintle/dynamics/centroidal_momentum.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"

namespace pintle {
CentroidalMomentum centroidal_momentum(const Model& model, const KinematicsWorkspace& work,
                                       CentroidalWorkspace& scratch) {
  const MassCenter center = place_links("centroidal_momentum", model, work, scratch);
  accelerate_without_vdot(model, work, scratch);
  const auto motion = work.motion.view();
  SpatialInertia<> inertia = zero_inertia();
  Wrench<> M = zero_wrench(), rate = zero_wrench(), bias = zero_wrench();
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const Link& link = model.links()[i];
    const Pose<> X_GL = from_center(work, scratch, center, i);
    inertia = inertia + X_GL * link.inertia;
    M += X_GL * (link.inertia * motion.V[i]);
    rate += X_GL * momentum_rate(link, motion.V[i], work.A[i]);
    bias += X_GL * momentum_rate(link, motion.V[i], scratch.A_0[i]);
  }
  return {.mass = center.mass,
          .center = work.X_WL[0].translation + center.from_first,
          .inertia = inertia.inertia,
          .momentum = {M.force, M.torque},
          .rate = rate,
          .bias = bias};
}

void centroidal_momentum_matrix(const Model& model, const KinematicsWorkspace& work, CentroidalWorkspace& scratch,
                                std::span<double> A_G) {
  const std::size_t nv = size(model.nv());
  require_size("centroidal_momentum_matrix", "A_G", A_G.size(), 6 * nv);
  const MassCenter center = place_links("centroidal_momentum_matrix", model, work, scratch);
  gather_subtrees(model, work, scratch);
  const auto motion = work.motion.view();
  for (double& x : A_G) x = 0.0;
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const Link& link = model.links()[i];
    const Pose<> X_GL = from_center(work, scratch, center, i);
    for (int k = link.v; k < link.v + link.nv; ++k) {
      const CoordinateSource& source = model.v_sources()[size(k)];
      const std::array<double, 6> column = to_array(X_GL * (scratch.I_C[i] * motion.S[k]));
      for (std::size_t row = 0; row < 6; ++row) A_G[row * nv + size(source.source)] += source.ratio * column[row];
    }
  }
}

Momentum<> momentum_about(const CentroidalMomentum& whole, const Vec3<>& point) {
  return transfer(whole.momentum, point - whole.center);
}

}  // namespace pintle
