#include "pintle/simulation/scene_hash.h"

#include "pintle/base/hash.h"
#include "pintle/base/random.h"
#include "pintle/model/configuration.h"

namespace pintle {
namespace {

void add_pose(StateHash& hash, const Pose<>& X) {
  for (const double number :
       {X.translation.x, X.translation.y, X.translation.z, X.rotation.xx, X.rotation.xy, X.rotation.xz, X.rotation.yx,
        X.rotation.yy, X.rotation.yz, X.rotation.zx, X.rotation.zy, X.rotation.zz})
    hash.add(number);
}

void add_model(StateHash& hash, const Model& model) {
  hash.add(std::string_view(model.name()));
  for (const ModelBody& body : model.bodies()) {
    hash.add(std::string_view(body.name));
    const SpatialInertia<>& I = body.inertia;
    for (const double number : {I.mass, I.first_moment.x, I.first_moment.y, I.first_moment.z, I.inertia.xx,
                                I.inertia.yy, I.inertia.zz, I.inertia.xy, I.inertia.xz, I.inertia.yz})
      hash.add(number);
  }
  for (const ModelJoint& joint : model.joints()) {
    hash.add(std::string_view(joint.name));
    hash.add(static_cast<std::uint64_t>(joint.kind));
    hash.add(joint.parent_body);
    hash.add(joint.child_body);
    add_pose(hash, joint.X_PJ);
    add_pose(hash, joint.X_CJ);
  }
  for (const ModelFreedom& freedom : model.freedoms())
    for (const double number :
         {freedom.limits.lower, freedom.limits.upper, freedom.limits.speed, freedom.passive.friction})
      hash.add(number);
}

void add_run(StateHash& hash, const RunSpec& run) {
  for (const double number : {run.t0, run.step, run.tolerances.relative, run.tolerances.absolute, run.smallest_step,
                              run.largest_step, run.rest_time, run.certificate_limit})
    hash.add(number);
  hash.add(static_cast<std::uint64_t>(run.method));
  hash.add(run.fixed_step);
  hash.add(run.ledger);
  hash.add(run.certificate);
}

}  // namespace

std::uint64_t scene_hash(SceneSystem& system) {
  const Scene& scene = system.scene();
  const Model& model = scene.model();
  StateHash hash;
  add_model(hash, model);
  add_run(hash, scene.run());
  hash.add(scene.initial_q());
  hash.add(scene.initial_v());
  hash.add(scene.restitution());
  for (ForceElement* const element : system.elements()) hash.add(element->name());
  for (const PrescribedMotion& motion : scene.prescribed()) hash.add(std::string_view(motion.name));
  for (const EventSpec& event : scene.spec().events) {
    hash.add(std::string_view(event.name));
    hash.add(std::string_view(event.expression));
    hash.add(event.terminal);
  }
  RandomStream stream(0, 0);
  MotionState probe = neutral_state(system);
  std::vector<double> vdot(probe.v.size()), extra_rate(probe.extra.size());
  const FreedomModes modes = system.modes();
  system.set_modes(FreedomModes(modes.hold.size()));
  for (int k = 0; k < 3; ++k) {
    probe.t = scene.run().t0 + 0.37 * k * scene.run().duration;
    random_configuration(model, stream, probe.q);
    for (double& speed : probe.v) speed = stream.uniform(-1.0, 1.0);
    for (double& number : probe.extra) number = stream.uniform(-1.0, 1.0);
    system.impose(probe.t, probe.q, probe.v, probe.extra);
    hash.add(std::span<const double>(probe.q));
    if (!system.rates(probe.t, probe.q, probe.v, probe.extra, vdot, extra_rate)) continue;
    hash.add(std::span<const double>(vdot));
    hash.add(std::span<const double>(extra_rate));
  }
  system.set_modes(modes);
  return hash.value();
}

}  // namespace pintle
