// The branches of a tree of dofs, for kernels.
#pragma once

namespace pintle {

/// Rows along a branch are padded to a multiple of this: whole packs of any instruction set.
inline constexpr int kRowLanes = 8;

/// For each dof: its parent dof, the number of dofs before it on its branch, and the first dof of its run. A run is a
/// sequence of consecutive dofs, each the parent of the next; a branch consists of a few runs.
struct DofBranches {
  int count;
  int row;            ///< the length of the longest branch, padded
  const int* parent;  ///< -1 for the first dof of a branch
  const int* depth;
  const int* run;
};

}  // namespace pintle
