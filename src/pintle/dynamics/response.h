// Applies M(q)^-1 to efforts and wrenches without forming it, and forms M(q)^-1 where it is wanted.
#pragma once

#include <span>

#include "pintle/base/buffer.h"
#include "pintle/dynamics/report.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

/// Memory to apply M^-1 at one configuration: articulated inertias or, for models with couplings, the factors of M.
class ResponseWorkspace {
 public:
  explicit ResponseWorkspace(const Model& model);

  ModelSizes sizes;
  ArticulatedWorkspace<> articulated;  ///< response().A is the acceleration of each link, in its frame
  JointArrays<> joints;
  MassMatrixWorkspace<> mass;
  Buffer<double> M;  ///< for models with couplings
  MassMatrixFactor<> factor;
  Buffer<double> column;
  Buffer<unsigned char> given;  ///< per independent dof: those that are locked
};

/// Prepares apply_mass_inverse at q. Dofs flagged in `given` (one flag per independent dof, or none at all) have a
/// prescribed motion: M^-1 is that of the mechanism with these dofs locked. Throws UsageError on a size mismatch.
/// [eq. aba-inertia]
DynamicsReport prepare_response(const Model& model, std::span<const double> q, ResponseWorkspace& work,
                                std::span<const unsigned char> given = {});

/// vdot = M^-1 (tau + sum J'F) at the configuration of the last prepare_response: from efforts (nv, or none) and
/// wrenches on the links (one per link, in its frame, or none). Impulses give velocity jumps. With flags in `needed`
/// (one per link, or none) only flagged links are visited: see apply_mass_inverse_kernel; models with couplings ignore
/// it. vdot may alias tau. Prescribed dofs have vdot = 0 exactly. Throws UsageError on a size mismatch.  [eq. response]
void apply_mass_inverse(const Model& model, ResponseWorkspace& work, std::span<const double> tau,
                        std::span<const Wrench<>> on_links, std::span<const unsigned char> needed,
                        std::span<double> vdot);

/// tau = M vdot - sum J'F of the last `apply_mass_inverse`, which must have visited all links, from its result vdot and
/// its wrenches on the links: at the free dofs the efforts it was called with, at the prescribed ones the efforts that
/// hold them. nv values. Throws UsageError on a size mismatch.  [eq. response]
void response_efforts(const Model& model, ResponseWorkspace& work, std::span<const double> vdot,
                      std::span<const Wrench<>> on_links, std::span<double> tau);

/// Memory of mass_matrix_inverse.
class MassMatrixInverseWorkspace {
 public:
  explicit MassMatrixInverseWorkspace(const Model& model);

  ResponseWorkspace response;  ///< for models with couplings, and to find the joint that moves a singular inertia
  AlignedMemory columns;       ///< for models without couplings
};

/// M(q)^-1 of the independent dofs, armature included: nv x nv, row-major, bitwise symmetric. Column j is the
/// acceleration for a unit effort on dof j. Uses the articulated-body recursion, in time n times the number of links;
/// for models with couplings the factors of M. Where light links stand between heavy ones (mass ratios of 1e6),
/// relative errors of up to 1e-11 of the terms were observed; factor_mass_matrix does not have them. Throws UsageError
/// on a size mismatch.  [eq. response]
DynamicsReport mass_matrix_inverse(const Model& model, std::span<const double> q, MassMatrixInverseWorkspace& work,
                                   std::span<double> inverse);

}  // namespace pintle
