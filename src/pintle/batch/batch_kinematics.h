// Where the links of many states of one model are, and how they move (batch.h).
#pragma once

#include "pintle/batch/batch_workspace.h"
#include "pintle/model/compiled/place.h"
#include "pintle/spatial/axes.h"

namespace pintle {

/// Numbers of a pose (nine of the rotation matrix, row by row, three of the translation) and of a twist (linear first).
inline constexpr int kPoseNumbers = 12, kTwistNumbers = 6;

/// Where the links (Model::links) of every state are and how they move: poses in the world, kPoseNumbers for each link;
/// velocities in the links' own frames, kTwistNumbers for each. Sizes: those of batch_size with model.nq() for q,
/// model.nv() for v and links * numbers for the results, else UsageError.  [eq. tree-velocity]
template <class T>
void batch_kinematics(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                      std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> poses,
                      std::span<Same<T>> velocities);

/// The same, and the rates of the velocities' numbers (KinematicsWorkspace::A), kTwistNumbers for each link.
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

/// Numbers of LockedBodies: mass, centre (three), inertia about it (xx, xy, xz, yy, yz, zz).
inline constexpr int kLockedNumbers = 10;

/// A_G of every state, 6 x nv, row-major, and the bodies that can move as if all joints were locked, kLockedNumbers: as
/// centroidal_momentum_matrix (centroidal_matrix.h). Besides the momentum A_G v, six numbers, linear first: products
/// summed up in the order of the dofs. Throws UsageError when nothing that moves has mass.  [eq. centroidal-momentum]
template <class T>
void batch_centroidal_momentum_matrix(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                                      std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> A_G,
                                      std::span<Same<T>> momentum, std::span<Same<T>> locked);

/// The kinetic energy and the potential energy of gravity [J] of every state, two numbers: as `energies` (energies.h).
/// [eq. energy]
template <class T>
void batch_energies(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                    std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> energies);

}  // namespace pintle
