#include "pintle/dynamics/momentum_rate.h"

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

/// By the articulated-body recursion only models without couplings are solved.
void require_recursion(const char* function, const Model& model) {
  require(model.couplings().empty(), function, "model",
          "it has couplings, and such models are not solved by the articulated-body recursion: take the workspace of "
          "inverse_dynamics");
}

/// First moments of mass, from the tips inwards: h_P += R h + m p.
Wrench<> weight_of(const Model& model, const Pose<>* X_PL, MassMomentWorkspace& moments) {
  const std::span<const Link> links = model.links();
  double mass = 0.0;
  Vec3<> moment{0.0, 0.0, 0.0};  // of all, from the world's origin
  for (std::size_t i = 0; i < links.size(); ++i) moments.moment[i] = links[i].inertia.first_moment;
  for (std::size_t i = links.size(); i-- > 0;) {
    const Vec3<> in_parent = X_PL[i].rotation * moments.moment[i] + moments.mass[i] * X_PL[i].translation;
    if (links[i].parent >= 0) {
      moments.moment[static_cast<std::size_t>(links[i].parent)] += in_parent;
    } else {
      moment += in_parent;
      mass += moments.mass[i];
    }
  }
  return {mass * model.gravity(), cross(moment, model.gravity())};
}

}  // namespace

MassMomentWorkspace::MassMomentWorkspace(const Model& model)
    : sizes(model), mass(model.links().size()), moment(model.links().size()) {
  for (std::size_t i = 0; i < mass.size(); ++i) mass[i] = model.links()[i].inertia.mass;
  for (std::size_t i = mass.size(); i-- > 0;) {
    const int parent = model.links()[i].parent;
    if (parent >= 0) mass[static_cast<std::size_t>(parent)] += mass[i];
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
  const ForwardDynamicsBuffers<double> at = work.view();
  const std::span<const Link> links = model.links();
  Wrench<> sum = zero_wrench();
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].parent < 0) sum += at.motion.X_PL[i] * (at.I_A[i] * at.A[i] + at.p_A[i]);
  return sum;
}

Wrench<> root_wrench(const Model& model, InverseDynamicsWorkspace<>& work) {
  require_fit("root_wrench", work.sizes, model);
  const InverseDynamicsBuffers<double> at = work.view();
  const std::span<const Link> links = model.links();
  Wrench<> sum = zero_wrench();
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].parent < 0) sum += at.motion.X_PL[i] * at.F[i];
  return sum;
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

}  // namespace pintle
