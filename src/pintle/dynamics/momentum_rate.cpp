#include "pintle/dynamics/momentum_rate.h"

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

/// The articulated-body recursion solves only models without couplings.
void require_recursion(const char* function, const Model& model) {
  require(!model.has_couplings(), function, "model",
          "it has couplings, which the articulated-body algorithm does not support: pass the workspace of "
          "inverse_dynamics");
}

/// First moments of mass, from the tips inwards: h_P += m p + R h.
Wrench<> weight_of(const Model& model, const Pose<>* X_PL, MassMomentWorkspace& work) {
  const int* const parent = work.parent.data();
  const double* const mass = work.mass.data();
  Vec3<>* const h = work.moment.data();
  for (std::size_t i = 0; i < work.moment.size(); ++i) h[i] = work.first_moment[i];
  for (std::size_t i = work.moment.size(); i-- > 1;) {
    const Pose<>& X = X_PL[i - 1];
    h[parent[i]] = (h[parent[i]] + mass[i] * X.translation) + X.rotation * h[i];
  }
  return {mass[0] * model.gravity(), cross(h[0], model.gravity())};
}

/// f = I_A A + p_A of link i, in its frame.
Wrench<> joint_wrench(const ForwardDynamicsBuffers<double>& at, std::size_t i) {
  return at.I_A[i] * at.A[i] + at.p_A[i];
}

Wrench<> joint_wrench(const InverseDynamicsBuffers<double>& at, std::size_t i) {
  return at.F[i];
}

template <class Buffers>
Wrench<> supports_of(const Model& model, const Buffers& at) {
  const std::span<const Link> links = model.links();
  Wrench<> sum = zero_wrench();
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].parent < 0) sum += at.motion.X_PL[i] * joint_wrench(at, i);
  return sum;
}

template <class Workspace>
MomentumCauses causes_of(const Model& model, Workspace& work, MassMomentWorkspace& moments) {
  require_fit("momentum_causes", work.sizes, model);
  require(moments.sizes == work.sizes, "momentum_causes", "moments", "it was made for another model");
  const auto at = work.view();
  return {supports_of(model, at), weight_of(model, at.motion.X_PL, moments)};
}

}  // namespace

MassMomentWorkspace::MassMomentWorkspace(const Model& model)
    : sizes(model),
      parent(model.links().size() + 1),
      mass(parent.size()),
      first_moment(parent.size()),
      moment(parent.size()) {
  for (std::size_t i = parent.size(); i-- > 1;) {
    const Link& link = model.links()[i - 1];
    parent[i] = link.parent + 1;
    first_moment[i] = link.inertia.first_moment;
    mass[i] += link.inertia.mass;
    mass[static_cast<std::size_t>(parent[i])] += mass[i];
  }
}

Momentum<> total_momentum(const Model& model, const KinematicsWorkspace& work) {
  require_fit("total_momentum", work.sizes, model);
  const auto motion = work.motion.view();
  Wrench<> sum = zero_wrench();
  for (std::size_t i = 0; i < model.links().size(); ++i) sum += work.X_WL[i] * (model.links()[i].inertia * motion.V[i]);
  return {sum.force, sum.torque};
}

Wrench<> root_wrench(const Model& model, ForwardDynamicsWorkspace<>& work) {
  require_fit("root_wrench", work.sizes, model);
  require_recursion("root_wrench", model);
  return supports_of(model, work.view());
}

Wrench<> root_wrench(const Model& model, InverseDynamicsWorkspace<>& work) {
  require_fit("root_wrench", work.sizes, model);
  return supports_of(model, work.view());
}

Wrench<> weight_wrench(const Model& model, ForwardDynamicsWorkspace<>& work, MassMomentWorkspace& moments) {
  require_fit("weight_wrench", work.sizes, model);
  require_fit("weight_wrench", moments.sizes, model);
  require_recursion("weight_wrench", model);
  return weight_of(model, work.view().motion.X_PL, moments);
}

Wrench<> weight_wrench(const Model& model, InverseDynamicsWorkspace<>& work, MassMomentWorkspace& moments) {
  require_fit("weight_wrench", work.sizes, model);
  require_fit("weight_wrench", moments.sizes, model);
  return weight_of(model, work.view().motion.X_PL, moments);
}

MomentumCauses momentum_causes(const Model& model, ForwardDynamicsWorkspace<>& work, MassMomentWorkspace& moments) {
  require_recursion("momentum_causes", model);
  return causes_of(model, work, moments);
}

MomentumCauses momentum_causes(const Model& model, InverseDynamicsWorkspace<>& work, MassMomentWorkspace& moments) {
  return causes_of(model, work, moments);
}

}  // namespace pintle
