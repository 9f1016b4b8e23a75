// The motion of the world as the kernels on plans take it.
#pragma once

#include "pintle/dynamics/kernels/planned_kernels.h"
#include "pintle/dynamics/options.h"
#include "pintle/dynamics/recursions/tree_motion.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

/// Null at rest, else `room` with that motion; the workspace remembers it.
inline const PlannedMotion<double>* world_motion(const Model& model, const DynamicsOptions& options,
                                                 PlannedWorkspace& planned, PlannedMotion<double>& room) {
  planned.world_moves = !options.root_rests();
  if (!planned.world_moves) return nullptr;
  planned.root = *options.root;
  LinkTree tree = model.tree();
  tree.root = *options.root;
  room = {tree.root.velocity, root_acceleration<double>(tree)};
  return &room;
}

}  // namespace pintle
