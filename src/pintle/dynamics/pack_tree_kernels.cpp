// Compiled once per instruction set.
#include "pintle/dynamics/pack_tree_kernels.h"

#include "pintle/dynamics/coriolis_matrix_impl.h"
#include "pintle/math/elementary_impl.h"

namespace pintle::inline PINTLE_ISA {
namespace {

/// Takes entries from `at`, or counts their bytes.
template <class Entry>
PINTLE_INLINE Entry* take(std::byte* at, std::size_t& used, int count) {
  Entry* const entries = reinterpret_cast<Entry*>(at + used);
  used += (static_cast<std::size_t>(count) * sizeof(Entry) + 63) / 64 * 64;
  return entries;
}

template <class T>
CoriolisMatrixBuffers<T> buffers(const LinkTree& tree, std::byte* memory, std::size_t& used) {
  CoriolisMatrixBuffers<T> all{};
  all.motion.X_PL = take<Pose<T>>(memory, used, tree.count);
  all.motion.S = take<Twist<T>>(memory, used, tree.nv);
  all.motion.V = take<Twist<T>>(memory, used, tree.count);
  all.motion.c = take<Twist<T>>(memory, used, tree.count);
  all.S_rate = take<Twist<T>>(memory, used, tree.nv);
  all.I_C = take<SpatialInertia<T>>(memory, used, tree.count);
  all.B_C = take<CoriolisOperator<T>>(memory, used, tree.count);
  return all;
}

template <class T>
std::size_t bytes(const LinkTree& tree) {
  alignas(64) std::byte nothing[64];
  std::size_t used = 0;
  (void)buffers<T>(tree, nothing, used);
  return used;
}

/// [eq. tree-velocity]
template <class T>
void kinematics(const LinkTree& tree, const base_t<T>* q, const base_t<T>* v, std::byte* memory, base_t<T>* poses,
                base_t<T>* velocities) {
  std::size_t used = 0;
  const TreeMotion<T> motion = buffers<T>(tree, memory, used).motion;
  tree_motion(tree, reinterpret_cast<const T*>(q), reinterpret_cast<const T*>(v), motion);
  Pose<T>* const X_WL = reinterpret_cast<Pose<T>*>(poses);
  Twist<T>* const V = reinterpret_cast<Twist<T>*>(velocities);
  for (int i = 0; i < tree.count; ++i) {
    const int parent = tree.links[i].parent;
    X_WL[i] = parent < 0 ? motion.X_PL[i] : X_WL[parent] * motion.X_PL[i];
    V[i] = motion.V[i];
  }
}

template <class T>
void coriolis(const LinkTree& tree, const base_t<T>* q, const base_t<T>* v, std::byte* memory, base_t<T>* C) {
  std::size_t used = 0;
  coriolis_matrix_kernel(tree, reinterpret_cast<const T*>(q), reinterpret_cast<const T*>(v),
                         buffers<T>(tree, memory, used), reinterpret_cast<T*>(C));
}

template <class T>
constexpr PackTreeKernels<base_t<T>> kKernelsOf = {
    .bytes = bytes<T>, .kinematics = kinematics<T>, .coriolis_matrix = coriolis<T>};

constexpr PackTreeKernelTable kKernels = {kKernelsOf<NativePack<double>>, kKernelsOf<NativePack<float>>};

}  // namespace

const PackTreeKernelTable& pack_tree_kernel_table();
const PackTreeKernelTable& pack_tree_kernel_table() {
  return kKernels;
}

}  // namespace pintle::inline PINTLE_ISA
