// Impulse dynamics: the velocity jump of a mechanism under impulses.
#pragma once

#include <span>

#include "pintle/base/buffer.h"
#include "pintle/dynamics/response.h"

namespace pintle {

/// Memory and result of `impulse_dynamics`.
class ImpulseWorkspace {
 public:
  explicit ImpulseWorkspace(const Model& model);

  ModelSizes sizes;
  ResponseWorkspace response;  ///< response.articulated.response().A: the velocity jump of each link, in its frame
  Buffer<Wrench<>> on_links;   ///< the impulses on the links
  Buffer<Wrench<>> on_body;    ///< per body: the impulse of its joint, fixed or not, on it, in the body's frame
};

/// The velocity jump dv at q caused by impulses at the joints (nv [N m s, N s], or none) and impulsive wrenches on the
/// bodies (one per body, in its frame, or none; add_external fills such an array), and the reaction impulses of all
/// joints. Finite forces (weight, springs, velocity terms) have no impulse. Throws UsageError on a size mismatch.
/// [eq. impulse]
DynamicsReport impulse_dynamics(const Model& model, std::span<const double> q, std::span<const double> joint_impulses,
                                std::span<const Wrench<>> body_impulses, ImpulseWorkspace& work, std::span<double> dv);

/// The reaction impulse that a joint's parent side exerts on its child, in the joint's frame on the child's side, after
/// impulse_dynamics.
Wrench<> reaction_impulse_of(const Model& model, const ImpulseWorkspace& work, int joint);

}  // namespace pintle
