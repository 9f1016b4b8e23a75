// Intermediate results of the chain kernels for one state.
#pragma once

#include <cstddef>

#include "pintle/dynamics/plan/chain_lanes.h"
#include "pintle/spatial/wrench.h"

namespace pintle::inline PINTLE_ISA {

/// Whether one state of a chain has its links in lanes: the same for a whole bit family.
template <class T>
inline constexpr bool kHasChains = std::is_same_v<T, double>&& PINTLE_HAS_FMA;

/// Packs of a chain whose M is factored.
inline constexpr int kMaxFactoredPacks = kMaxFactoredLinks / kChainLanes;

/// Intermediate results for a pack of links. Not every kernel uses all of them.
struct ChainLinks {
  ChainScalar sin, cos;       ///< of the angles
  Vec3<ChainScalar> x, y, z;  ///< the axes of the links
  Vec3<ChainScalar> d;        ///< from the origin of the parent to its own
  Vec3<ChainScalar> h;        ///< the first moment about its own origin
  SymMat3<ChainScalar> I;     ///< the rotational inertia about its own origin
  Wrench<ChainScalar> F;      ///< wrench required by its motion
  Wrench<ChainScalar> U;      ///< wrench for a unit acceleration of its joint, with its subtree
  Vec3<ChainScalar> s;  ///< linear velocity, for a unit rotation about its axis, at the origin of the pack's first link
  Vec3<ChainScalar> way;     ///< in all lanes: from the origin of the inner pack's first link to that of this one's
  ChainScalar diagonal;      ///< of the mass matrix
  ChainScalar max_diagonal;  ///< upper bound of the diagonal, for any axis
  ChainScalar D_inverse;     ///< of the factors of M
  ChainScalar left;          ///< remaining efforts, then the solution
};

/// Four rows of M or of its factors, in one pack of columns.
struct ChainBlock {
  ChainScalar row[kChainLanes];
};

/// A lower triangle of blocks.
struct ChainMatrix {
  ChainBlock blocks[kMaxFactoredPacks][kMaxFactoredPacks];
};

/// Of one state. The matrices are used where M is factored.
struct ChainMemory {
  Wrench<ChainScalar>* root;  ///< in all lanes: the sum of all F about the root's origin
  ChainMatrix* M;
  ChainMatrix* factors;
  ChainLinks* links;  ///< of the packs
};

/// Bytes of a ChainMemory.
PINTLE_INLINE std::size_t chain_bytes(const PlanChain& chain) {
  return sizeof(Wrench<ChainScalar>) + 2 * sizeof(ChainMatrix) +
         static_cast<std::size_t>(chain.count) * sizeof(ChainLinks);
}

/// The memory at an address that is a multiple of 64, with chain_bytes there.
PINTLE_INLINE ChainMemory chain_memory(std::byte* at) {
  Wrench<ChainScalar>* const root = reinterpret_cast<Wrench<ChainScalar>*>(at);
  ChainMatrix* const matrices = reinterpret_cast<ChainMatrix*>(root + 1);
  return {root, matrices, matrices + 1, reinterpret_cast<ChainLinks*>(matrices + 2)};
}

/// Parameters of a pack in the plan.
PINTLE_INLINE const ChainParameters<ChainScalar>& parameters_of(const PlanChain& chain, int k) {
  return reinterpret_cast<const ChainParameters<ChainScalar>*>(chain.packs)[k];
}

}  // namespace pintle::inline PINTLE_ISA
