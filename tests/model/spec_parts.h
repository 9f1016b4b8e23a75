// The parts of a spec in one line each, what is wrong with it in one word each, and where compiled links put its
// bodies.
#pragma once

#include <string>
#include <vector>

#include "pintle/model/compiled/model.h"
#include "pintle/model/links/joint_motion.h"

namespace test {

using namespace pintle;

inline BodySpec body(const std::string& name, const SpatialInertia<>& inertia) {
  BodySpec spec;
  spec.name = name;
  spec.inertia = inertia;
  return spec;
}

inline SpatialInertia<> ball(double mass = 1.0) {
  return spatial_inertia(mass, Vec3<>{0, 0, 0}, mass * diagonal(Vec3<>{0.1, 0.1, 0.1}));
}

inline JointSpec joint(const std::string& name, const std::string& parent, const std::string& child,
                       JointKind kind = JointKind::revolute) {
  JointSpec spec;
  spec.name = name;
  spec.kind = kind;
  spec.parent = parent;
  spec.child = child;
  return spec;
}

inline CouplingSpec coupling(const std::string& joint, const std::string& driver, double ratio, double offset) {
  CouplingSpec spec;
  spec.joint = joint;
  spec.driver = driver;
  spec.ratio = ratio;
  spec.offset = offset;
  return spec;
}

/// The codes of all problems, each with a blank behind it.
inline std::string codes(const Diagnostics& problems) {
  std::string text;
  for (const Diagnostic& problem : problems) text += problem.code + " ";
  return text;
}

/// The numbers of all joints, couplings applied.
inline std::vector<double> all_joints(const Model& model, const std::vector<double>& q) {
  std::vector<double> all;
  for (const CoordinateSource& s : model.q_sources())
    all.push_back(s.ratio * q[static_cast<std::size_t>(s.source)] + s.offset);
  return all;
}

/// X_WB of every body.
inline std::vector<Pose<>> poses_by_links(const Model& model, const std::vector<double>& q) {
  const std::vector<double> all = all_joints(model, q);
  std::vector<Pose<>> X_WL;
  for (const Link& link : model.links()) {
    Twist<> S[kMaxDofs];
    const Pose<> X_WP = link.parent < 0 ? identity_pose<double>() : X_WL[static_cast<std::size_t>(link.parent)];
    X_WL.push_back(X_WP * link.X_PJ * joint_motion(link, all.data() + link.q, S));
  }
  std::vector<Pose<>> X_WB;
  for (const ModelBody& b : model.bodies())
    X_WB.push_back(b.link < 0 ? b.X_LB : X_WL[static_cast<std::size_t>(b.link)] * b.X_LB);
  return X_WB;
}

}  // namespace test
