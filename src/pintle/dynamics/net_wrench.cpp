#include "pintle/dynamics/net_wrench.h"

namespace pintle {

Wrench<> net_wrench(const Model& model, const KinematicsWorkspace& work, int body, About about) {
  require_fit("net_wrench", work.sizes, model);
  const Place at_body = body_place(model, body);
  const ModelBody& found = model.bodies()[static_cast<std::size_t>(body)];
  const double m = found.inertia.mass;
  const Vec3<> nil{0.0, 0.0, 0.0};
  const Vec3<> c = m > 0.0 ? center_of_mass(found.inertia) : nil;
  const SymMat3<> I_B = m > 0.0 ? inertia_about_center_of_mass(found.inertia) : found.inertia.inertia;
  const Place at_center = {at_body.link, at_body.X_LF * Pose<>{identity3(), c}, body};
  const Twist<> A = acceleration_of(work, at_center, Axes::local);  // body axes
  const Vec3<> w = velocity_of(work, at_center, Axes::local).angular;
  const Vec3<> force = m * A.linear;
  Vec3<> torque = I_B * A.angular + cross(w, I_B * w);
  if (about == About::joint) {
    const ModelJoint& joint = model.joints()[static_cast<std::size_t>(found.joint)];
    torque += cross(c - joint.X_CJ.translation, force);
  }
  return in_axes(Wrench<>{force, torque}, pose_of(work, at_center), Axes::local_world_aligned);
}

}  // namespace pintle
