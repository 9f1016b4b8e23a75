#include "pintle/dynamics/articulated_body.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/external_wrench.h"
#include "pintle/dynamics/recursions/joint_block.h"
#include "pintle/spatial/matrices.h"

namespace pintle {
namespace {

/// The pose that transforms from a link's own frame to the axes asked for.
Pose<> pose_for(const Model& model, const TreeMotion<double>& motion, int link, Axes axes) {
  Pose<> X_WL = identity_pose();
  for (int at = link; at >= 0; at = model.links()[size(at)].parent) X_WL = motion.X_PL[at] * X_WL;
  if (axes == Axes::local_world_aligned) X_WL.translation = {0.0, 0.0, 0.0};
  return X_WL;
}

}  // namespace

ArticulatedBody articulated_body(const Model& model, ForwardDynamicsWorkspace<>& work, int link, Axes axes,
                                 const DynamicsOptions& options) {
  require(link >= 0 && size(link) < model.links().size(), "articulated_body", "link", "there is no such link");
  require(!model.has_couplings(), "articulated_body", "model",
          "it has couplings, which the articulated-body algorithm does not support");
  require_fit("articulated_body", work.sizes, model);
  require(!work.planned.in_use, "articulated_body", "work",
          "its last forward_dynamics was without options.keep_recursion");
  const ForwardDynamicsBuffers<double> at = work.view();
  const Link& found = model.links()[size(link)];
  const Pose<> X_WL = pose_for(model, at.motion, link, Axes::world);
  const Pose<> X = axes == Axes::local ? identity_pose() : pose_for(model, at.motion, link, axes);
  const Twist<> g = translation(transpose_times(X_WL.rotation, model.gravity()));
  const std::span<const Wrench<>> external = on_links(model, options.external, work.inverse.external);
  const Wrench<> weight = found.inertia * g + (external.empty() ? zero_wrench() : external[size(link)]);
  const Twist<>& V = at.motion.V[link];

  ArticulatedBody body{};
  body.nv = found.nv;
  body.v = X * V;
  body.kappa = X * at.motion.c[link];
  body.w = X * weight;
  body.p = X * (cross_dual(V, found.inertia * V) - weight);
  body.A = X * at.I_A[link];
  body.d = X * (at.p_A[link] - at.I_A[link] * g);
  body.a = X * (at.A[link] + g);
  body.f = X * (at.I_A[link] * at.A[link] + at.p_A[link]);
  body.Phi = identity_matrix<double, 6>();
  for (int k = 0; k < found.nv; ++k) {
    double column[kMaxDofs] = {};  // of D^-1
    column[k] = 1.0;
    solve_block(at.D[link], found.nv, column, column);
    Wrench<> T = zero_wrench();
    for (int j = 0; j < found.nv; ++j) T += at.U[found.v + j] * column[j];
    body.s[size(k)] = X * at.motion.S[found.v + k];
    body.T[size(k)] = X * T;
    body.Phi = body.Phi - to_matrix(body.T[size(k)]) * transpose(to_matrix(body.s[size(k)]));
  }
  return body;
}

}  // namespace pintle
