// Random mechanisms for the laws: trees of every kind of joint, from one seeded generator.
#pragma once

#include <string>

#include "pintle/math/distributions.h"
#include "pintle/math/elementary.h"
#include "pintle/model/compiled/configuration.h"
#include "pintle/model/compiled/model.h"

namespace test {

using namespace pintle;

struct RandomModelOptions {
  int links = 10;
  double branching = 0.35;   ///< probability that the parent of a body is an earlier one than the last
  double mass_ratio = 10.0;  ///< largest over smallest mass
  bool armature = true;
  bool passive = false;    ///< dampers and springs
  bool couplings = false;  ///< about one one-dof joint in three follows an earlier one, which may itself be a follower
  bool welds = false;      ///< auxiliary bodies by fixed joints
  Vec3<> root_offset{0, 0, 0};  ///< [m] of the roots from the world's origin
};

inline Pose<> random_pose(RandomStream& stream, double reach = 0.5) {
  const Quaternion<> q = uniform_rotation(stream);
  return pose(q, Vec3<>{stream.uniform(-reach, reach), stream.uniform(-reach, reach), stream.uniform(-reach, reach)});
}

inline SpatialInertia<> random_inertia(RandomStream& stream, double mass_ratio) {
  const double mass = pintle::pow(mass_ratio, stream.uniform(-0.5, 0.5));
  const Vec3<> c{stream.uniform(-0.2, 0.2), stream.uniform(-0.2, 0.2), stream.uniform(-0.2, 0.2)};
  // Principal moments of an ellipsoid obey the triangle inequality.
  const double a = stream.uniform(0.05, 0.3), b = stream.uniform(0.05, 0.3), d = stream.uniform(0.05, 0.3);
  const Mat3<> R = rotation_matrix(uniform_rotation(stream));
  const SymMat3<> I_c = congruence(R, (mass / 5.0) * diagonal(Vec3<>{b * b + d * d, a * a + d * d, a * a + b * b}));
  return spatial_inertia(mass, c, I_c);
}

inline ModelSpec random_spec(RandomStream& stream, const RandomModelOptions& options = {}) {
  ModelSpec spec{.name = "random"};
  spec.gravity = 9.81 * uniform_direction(stream);
  std::vector<std::string> single;  // joints with one dof, coupled ones too
  for (int i = 0; i < options.links; ++i) {
    const std::string body = "body" + std::to_string(i);
    spec.bodies.push_back({.name = body, .inertia = random_inertia(stream, options.mass_ratio)});
    JointSpec joint;
    joint.name = "joint" + std::to_string(i);
    joint.kind = kJointFacts[1 + stream.below(kJointKinds - 1)].kind;
    int parent = i - 1;
    if (stream.uniform() < options.branching)
      parent = static_cast<int>(stream.below(static_cast<std::uint64_t>(i) + 1)) - 1;
    joint.parent = parent < 0 ? kWorld : "body" + std::to_string(parent);
    joint.child = body;
    joint.X_PJ = random_pose(stream);
    if (parent < 0) joint.X_PJ.translation += options.root_offset;
    joint.X_CJ = random_pose(stream, 0.2);
    joint.axis = uniform_direction(stream);
    joint.second_axis = uniform_direction(stream);
    joint.pitch_m_per_rad = stream.uniform(-0.2, 0.2);
    JointPassive passive;
    if (options.armature) passive.armature = stream.uniform(0.0, 0.1);
    if (options.passive) {
      passive.damping = stream.uniform(0.0, 0.5);
      passive.stiffness = stream.uniform(0.0, 5.0);
      passive.rest = stream.uniform(-0.5, 0.5);
      passive.friction = stream.uniform(0.0, 0.2);
    }
    joint.passive = {passive};
    const bool one_dof = facts(joint.kind).nv == 1;
    if (one_dof && options.couplings && !single.empty() && stream.uniform() < 0.35) {
      const std::string driver = single[stream.below(single.size())];
      spec.couplings.push_back({.joint = joint.name,
                                .driver = driver,
                                .ratio = stream.uniform() < 0.5 ? stream.uniform(0.5, 2.0) : stream.uniform(-2.0, -0.5),
                                .offset = stream.uniform(-0.5, 0.5)});
    }
    if (one_dof) single.push_back(joint.name);
    spec.joints.push_back(joint);
    if (options.welds && stream.uniform() < 0.5) {
      const std::string lump = "lump" + std::to_string(i);
      spec.bodies.push_back({.name = lump, .inertia = random_inertia(stream, options.mass_ratio)});
      JointSpec weld;
      weld.name = "weld" + std::to_string(i);
      weld.parent = body;
      weld.child = lump;
      weld.X_PJ = random_pose(stream);
      spec.joints.push_back(weld);
    }
  }
  return spec;
}

/// Whether a joint is coupled to one that is coupled itself: its offset may be large.
inline bool follows_a_follower(const ModelSpec& spec, const std::string& joint) {
  for (const CouplingSpec& first : spec.couplings)
    for (const CouplingSpec& second : spec.couplings)
      if (first.joint == joint && second.joint == first.driver) return true;
  return false;
}

/// A random state: configuration, and values in [-1, 1] for the dofs.
struct RandomState {
  RandomState(const Model& model, RandomStream& stream)
      : q(static_cast<std::size_t>(model.nq())),
        v(static_cast<std::size_t>(model.nv())),
        tau(v.size()),
        vdot(v.size()) {
    random_configuration(model, stream, q);
    for (double& x : v) x = stream.uniform(-1, 1);
    for (double& x : tau) x = stream.uniform(-1, 1);
    for (double& x : vdot) x = stream.uniform(-1, 1);
  }

  std::vector<double> q, v, tau, vdot;
};

}  // namespace test
