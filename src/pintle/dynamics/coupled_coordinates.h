// Conversions between the independent coordinates that callers pass and those of all joints (couplings).
#pragma once

#include <span>

#include "pintle/model/compiled/model.h"

namespace pintle {

/// The configuration of all joints: the caller's array itself without couplings, else written to `room`.
const double* joint_configuration(const Model& model, std::span<const double> q, std::span<double> room);

/// Velocities or accelerations of all joints, likewise: G v.
const double* joint_velocity(const Model& model, std::span<const double> v, std::span<double> room);

/// Efforts on the independent dofs from those on all joints: G' tau.  [eq. coupling]
void independent_efforts(const Model& model, std::span<const double> joint_tau, std::span<double> tau);

/// M of the independent dofs from M of all joints: G' M G.  [eq. coupling]
void independent_mass_matrix(const Model& model, std::span<const double> joint_M, std::span<double> M);

/// The same for a matrix that need not be symmetric: G' C G.  [eq. coupling]
void independent_matrix(const Model& model, std::span<const double> joint_C, std::span<double> C);

/// Rows that multiply velocities, such as those of a Jacobian, for the independent dofs from those for all joints: J G.
/// As many rows as the arrays hold.  [eq. coupling]
void independent_columns(const Model& model, std::span<const double> joint_J, std::span<double> J);

}  // namespace pintle
