#include "pintle/dynamics/batch_impl.h"
#include "pintle/dynamics/model_pack_kernels.h"

namespace pintle {
namespace {

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

}  // namespace

template <class T>
void batch_kinematics(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                      std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> poses,
                      std::span<Same<T>> velocities) {
  const Model& model = models[0];
  const LinkTree tree = model.tree();
  require_size("batch_kinematics", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_kinematics", "v", v.size(), batch_size<T>(states, model.nv()));
  require_size("batch_kinematics", "poses", poses.size(), batch_size<T>(states, tree.count * kPoseNumbers));
  require_size("batch_kinematics", "velocities", velocities.size(), batch_size<T>(states, tree.count * kTwistNumbers));
  batch::require_states("batch_kinematics", models, states);
  batch::require_workspace("batch_kinematics", models, work);
  const std::size_t nq = size(model.nq()), nv = size(model.nv()), links = size(tree.count);
  batch::on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    PackRoom room(memory);
    PackDynamics<T> pack(models, {}, &work.factors[part], room);
    std::byte* const scratch = room.take<std::byte>(model_pack_kernels<T>().link_memory_bytes(tree));
    const batch::PackedArray<const T> qs(states, q.data(), nq, room), vs(states, v.data(), nv, room);
    const batch::PackedArray<T> Xs(states, poses.data(), links * kPoseNumbers, room),
        Vs(states, velocities.data(), links * kTwistNumbers, room);
    for (std::size_t turn = begin; turn < end; ++turn) {
      const std::size_t i = batch::pack_in_turn(models, states, turn);
      model_pack_kernels<T>().kinematics(tree, models.links(i % models.packs()), pack.joint_q(qs.read(i)),
                                         pack.joint_v(vs.read(i)), scratch, Xs.at(i), Vs.at(i));
      Xs.write(i);
      Vs.write(i);
    }
  });
}

template <class T>
void batch_coriolis_matrix(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                           std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> C) {
  const Model& model = models[0];
  const LinkTree tree = model.tree();
  require_size("batch_coriolis_matrix", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_coriolis_matrix", "v", v.size(), batch_size<T>(states, model.nv()));
  require_size("batch_coriolis_matrix", "C", C.size(), batch_size<T>(states, model.nv() * model.nv()));
  batch::require_states("batch_coriolis_matrix", models, states);
  batch::require_matrix_workspace("batch_coriolis_matrix", models, work);
  const std::size_t nq = size(model.nq()), nv = size(model.nv()), all = size(tree.nv);
  const bool coupled = !model.couplings().empty();
  batch::on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    PackRoom room(memory);
    PackDynamics<T> pack(models, {}, &work.factors[part], room);
    std::byte* const scratch = room.take<std::byte>(model_pack_kernels<T>().link_memory_bytes(tree));
    const batch::PackedArray<const T> qs(states, q.data(), nq, room), vs(states, v.data(), nv, room);
    const batch::PackedArray<T> Cs(states, C.data(), nv * nv, room);
    T* const joint_C = room.take<T>(coupled ? all * all * size(batch_lanes<T>()) : 0);
    for (std::size_t turn = begin; turn < end; ++turn) {
      const std::size_t i = batch::pack_in_turn(models, states, turn);
      model_pack_kernels<T>().coriolis_matrix(tree, models.links(i % models.packs()), pack.joint_q(qs.read(i)),
                                              pack.joint_v(vs.read(i)), scratch, coupled ? joint_C : Cs.at(i));
      if (coupled) pack.independent_matrix(joint_C, Cs.at(i));
      Cs.write(i);
    }
  });
}

#define PINTLE_MODEL_BATCH_KINEMATICS(T)                                                                              \
  template void batch_kinematics<T>(const ModelBatch<T>&, const BatchStates&, std::span<const T>, std::span<const T>, \
                                    BatchWorkspace<T>&, std::span<T>, std::span<T>);                                  \
  template void batch_coriolis_matrix<T>(const ModelBatch<T>&, const BatchStates&, std::span<const T>,                \
                                         std::span<const T>, BatchWorkspace<T>&, std::span<T>);

PINTLE_MODEL_BATCH_KINEMATICS(double)
PINTLE_MODEL_BATCH_KINEMATICS(float)

}  // namespace pintle
