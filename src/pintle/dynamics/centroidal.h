// Shared by centre of mass and centroidal momentum: the positions of the links relative to the first link.
#pragma once

#include "pintle/base/buffer.h"
#include "pintle/dynamics/kinematics.h"
#include "pintle/spatial/momentum.h"

namespace pintle {

/// Memory of center_of_mass.h and centroidal_momentum.h.
class CentroidalWorkspace {
 public:
  explicit CentroidalWorkspace(const Model& model);

  ModelSizes sizes;
  Buffer<Vec3<>> r;              ///< origin of each link from that of the first link, in world axes
  Buffer<SpatialInertia<>> I_C;  ///< of the subtree rooted at the link, in its frame
  Buffer<Twist<>> A_0;           ///< acceleration of each link at vdot = 0, in its own frame
};

/// The mass of a mechanism [kg] and its centre, from the origin of the first link, in world axes [m].
struct MassCenter {
  double mass;
  Vec3<> from_first;
};

/// Fills `r` by adding displacements from link to link, so that nothing computed from it depends on the distance of the
/// mechanism from the world's origin. (Distances between several root links are differences of world positions.) Throws
/// as require_moving_mass.
MassCenter place_links(const char* function, const Model& model, const KinematicsWorkspace& work,
                       CentroidalWorkspace& scratch);

/// Throws UsageError that names `function` unless the mass is positive.
void require_moving_mass(const char* function, double mass);

/// Fills `I_C`.
void gather_subtrees(const Model& model, const KinematicsWorkspace& work, CentroidalWorkspace& scratch);

/// Fills `A_0`.
void accelerate_without_vdot(const Model& model, const KinematicsWorkspace& work, CentroidalWorkspace& scratch);

/// I A + V x* I V of a link, with A its acceleration: the time derivative of its momentum, in its own frame.
/// [eq. centroidal-momentum]
inline Wrench<> momentum_rate(const Link& link, const Twist<>& V, const Twist<>& A) {
  return link.inertia * A + cross_dual(V, link.inertia * V);
}

/// X_GL of a link, G being the frame at the centre of mass with the world's axes.
Pose<> from_center(const KinematicsWorkspace& work, const CentroidalWorkspace& scratch, const MassCenter& center,
                   std::size_t link);

}  // namespace pintle
