// The same algorithms as functions that return values: one line a question. Each call makes its own memory, which
// costs more than the answer; a loop wants the functions with a workspace.
//
//     const std::vector<double> M = mass_matrix(model, q);
//     const std::vector<double> vdot = forward_dynamics(model, q, v, tau).value();
//
// Sizes, units and frames are those of the functions with a workspace; matrices are row-major. Throws UsageError on a
// size mismatch, or when there is no place of that name.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/dynamics/energies.h"
#include "pintle/dynamics/options.h"
#include "pintle/model/compiled/model.h"
#include "pintle/spatial/axes.h"
#include "pintle/spatial/pose.h"
#include "pintle/spatial/twist.h"

namespace pintle {

/// tau of a motion: nv values.
std::vector<double> inverse_dynamics(const Model& model, std::span<const double> q, std::span<const double> v,
                                     std::span<const double> vdot, const DynamicsOptions& options = {});

/// vdot: nv values; a failure names the joint that moves a singular inertia.
Result<std::vector<double>> forward_dynamics(const Model& model, std::span<const double> q, std::span<const double> v,
                                             std::span<const double> tau, const DynamicsOptions& options = {});

/// M(q): nv x nv.
std::vector<double> mass_matrix(const Model& model, std::span<const double> q);

/// M(q)^-1: nv x nv.
Result<std::vector<double>> mass_matrix_inverse(const Model& model, std::span<const double> q);

/// C(q, v): nv x nv.
std::vector<double> coriolis_matrix(const Model& model, std::span<const double> q, std::span<const double> v);

/// C(q, v) v + g(q): nv values.
std::vector<double> bias_efforts(const Model& model, std::span<const double> q, std::span<const double> v);

/// g(q): nv values.
std::vector<double> gravity_efforts(const Model& model, std::span<const double> q);

/// The Jacobian of a body or a named frame: 6 x nv, linear rows first.
std::vector<double> jacobian(const Model& model, std::span<const double> q, std::string_view place,
                             Axes axes = Axes::local_world_aligned);

/// The pose X_WF of a body or a named frame.
Pose<> pose_of(const Model& model, std::span<const double> q, std::string_view place);

/// The velocity of a body or a named frame.
Twist<> velocity_of(const Model& model, std::span<const double> q, std::span<const double> v, std::string_view place,
                    Axes axes = Axes::local_world_aligned);

/// The centre of mass of all that moves, in the world [m].
Vec3<> center_of_mass(const Model& model, std::span<const double> q);

/// Energies [J].
MechanismEnergies energies(const Model& model, std::span<const double> q, std::span<const double> v);

}  // namespace pintle
