#include "pintle/dynamics/impulse_dynamics.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/external_wrench.h"
#include "pintle/dynamics/reactions.h"

namespace pintle {
ImpulseWorkspace::ImpulseWorkspace(const Model& model)
    : sizes(model), response(model), on_links(model.links().size()), on_body(model.bodies().size()) {}

DynamicsReport impulse_dynamics(const Model& model, std::span<const double> q, std::span<const double> joint_impulses,
                                std::span<const Wrench<>> body_impulses, ImpulseWorkspace& work, std::span<double> dv) {
  require_size("impulse_dynamics", "q", q.size(), size(model.nq()));
  require_size("impulse_dynamics", "dv", dv.size(), size(model.nv()));
  if (!joint_impulses.empty()) {
    require_size("impulse_dynamics", "joint_impulses", joint_impulses.size(), size(model.nv()));
  }
  if (!body_impulses.empty()) {
    require_size("impulse_dynamics", "body_impulses", body_impulses.size(), model.bodies().size());
  }
  require_fit("impulse_dynamics", work.sizes, model);
  const DynamicsReport report = prepare_response(model, q, work.response);
  if (!report.ok()) return report;
  apply_mass_inverse(model, work.response, joint_impulses, on_links(model, body_impulses, work.on_links), {}, dv);
  const Twist<>* const jumps = work.response.articulated.response().A;
  for (std::size_t b = 0; b < work.on_body.size(); ++b) {
    const ModelBody& body = model.bodies()[b];
    work.on_body[b] = body.link < 0 ? zero_wrench() : body.inertia * inverse_times(body.X_LB, jumps[body.link]);
    if (!body_impulses.empty()) work.on_body[b] -= body_impulses[b];
  }
  sum_inwards(model, work.response.articulated.view().X_PL, work.on_body);
  return report;
}

Wrench<> reaction_impulse_of(const Model& model, const ImpulseWorkspace& work, int joint) {
  require(joint >= 0 && size(joint) < model.joints().size(), "reaction_impulse_of", "joint", "there is no such joint");
  require_fit("reaction_impulse_of", work.sizes, model);
  const ModelJoint& found = model.joints()[size(joint)];
  return inverse_times(found.X_CJ, work.on_body[size(found.child_body)]);
}

}  // namespace pintle
