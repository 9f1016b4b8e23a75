// Compiled once per instruction set.
#include "pintle/dynamics/pack_tree_kernels.h"

#include "pintle/dynamics/aligned_centroidal_impl.h"
#include "pintle/dynamics/aligned_coriolis_impl.h"
#include "pintle/dynamics/aligned_energies_impl.h"
#include "pintle/dynamics/aligned_jacobian_impl.h"
#include "pintle/dynamics/kinematics_impl.h"
#include "pintle/dynamics/pack_numbers.h"
#include "pintle/math/elementary_impl.h"

namespace pintle::inline PINTLE_ISA {
namespace {

/// That of the kernel that takes most.
template <class T>
std::size_t bytes(const LinkTree& tree) {
  MemoryCutter jacobian(nullptr), centroidal(nullptr), energies(nullptr), coriolis(nullptr);
  take_jacobian_memory<T>(tree, jacobian);
  take_centroidal_memory<T>(tree, centroidal);
  take_energies_memory<T>(tree, energies);
  take_coriolis_memory<T>(tree, coriolis);
  std::size_t most = jacobian.taken();
  for (const std::size_t taken : {centroidal.taken(), energies.taken(), coriolis.taken()})
    if (taken > most) most = taken;
  return most;
}

template <class T>
void kinematics(const LinkTree& tree, const base_t<T>* q, const base_t<T>* v, const base_t<T>* vdot, base_t<T>* poses,
                base_t<T>* velocities, base_t<T>* rates) {
  const KinematicsBuffers<T> out{{nullptr, nullptr, reinterpret_cast<Twist<T>*>(velocities), nullptr},
                                 reinterpret_cast<Pose<T>*>(poses),
                                 reinterpret_cast<Twist<T>*>(rates)};
  if (vdot == nullptr) {
    kinematics_kernel<T, KinematicsExtent::velocities>(tree, packs<T>(q), packs<T>(v), nullptr, out);
  } else {
    kinematics_kernel<T, KinematicsExtent::links>(tree, packs<T>(q), packs<T>(v), packs<T>(vdot), out);
  }
}

template <class T>
void jacobian(const LinkTree& tree, const base_t<T>* q, int link, const Pose<>& X_LF, Axes axes, std::byte* memory,
              base_t<T>* J) {
  MemoryCutter cutter(memory);
  for (int k = 0; k < 6 * tree.nv; ++k) packs<T>(J)[k] = T(0);
  if (link < 0) return;
  aligned_jacobian<T>(tree, packs<T>(q), link, X_LF, axes, take_jacobian_memory<T>(tree, cutter), packs<T>(J));
}

template <class T>
void jacobian_columns(const LinkTree& tree, const base_t<T>* q, std::byte* memory, base_t<T>* J) {
  MemoryCutter cutter(memory);
  aligned_columns<T>(tree, packs<T>(q), take_jacobian_memory<T>(tree, cutter), packs<T>(J));
}

template <class T>
void centroidal(const LinkTree& tree, const base_t<T>* q, std::byte* memory, base_t<T>* A_G, base_t<T>* locked) {
  MemoryCutter cutter(memory);
  *reinterpret_cast<SpatialInertia<T>*>(locked) =
      aligned_centroidal<T>(tree, packs<T>(q), take_centroidal_memory<T>(tree, cutter), packs<T>(A_G));
}

template <class T>
void energies(const LinkTree& tree, const base_t<T>* q, const base_t<T>* v, std::byte* memory, base_t<T>* found) {
  MemoryCutter cutter(memory);
  aligned_energies<T>(tree, packs<T>(q), packs<T>(v), take_energies_memory<T>(tree, cutter), packs<T>(found));
}

template <class T>
void coriolis(const LinkTree& tree, const base_t<T>* q, const base_t<T>* v, std::byte* memory, base_t<T>* C) {
  MemoryCutter cutter(memory);
  aligned_coriolis_matrix<T>(tree, packs<T>(q), packs<T>(v), take_coriolis_memory<T>(tree, cutter), packs<T>(C));
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
