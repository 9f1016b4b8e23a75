// The operational-space inertia of a mechanism at places on it.
#pragma once

#include <span>

#include "pintle/base/buffer.h"
#include "pintle/dynamics/kinematics.h"
#include "pintle/dynamics/response.h"

namespace pintle {

/// Memory of the operational-space inertia for up to a given number of places.
class OperationalInertiaWorkspace {
 public:
  OperationalInertiaWorkspace(const Model& model, int max_places);

  ModelSizes sizes;
  ResponseWorkspace response;
  KinematicsWorkspace kinematics;
  Buffer<Wrench<>> on_links;
  Buffer<unsigned char> needed;  ///< links on a branch to one of the places
  Buffer<double> vdot, zero;
  Buffer<double> matrix;  ///< of operational_inertia, while it is inverted
};

/// J M^-1 J' of m places together, 6m x 6m, row-major: block (a, b) is the acceleration of place a for a unit wrench on
/// place b, linear part first, both in the axes asked for. Symmetric, positive semidefinite. Computed by applying M^-1
/// to unit wrenches along the branches; J and M are not formed. Throws UsageError on a size mismatch.
/// [eq. operational-inertia]
DynamicsReport inverse_operational_inertia(const Model& model, std::span<const double> q, std::span<const Place> places,
                                           Axes axes, OperationalInertiaWorkspace& work, std::span<double> result);

/// Whether the operational-space inertia exists.
struct [[nodiscard]] OperationalInertiaReport {
  int singular_joint = -1;  ///< as in DynamicsReport
  int rigid_row = -1;       ///< the first row along which the places cannot move freely (absolutely or relative to each
                            ///< other): the inertia is infinite along it

  bool ok() const { return singular_joint < 0 && rigid_row < 0; }
};

/// (J M^-1 J')^-1: the operational-space inertia of all places together, laid out as above. It exists where the places
/// can move in every direction.  [eq. operational-inertia]
OperationalInertiaReport operational_inertia(const Model& model, std::span<const double> q,
                                             std::span<const Place> places, Axes axes,
                                             OperationalInertiaWorkspace& work, std::span<double> result);

}  // namespace pintle
