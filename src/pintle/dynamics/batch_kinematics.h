// Where the links of many states of one model are, and how they move (batch.h).
#pragma once

#include "pintle/dynamics/batch_workspace.h"

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

}  // namespace pintle
