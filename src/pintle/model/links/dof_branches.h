// The branches of a tree of dofs, for kernels.
#pragma once

namespace pintle {

/// The numbers of a row along a branch are padded to a multiple of this: whole packs of any instruction set.
inline constexpr int kRowLanes = 8;

/// Per dof the next one inwards, how many there are before it on its branch, and the first one of its run: dofs
/// one after the other up to it, each the parent of the next. A branch is a few runs.
struct DofBranches {
  int count;
  int row;            ///< the numbers of the longest branch, padded
  const int* parent;  ///< -1 for the first dof of a branch
  const int* depth;
  const int* run;
};

}  // namespace pintle
