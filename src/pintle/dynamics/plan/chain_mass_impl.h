// The mass matrix of a chain with its links side by side: the composite-rigid-body algorithm as sums along the chain.
#pragma once

#include "pintle/dynamics/plan/chain_motion.h"

namespace pintle::inline PINTLE_ISA {

/// The rotational inertia that a first moment at d adds to the parent: 2 (h.d) 1 - h d' - d h'.
PINTLE_INLINE SymMat3<ChainScalar> gained_inertia(const Vec3<ChainScalar>& h, const Vec3<ChainScalar>& d) {
  const ChainScalar x = h.x * d.x, y = h.y * d.y, z = h.z * d.z;
  const ChainScalar xx = y + z, yy = x + z, zz = x + y;
  return {xx + xx, -fma(h.x, d.y, h.y * d.x), -fma(h.x, d.z, h.z * d.x), yy + yy, -fma(h.y, d.z, h.z * d.y), zz + zz};
}

/// U, s and the diagonal of M of every pack, from the tip inwards. No link has mass: in base parameters the ground has
/// it.  [eq. crba]
PINTLE_INLINE void compose_chain(const PlanChain& chain, const ChainMemory& at) {
  const ChainScalar zero(0.0);
  Vec3<ChainScalar> h_out{zero, zero, zero};
  SymMat3<ChainScalar> I_out{zero, zero, zero, zero, zero, zero}, gained_out = I_out;
  for (int k = chain.count - 1; k >= 0; --k) {
    ChainLinks& here = at.links[k];
    const ChainParameters<ChainScalar>& link = parameters_of(chain, k);
    const Vec3<ChainScalar> z = here.z, d = here.d;
    const Vec3<ChainScalar> h = sums_inwards(here.h, h_out);
    const SymMat3<ChainScalar> gained = gained_inertia(h, d);
    const SymMat3<ChainScalar> I = sums_inwards(here.I + of_children(gained, gained_out), I_out);
    gained_out = gained;
    const Vec3<ChainScalar> n = I * z, f = cross(z, h);
    here.diagonal = dot(z, n) + link.armature;
    here.max_diagonal = trace(I) + link.moved_trace;
    const Vec3<ChainScalar> p = each([&](ChainScalar a) { return sums_outwards(lanes_of<4, 1, 2, 3>(a, zero)); }, d);
    here.s = cross(p, z);
    here.U = {f, n + cross(p, f)};
    const auto end = [](ChainScalar a, ChainScalar b) { return everywhere<kChainLanes - 1>(a) + everywhere<0>(b); };
    if (k + 1 < chain.count) at.links[k + 1].way = each(end, p, at.links[k + 1].d);
  }
}

/// Entries of M in the rows of pack k and the columns of pack j: the wrenches for unit accelerations of the former,
/// projected on the joints of the latter. U is about the origin of pack j's first link.
PINTLE_INLINE ChainBlock block_of(const ChainMemory& at, int k, int j) {
  const Wrench<ChainScalar>& U = at.links[k].U;
  const Vec3<ChainScalar>&z = at.links[j].z, &s = at.links[j].s;
  const auto row = [&](int lane) {
    const auto in_all = [lane](const ChainScalar& x) { return ChainScalar(lanes_at(x)[lane]); };
    const ChainScalar of_force = fma(in_all(U.force.z), s.z, fma(in_all(U.force.y), s.y, in_all(U.force.x) * s.x));
    return fma(in_all(U.torque.z), z.z, fma(in_all(U.torque.y), z.y, fma(in_all(U.torque.x), z.x, of_force)));
  };
  return {{row(0), row(1), row(2), row(3)}};
}

/// Likewise of one pack: the diagonal was computed about the links' own origins; entries above it are meaningless.
PINTLE_INLINE ChainBlock diagonal_block(const ChainMemory& at, int k) {
  const ChainScalar diagonal = at.links[k].diagonal;
  const ChainBlock b = block_of(at, k, k);
  return {{lanes_of<4, 1, 2, 3>(b.row[0], diagonal), lanes_of<0, 5, 2, 3>(b.row[1], diagonal),
           lanes_of<0, 1, 6, 3>(b.row[2], diagonal), lanes_of<0, 1, 2, 7>(b.row[3], diagonal)}};
}

/// Calls put(k, j, block) for the blocks of M up to the diagonal, from the tip inwards; U is shifted along.  [eq. crba]
template <class Put>
PINTLE_INLINE void for_blocks(const PlanChain& chain, const ChainMemory& at, const Put& put) {
  for (int j = chain.count - 1; j >= 0; --j) {
    put(j, j, diagonal_block(at, j));
    for (int k = j + 1; k < chain.count; ++k) {
      Wrench<ChainScalar>& U = at.links[k].U;
      U.torque += cross(at.links[j + 1].way, U.force);
      put(k, j, block_of(at, k, j));
    }
  }
}

/// Stores the block of rows k and columns j into M, and its transpose; M has `n` rows.
inline void mirror_block(int k, int j, ChainBlock block, int n, double* M) {
  double* const low = M + k * kChainLanes * n + j * kChainLanes;
  double* const high = M + j * kChainLanes * n + k * kChainLanes;
  const int rows = n - k * kChainLanes < kChainLanes ? n - k * kChainLanes : kChainLanes;
  if (k == j) {
    for (int i = 0; i < rows; ++i)
      for (int l = 0; l <= i; ++l) low[i * n + l] = low[l * n + i] = lanes_at(block.row[i])[l];
    return;
  }
  for (int i = 0; i < rows; ++i) store(block.row[i], low + i * n);
  transpose(block.row[0], block.row[1], block.row[2], block.row[3]);
  for (int i = 0; i < kChainLanes; ++i) {
    if (rows == kChainLanes) {
      store(block.row[i], high + i * n);
    } else {
      for (int l = 0; l < rows; ++l) high[i * n + l] = lanes_at(block.row[i])[l];
    }
  }
}

}  // namespace pintle::inline PINTLE_ISA
