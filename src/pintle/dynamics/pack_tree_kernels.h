// The plain recursions on packs of states: one table of functions per instruction set. Arrays as in planned_kernels.h.
#pragma once

#include <cstddef>

#include "pintle/model/link.h"

namespace pintle {

/// For packs of numbers B. `memory` is of `bytes`, at an address that is a multiple of 64.
template <class B>
struct PackTreeKernels {
  std::size_t (*bytes)(const LinkTree& tree);
  /// Of every link its pose in the world, twelve numbers, and its velocity in its own frame, six.
  void (*kinematics)(const LinkTree& tree, const B* q, const B* v, std::byte* memory, B* poses, B* velocities);
  void (*coriolis_matrix)(const LinkTree& tree, const B* q, const B* v, std::byte* memory, B* C);
};

struct PackTreeKernelTable {
  PackTreeKernels<double> pack;
  PackTreeKernels<float> pack_float;
};

/// The kernels of the instruction set in use, of double or float.
template <class B>
const PackTreeKernels<B>& pack_tree_kernels();

}  // namespace pintle
