// Compiled once per instruction set.
#include "pintle/batch/pack_tree_kernels.h"

#include "pintle/batch/link_lanes.h"
#include "pintle/dynamics/aligned/aligned_centroidal_impl.h"
#include "pintle/dynamics/aligned/aligned_coriolis_impl.h"
#include "pintle/dynamics/aligned/aligned_energies_impl.h"
#include "pintle/dynamics/aligned/aligned_jacobian_impl.h"
#include "pintle/dynamics/lanes/pack_view.h"
#include "pintle/dynamics/recursions/kinematics_impl.h"
#include "pintle/math/elementary_impl.h"

namespace pintle::inline PINTLE_ISA {
namespace {

/// Maximum over the kernels.
template <class T>
std::size_t bytes(const LinkTree& tree) {
  Arena jacobian(nullptr), centroidal(nullptr), energies(nullptr), coriolis(nullptr);
  take_jacobian_memory<T>(tree, jacobian);
  take_centroidal_memory<T>(tree, centroidal);
  take_energies_memory<T>(tree, energies);
  take_coriolis_memory<T>(tree, coriolis);
  std::size_t max_bytes = jacobian.used();
  for (const std::size_t taken : {centroidal.used(), energies.used(), coriolis.used()})
    if (taken > max_bytes) max_bytes = taken;
  return max_bytes;
}

/// Calls ask(links) with the tree of the one model, or with that of all lanes.
template <class T, class Ask>
PINTLE_INLINE void ask_links(const PackTree& of, const Ask& ask) {
  if (of.lanes == nullptr) {
    ask(of.tree);
  } else {
    ask(tree_of_lanes<T>(of.tree, of.lanes));
  }
}

template <class T>
void kinematics(const PackTree& of, const base_t<T>* q, const base_t<T>* v, const base_t<T>* vdot, base_t<T>* poses,
                base_t<T>* velocities, base_t<T>* derivatives) {
  const KinematicsBuffers<T> out{{nullptr, nullptr, reinterpret_cast<Twist<T>*>(velocities), nullptr},
                                 reinterpret_cast<Pose<T>*>(poses),
                                 reinterpret_cast<Twist<T>*>(derivatives)};
  ask_links<T>(of, [&](auto tree) {
    tree.gravity = {};  // accelerations are those of the links themselves
    if (vdot == nullptr) {
      kinematics_kernel<T, KinematicsExtent::velocities>(tree, packs<T>(q), packs<T>(v), nullptr, out);
    } else {
      kinematics_kernel<T, KinematicsExtent::links>(tree, packs<T>(q), packs<T>(v), packs<T>(vdot), out);
    }
  });
}

template <class T>
void jacobian(const PackTree& of, const base_t<T>* q, const PackPlace<base_t<T>>& place, Axes axes, std::byte* memory,
              base_t<T>* J) {
  for (int k = 0; k < 6 * of.tree.nv; ++k) packs<T>(J)[k] = T(0);
  if (place.link < 0) return;
  Arena cutter(memory);
  const AlignedJacobianMemory<T> at = take_jacobian_memory<T>(of.tree, cutter);
  if (of.lanes == nullptr) {
    aligned_jacobian<T>(of.tree, packs<T>(q), place.link, place.X_LF, axes, at, packs<T>(J));
  } else {
    const Pose<T>& X_LF = *reinterpret_cast<const Pose<T>*>(place.lanes);
    aligned_jacobian<T>(tree_of_lanes<T>(of.tree, of.lanes), packs<T>(q), place.link, X_LF, axes, at, packs<T>(J));
  }
}

template <class T>
void jacobian_columns(const PackTree& of, const base_t<T>* q, std::byte* memory, base_t<T>* J) {
  Arena cutter(memory);
  const AlignedJacobianMemory<T> at = take_jacobian_memory<T>(of.tree, cutter);
  ask_links<T>(of, [&](const auto& tree) { aligned_columns<T>(tree, packs<T>(q), at, packs<T>(J)); });
}

template <class T>
void centroidal(const PackTree& of, const base_t<T>* q, std::byte* memory, base_t<T>* A_G, base_t<T>* locked) {
  Arena cutter(memory);
  const AlignedCentroidalMemory<T> at = take_centroidal_memory<T>(of.tree, cutter);
  ask_links<T>(of, [&](const auto& tree) {
    *reinterpret_cast<SpatialInertia<T>*>(locked) = aligned_centroidal<T>(tree, packs<T>(q), at, packs<T>(A_G));
  });
}

template <class T>
void energies(const PackTree& of, const base_t<T>* q, const base_t<T>* v, std::byte* memory, base_t<T>* found) {
  Arena cutter(memory);
  const AlignedEnergiesMemory<T> at = take_energies_memory<T>(of.tree, cutter);
  ask_links<T>(of, [&](const auto& tree) { aligned_energies<T>(tree, packs<T>(q), packs<T>(v), at, packs<T>(found)); });
}

template <class T>
void coriolis(const PackTree& of, const base_t<T>* q, const base_t<T>* v, std::byte* memory, base_t<T>* C) {
  Arena cutter(memory);
  const AlignedCoriolisMemory<T> at = take_coriolis_memory<T>(of.tree, cutter);
  ask_links<T>(of,
               [&](const auto& tree) { aligned_coriolis_matrix<T>(tree, packs<T>(q), packs<T>(v), at, packs<T>(C)); });
}

template <class T>
void times(int rows, int nv, const base_t<T>* J, const base_t<T>* v, base_t<T>* product) {
  for (int row = 0; row < rows; ++row) {
    T sum(0);
    for (int k = 0; k < nv; ++k) sum += packs<T>(J)[row * nv + k] * packs<T>(v)[k];
    packs<T>(product)[row] = sum;
  }
}

template <class T>
constexpr PackTreeKernels<base_t<T>> kKernelsOf = {.bytes = bytes<T>,
                                                   .kinematics = kinematics<T>,
                                                   .jacobian = jacobian<T>,
                                                   .jacobian_columns = jacobian_columns<T>,
                                                   .centroidal_matrix = centroidal<T>,
                                                   .energies = energies<T>,
                                                   .coriolis_matrix = coriolis<T>,
                                                   .times = times<T>};

constexpr PackTreeKernelTable kKernels = {kKernelsOf<NativePack<double>>, kKernelsOf<NativePack<float>>};

}  // namespace

const PackTreeKernelTable& pack_tree_kernel_table();
const PackTreeKernelTable& pack_tree_kernel_table() {
  return kKernels;
}

}  // namespace pintle::inline PINTLE_ISA
