// RowBodies: the poses of the bodies and the loads of the joints at a row of a recording, computed from its values.
#pragma once

#include <span>
#include <vector>

#include "pintle/dynamics/reactions.h"
#include "pintle/simulation/hybrid/scene_system.h"

namespace pintle {

/// Computes what a recording does not contain: poses and velocities of all bodies, and the wrenches in all joints. The
/// loads on bodies (springs along lines, bushings, forces, drag) are functions of the time and the state, so a row
/// determines them. The contact forces are those recorded with the row. A caller's own loads (SimulationParts::forces)
/// are not part of a scene and are not included.
class RowBodies {
 public:
  explicit RowBodies(const Scene& scene);

  /// At time t [s], in the state (q, v) with accelerations vdot, all of the independent joints (`reactions`), with the
  /// contacts of the row. False where a load has no value.
  bool find(double t, std::span<const double> q, std::span<const double> v, std::span<const double> vdot,
            std::span<const ContactForceRecord> contacts = {});

  /// The result of the last `find`: poses, velocities and accelerations, and the wrench of each body's joint on it.
  const KinematicsWorkspace& places() const { return reactions_.kinematics; }
  const ReactionsWorkspace& reactions() const { return reactions_; }

 private:
  void add_contacts(std::span<const ContactForceRecord> contacts);

  SceneSystem system_;
  std::vector<double> no_states_;
  std::vector<Wrench<>> external_;
  ReactionsWorkspace reactions_;
};

}  // namespace pintle
