// Kernels that work on the links of a model, or of models side by side, for packs of states: one table of functions per
// instruction set. The templates are those of one state (kinematics_impl.h, aligned_*_impl.h), so each lane is bitwise
// equal to them. Arrays as in planned_kernels.h.
#pragma once

#include <cstddef>

#include "pintle/model/links/link.h"
#include "pintle/spatial/axes.h"

namespace pintle {

/// The links that a kernel works on.
struct PackTree {
  LinkTree tree;                     ///< of the one model, or of any of them
  const std::byte* lanes = nullptr;  ///< of models side by side: their links, as model_pack_kernels.h puts them there
};

/// A frame on a link.
template <class B>
struct PackPlace {
  int link;
  Pose<> X_LF;     ///< on the one model
  const B* lanes;  ///< on models side by side: the twelve values of X_LF on each
};

/// For packs of B. `memory` is of `bytes`, at an address that is a multiple of 64.
template <class B>
struct PackTreeKernels {
  std::size_t (*bytes)(const LinkTree& tree);
  /// Of every link its pose in the world (twelve values), its velocity in its own frame (six) and the time derivative
  /// of the latter (six), not including gravity. If vdot is null, there are no time derivatives.
  void (*kinematics)(const PackTree& tree, const B* q, const B* v, const B* vdot, B* poses, B* velocities,
                     B* derivatives);
  /// Six rows with one entry per dof.
  void (*jacobian)(const PackTree& tree, const B* q, const PackPlace<B>& place, Axes axes, std::byte* memory, B* J);
  void (*jacobian_columns)(const PackTree& tree, const B* q, std::byte* memory, B* J);
  /// Likewise; and the mass of all bodies, the centre of mass (three values) and the inertia about it (six).
  void (*centroidal_matrix)(const PackTree& tree, const B* q, std::byte* memory, B* A_G, B* locked);
  /// Kinetic, and potential of the links' weights.
  void (*energies)(const PackTree& tree, const B* q, const B* v, std::byte* memory, B* energies);
  void (*coriolis_matrix)(const PackTree& tree, const B* q, const B* v, std::byte* memory, B* C);
  /// J v of some rows: products summed in the order of the dofs, without fused multiply-add.
  void (*times)(int rows, int nv, const B* J, const B* v, B* product);
};

struct PackTreeKernelTable {
  PackTreeKernels<double> pack;
  PackTreeKernels<float> pack_float;
};

/// The kernels of the instruction set in use, of double or float.
template <class B>
const PackTreeKernels<B>& pack_tree_kernels();
template <>
const PackTreeKernels<double>& pack_tree_kernels<double>();
template <>
const PackTreeKernels<float>& pack_tree_kernels<float>();

}  // namespace pintle
