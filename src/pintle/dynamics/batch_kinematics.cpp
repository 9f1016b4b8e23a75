#include "pintle/base/kernel_choice.h"
#include "pintle/dynamics/batch_impl.h"
#include "pintle/dynamics/pack_tree_kernels.h"

namespace pintle {

PINTLE_CHOOSE_KERNELS(PackTreeKernelTable, pack_tree_kernel_table)

template <>
const PackTreeKernels<double>& pack_tree_kernels<double>() {
  return chosen_pack_tree_kernel_table().pack;
}
template <>
const PackTreeKernels<float>& pack_tree_kernels<float>() {
  return chosen_pack_tree_kernel_table().pack_float;
}

namespace {

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

/// C of the independent freedoms: G' C G.  [eq. coupling]
template <class T>
void reduce_matrix(const Model& model, const T* joint_C, T* C) {
  const std::span<const CoordinateSource> sources = model.v_sources();
  const std::size_t all = sources.size(), n = size(model.nv()), lanes = size(batch_lanes<T>());
  std::fill_n(C, n * n * lanes, T(0));
  for (std::size_t i = 0; i < all; ++i) {
    for (std::size_t j = 0; j < all; ++j) {
      const T ratio = static_cast<T>(sources[i].ratio * sources[j].ratio);
      T* const sum = C + (size(sources[i].source) * n + size(sources[j].source)) * lanes;
      for (std::size_t lane = 0; lane < lanes; ++lane) sum[lane] += ratio * joint_C[(i * all + j) * lanes + lane];
    }
  }
}

}  // namespace

template <class T>
void batch_kinematics(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                      std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> poses,
                      std::span<Same<T>> velocities) {
  const LinkTree tree = model.tree();
  require_size("batch_kinematics", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_kinematics", "v", v.size(), batch_size<T>(states, model.nv()));
  require_size("batch_kinematics", "poses", poses.size(), batch_size<T>(states, tree.count * kPoseNumbers));
  require_size("batch_kinematics", "velocities", velocities.size(), batch_size<T>(states, tree.count * kTwistNumbers));
  batch::require_workspace("batch_kinematics", model, work);
  const std::size_t nq = size(model.nq()), nv = size(model.nv()), links = size(tree.count);
  batch::on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    PackRoom room(memory);
    PackDynamics<T> pack(model, {}, &work.factors[part], room);
    std::byte* const scratch = room.take<std::byte>(pack_tree_kernels<T>().bytes(tree));
    const batch::PackedArray<const T> qs(states, q.data(), nq, room), vs(states, v.data(), nv, room);
    const batch::PackedArray<T> Xs(states, poses.data(), links * kPoseNumbers, room),
        Vs(states, velocities.data(), links * kTwistNumbers, room);
    for (std::size_t i = begin; i < end; ++i) {
      pack_tree_kernels<T>().kinematics(tree, pack.joint_q(qs.read(i)), pack.joint_v(vs.read(i)), scratch, Xs.at(i),
                                        Vs.at(i));
      Xs.write(i);
      Vs.write(i);
    }
  });
}

template <class T>
void batch_coriolis_matrix(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                           std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> C) {
  const LinkTree tree = model.tree();
  require_size("batch_coriolis_matrix", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_coriolis_matrix", "v", v.size(), batch_size<T>(states, model.nv()));
  require_size("batch_coriolis_matrix", "C", C.size(), batch_size<T>(states, model.nv() * model.nv()));
  batch::require_workspace("batch_coriolis_matrix", model, work);
  require(work.has_mass_matrix, "batch_coriolis_matrix", "work", "it was made without room for matrices");
  const std::size_t nq = size(model.nq()), nv = size(model.nv()), all = size(tree.nv);
  const bool coupled = !model.couplings().empty();
  batch::on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    PackRoom room(memory);
    PackDynamics<T> pack(model, {}, &work.factors[part], room);
    std::byte* const scratch = room.take<std::byte>(pack_tree_kernels<T>().bytes(tree));
    const batch::PackedArray<const T> qs(states, q.data(), nq, room), vs(states, v.data(), nv, room);
    const batch::PackedArray<T> Cs(states, C.data(), nv * nv, room);
    T* const joint_C = room.take<T>(coupled ? all * all * size(batch_lanes<T>()) : 0);
    for (std::size_t i = begin; i < end; ++i) {
      pack_tree_kernels<T>().coriolis_matrix(tree, pack.joint_q(qs.read(i)), pack.joint_v(vs.read(i)), scratch,
                                             coupled ? joint_C : Cs.at(i));
      if (coupled) reduce_matrix(model, joint_C, Cs.at(i));
      Cs.write(i);
    }
  });
}

#define PINTLE_BATCH_KINEMATICS(T)                                                                                 \
  template void batch_kinematics<T>(const Model&, const BatchStates&, std::span<const T>, std::span<const T>,      \
                                    BatchWorkspace<T>&, std::span<T>, std::span<T>);                               \
  template void batch_coriolis_matrix<T>(const Model&, const BatchStates&, std::span<const T>, std::span<const T>, \
                                         BatchWorkspace<T>&, std::span<T>);

PINTLE_BATCH_KINEMATICS(double)
PINTLE_BATCH_KINEMATICS(float)

}  // namespace pintle
