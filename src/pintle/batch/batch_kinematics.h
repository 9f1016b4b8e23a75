// Poses, velocities and accelerations of the links in many states of one model (batch.h).
#pragma once

#include "pintle/batch/batch_workspace.h"
#include "pintle/model/compiled/place.h"
#include "pintle/spatial/axes.h"

namespace pintle {

/// Sizes of a pose (nine values of the rotation matrix, row-major, three of the translation) and of a twist (linear
/// first).
inline constexpr int kPoseValues = 12, kTwistValues = 6;

/// Poses and velocities of the links (Model::links) in every state: poses in the world, kPoseValues for each link;
/// velocities in the links' own frames, kTwistValues for each. Sizes: those of batch_size with model.nq() for q,
/// model.nv() for v and links * kPoseValues or kTwistValues for the results, else UsageError.  [eq. tree-velocity]
template <class T>
void batch_kinematics(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                      std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> poses,
                      std::span<Same<T>> velocities);

/// The same, and the component-wise time derivatives of the velocities (KinematicsWorkspace::A), kTwistValues for each
/// link.
template <class T>
void batch_kinematics(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                      std::span<const Same<T>> v, std::span<const Same<T>> vdot, BatchWorkspace<T>& work,
                      std::span<Same<T>> poses, std::span<Same<T>> velocities, std::span<Same<T>> accelerations);

/// J of a place in every state, 6 x nv, row-major: as `jacobian` (jacobian.h). Sizes: batch_size with model.nq() for q
/// and 6 * nv for J, else UsageError; likewise below.  [eq. jacobian]
template <class T>
void batch_jacobian(const Model& model, const BatchStates& states, std::span<const Same<T>> q, const Place& place,
                    Axes axes, BatchWorkspace<T>& work, std::span<Same<T>> J);

/// The unit motions of all dofs in every state, 6 x nv, row-major: as `jacobian_columns`.  [eq. jacobian]
template <class T>
void batch_jacobian_columns(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                            BatchWorkspace<T>& work, std::span<Same<T>> J);

/// Size of LockedBodies: mass, centre (three), inertia about it (xx, xy, xz, yy, yz, zz).
inline constexpr int kLockedValues = 10;

/// A_G of every state, 6 x nv, row-major, and the moving bodies with all joints locked, kLockedValues: as
/// centroidal_momentum_matrix (centroidal_matrix.h). Also the momentum A_G v, six values, linear first, with products
/// summed in the order of the dofs. Throws UsageError when no moving body has mass.  [eq. centroidal-momentum]
template <class T>
void batch_centroidal_momentum_matrix(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                                      std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> A_G,
                                      std::span<Same<T>> momentum, std::span<Same<T>> locked);

/// The kinetic energy and the potential energy of gravity [J] of every state, two values: as `energies` (energies.h).
/// [eq. energy]
template <class T>
void batch_energies(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                    std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> energies);

}  // namespace pintle
