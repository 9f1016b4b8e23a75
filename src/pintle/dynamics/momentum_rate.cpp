#include "pintle/dynamics/momentum_rate.h"

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/kernels/planned_kernels.h"
#include "pintle/dynamics/recursions/tree_motion.h"

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

/// The wrench that the ground requires, with what base parameters moved to it.
Wrench<> ground_wrench(const Model& model, const PlannedWorkspace& planned) {
  const SpatialInertia<>& ground = model.plan().ground();
  if (!planned.world_moves) return -(ground * translation(model.gravity()));
  LinkTree tree = model.tree();
  tree.root = planned.root;
  const Twist<>& V = tree.root.velocity;
  return ground * root_acceleration<double>(tree) + cross_dual(V, ground * V);
}

// From the results of the fast kernels.

Wrench<> supports_on_plan(const Model& model, PlannedWorkspace& planned, bool forward) {
  return planned_kernels_in_use().supports(model.plan().view<double>(), planned.q.data(),
                                           {.forward = forward, .given = planned.given},
                                           planned.memory("root_wrench", model));
}

Wrench<> supports_on_plan(const Model& model, PlannedWorkspace& planned, bool forward,
                          const MassMomentWorkspace& moments) {
  const Wrench<> found = supports_on_plan(model, planned, forward);
  return found + (planned.world_moves ? ground_wrench(model, planned) : moments.ground_support);
}

Wrench<> weight_on_plan(const Model& model, PlannedWorkspace& planned, bool forward,
                        const MassMomentWorkspace& moments) {
  const Vec3<> h = planned_kernels_in_use().first_moment(model.plan().view<double>(), planned.q.data(),
                                                         {.forward = forward, .given = planned.given},
                                                         planned.memory("weight_wrench", model));
  const Vec3<>& g = model.gravity();
  return {moments.mass[0] * g, cross(h + moments.ground_moment, g)};
}

template <class T>
constexpr bool kIsForward = std::is_same_v<T, ForwardDynamicsWorkspace<>>;

template <class Workspace>
void require_both(const char* function, const Model& model, const Workspace& work, const MassMomentWorkspace& moments) {
  require_fit(function, work.sizes, model);
  require(moments.sizes == work.sizes, function, "moments", "it was made for another model");
}

template <class Workspace>
Wrench<> weight_after(const Model& model, Workspace& work, MassMomentWorkspace& moments) {
  require_both("weight_wrench", model, work, moments);
  if (work.planned.in_use) return weight_on_plan(model, work.planned, kIsForward<Workspace>, moments);
  return weight_of(model, work.view().motion.X_PL, moments);
}

template <class Workspace>
MomentumCauses causes_of(const Model& model, Workspace& work, MassMomentWorkspace& moments) {
  require_both("momentum_causes", model, work, moments);
  if (work.planned.in_use)
    return {supports_on_plan(model, work.planned, kIsForward<Workspace>, moments),
            weight_on_plan(model, work.planned, kIsForward<Workspace>, moments)};
  const auto at = work.view();
  return {supports_of(model, at), weight_of(model, at.motion.X_PL, moments)};
}

template <class Workspace>
Wrench<> root_wrench_of(const Model& model, Workspace& work) {
  require_fit("root_wrench", work.sizes, model);
  if (work.planned.in_use)
    return supports_on_plan(model, work.planned, kIsForward<Workspace>) + ground_wrench(model, work.planned);
  return supports_of(model, work.view());
}

}  // namespace

MassMomentWorkspace::MassMomentWorkspace(const Model& model)
    : sizes(model),
      parent(model.links().size() + 1),
      mass(parent.size()),
      first_moment(parent.size()),
      moment(parent.size()),
      ground_moment(model.plan().ground().first_moment),
      ground_support(-(model.plan().ground() * translation(model.gravity()))) {
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
  require_recursion("root_wrench", model);
  return root_wrench_of(model, work);
}

Wrench<> root_wrench(const Model& model, InverseDynamicsWorkspace<>& work) {
  return root_wrench_of(model, work);
}

Wrench<> root_wrench(const Model& model, ForwardDynamicsWorkspace<>& work, const MassMomentWorkspace& moments) {
  if (!work.planned.in_use) return root_wrench(model, work);
  require_both("root_wrench", model, work, moments);
  return supports_on_plan(model, work.planned, true, moments);
}

Wrench<> weight_wrench(const Model& model, ForwardDynamicsWorkspace<>& work, MassMomentWorkspace& moments) {
  require_recursion("weight_wrench", model);
  return weight_after(model, work, moments);
}

Wrench<> weight_wrench(const Model& model, InverseDynamicsWorkspace<>& work, MassMomentWorkspace& moments) {
  return weight_after(model, work, moments);
}

Wrench<> weight_wrench(const Model& model, const KinematicsWorkspace& work) {
  require_fit("weight_wrench", work.sizes, model);
  const Vec3<>& g = model.gravity();
  double mass = 0.0;
  Vec3<> h{0.0, 0.0, 0.0};
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const SpatialInertia<>& I = model.links()[i].inertia;
    const Pose<>& X = work.X_WL[i];
    mass += I.mass;
    h += fma(I.mass, X.translation, X.rotation * I.first_moment);
  }
  return {mass * g, cross(h, g)};
}

MomentumCauses momentum_causes(const Model& model, ForwardDynamicsWorkspace<>& work, MassMomentWorkspace& moments) {
  require_recursion("momentum_causes", model);
  return causes_of(model, work, moments);
}

MomentumCauses momentum_causes(const Model& model, InverseDynamicsWorkspace<>& work, MassMomentWorkspace& moments) {
  return causes_of(model, work, moments);
}

}  // namespace pintle
