// How a mechanism at rest and without weight answers to efforts and wrenches: M(q)^-1 in use, without making it.
#pragma once

#include <span>

#include "pintle/base/buffer.h"
#include "pintle/dynamics/report.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

/// Memory of the answers at one configuration: articulated inertias or, for models with couplings, the factors of M.
class ResponseWorkspace {
 public:
  explicit ResponseWorkspace(const Model& model);

  ModelSizes sizes;
  ArticulatedWorkspace<> articulated;  ///< response().A is each link's own answer, in its frame
  JointNumbers<> joints;
  MassMatrixWorkspace<> mass;
  Buffer<double> M;  ///< for models with couplings
  MassMatrixFactor<> factor;
  Buffer<double> column;
  Buffer<unsigned char> given;  ///< per independent dof: those that do not answer
};

/// Makes ready for the answers at q. Dofs with a mark in `given` (one per independent dof, or none at all) have
/// a motion of their own and do not answer, whatever acts: the answers are those of a mechanism in which they are
/// locked. Sizes must fit, else UsageError.  [eq. aba-inertia]
DynamicsReport prepare_response(const Model& model, std::span<const double> q, ResponseWorkspace& work,
                                std::span<const unsigned char> given = {});

/// vdot = M^-1 (tau + sum J'F) at the configuration of the last prepare_response: from efforts (nv, or none) and
/// wrenches on the links (one per link, in its frame, or none). Impulses give jumps of velocity. With marks in `needed`
/// (one per link, or none) only marked links are looked at: see respond_kernel; models with couplings pay no heed to
/// it. vdot may be tau. Given dofs answer with zero, to the bit. Sizes must fit, else UsageError.  [eq. response]
void apply_mass_inverse(const Model& model, ResponseWorkspace& work, std::span<const double> tau,
                        std::span<const Wrench<>> on_links, std::span<const unsigned char> needed,
                        std::span<double> vdot);

/// tau = M vdot - sum J'F of the last `apply_mass_inverse`, which must have looked at all links, from its answer vdot
/// and its wrenches on the links: at the dofs that answer the efforts it was asked with, at the given ones what it
/// takes to hold them. nv numbers. Sizes must fit, else UsageError.  [eq. response]
void response_efforts(const Model& model, ResponseWorkspace& work, std::span<const double> vdot,
                      std::span<const Wrench<>> on_links, std::span<double> tau);

/// Memory of mass_matrix_inverse.
class MassMatrixInverseWorkspace {
 public:
  explicit MassMatrixInverseWorkspace(const Model& model);

  ResponseWorkspace response;  ///< for models with couplings, and to tell which joint has no inertia to move
  AlignedMemory columns;       ///< for models without couplings
};

/// M(q)^-1 of the independent dofs, armature included: nv rows of nv numbers, symmetric to the bit. Column j is the
/// answer to a unit effort on dof j. By the articulated-body recursion, in time n times the number of links; models
/// with couplings by the factors of M. Where light links stand between heavy ones (mass ratios of 1e6) up to 1e-11 of
/// the terms was seen lost; factor_mass_matrix does not lose them. Sizes must fit, else UsageError.  [eq. response]
DynamicsReport mass_matrix_inverse(const Model& model, std::span<const double> q, MassMatrixInverseWorkspace& work,
                                   std::span<double> inverse);

}  // namespace pintle
