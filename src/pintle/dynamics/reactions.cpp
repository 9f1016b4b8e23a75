#include "pintle/dynamics/reactions.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"

namespace pintle {
ReactionsWorkspace::ReactionsWorkspace(const Model& model)
    : sizes(model), kinematics(model), on_body(model.bodies().size()) {}

void sum_inwards(const Model& model, const Pose<>* X_PL, std::span<Wrench<>> on_body) {
  const std::span<const int> order = model.joints_outwards();
  for (std::size_t i = order.size(); i-- > 0;) {
    const ModelJoint& joint = model.joints()[size(order[i])];
    if (joint.parent_body < 0) continue;
    const ModelBody& child = model.bodies()[size(joint.child_body)];
    const ModelBody& parent = model.bodies()[size(joint.parent_body)];
    Wrench<> F = child.X_LB * on_body[size(joint.child_body)];
    if (joint.link >= 0) F = X_PL[joint.link] * F;
    on_body[size(joint.parent_body)] += inverse_times(parent.X_LB, F);
  }
}

void reactions(const Model& model, std::span<const double> q, std::span<const double> v, std::span<const double> vdot,
               ReactionsWorkspace& work, const DynamicsOptions& options) {
  require_size("reactions", "q", q.size(), size(model.nq()));
  require_size("reactions", "v", v.size(), size(model.nv()));
  require_size("reactions", "vdot", vdot.size(), size(model.nv()));
  if (!options.external.empty()) {
    require_size("reactions", "options.external", options.external.size(), model.bodies().size());
  }
  require_fit("reactions", work.sizes, model);
  kinematics(model, q, v, vdot, work.kinematics, options.root_motion());
  for (std::size_t b = 0; b < work.on_body.size(); ++b) {
    const ModelBody& body = model.bodies()[b];
    const Place place = body_place(model, static_cast<int>(b));
    const Pose<> X_WB = pose_of(work.kinematics, place);
    const Twist<> V = velocity_of(work.kinematics, place, Axes::local);
    Twist<> A = acceleration_of(work.kinematics, place, Axes::local);
    A.linear -= cross(V.angular, V.linear) + transpose_times(X_WB.rotation, model.gravity());
    work.on_body[b] = body.inertia * A + cross_dual(V, body.inertia * V);
    if (!options.external.empty()) work.on_body[b] -= options.external[b];
  }
  sum_inwards(model, work.kinematics.motion.view().X_PL, work.on_body);
}

Wrench<> reaction_of(const Model& model, const ReactionsWorkspace& work, int joint) {
  require(joint >= 0 && size(joint) < model.joints().size(), "reaction_of", "joint", "there is no such joint");
  require_fit("reaction_of", work.sizes, model);
  const ModelJoint& found = model.joints()[size(joint)];
  return inverse_times(found.X_CJ, work.on_body[size(found.child_body)]);
}

Wrench<> reaction_of(const Model& model, const ReactionsWorkspace& work, int joint, const Place& about, Axes axes) {
  require(joint >= 0 && size(joint) < model.joints().size(), "reaction_of", "joint", "there is no such joint");
  require_fit("reaction_of", work.sizes, model);
  const int child = model.joints()[size(joint)].child_body;
  const Pose<> X_FB = relative_pose(model, work.kinematics, body_place(model, child), about);
  return in_axes(X_FB * work.on_body[size(child)], pose_of(work.kinematics, about), axes);
}

}  // namespace pintle
