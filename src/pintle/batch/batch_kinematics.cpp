#include "pintle/batch/batch_kinematics.h"

#include "pintle/base/size.h"
#include "pintle/batch/batch_impl.h"

namespace pintle {
namespace {

/// With or without vdot and accelerations.
template <class T, class Models>
void find_kinematics(const Models& models, const BatchStates& states, const T* q, const T* v, const T* vdot,
                     BatchWorkspace<T>& work, T* poses, T* velocities, T* accelerations) {
  const Model& model = batch::first_of(models);
  const std::size_t nq = size(model.nq()), nv = size(model.nv()), links = size(model.tree().count);
  batch::on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    Arena room(memory);
    batch::LinksPack<T, Models> pack(models, work, part, room);
    const batch::PackedArray<const T> qs(states, q, nq, room), vs(states, v, nv, room),
        vdots(states, vdot, vdot == nullptr ? 0 : nv, room);
    const batch::PackedArray<T> Xs(states, poses, links * kPoseValues, room),
        Vs(states, velocities, links * kTwistValues, room),
        As(states, accelerations, vdot == nullptr ? 0 : links * kTwistValues, room);
    for (std::size_t turn = begin; turn < end; ++turn) {
      const std::size_t i = batch::pack_at(models, states, turn);
      pack.begin(i);
      const T* const derivatives = vdot == nullptr ? nullptr : pack.joints.joint_vdot(vdots.read(i));
      pack_tree_kernels<T>().kinematics(pack.tree, pack.joints.joint_q(qs.read(i)), pack.joints.joint_v(vs.read(i)),
                                        derivatives, Xs.at(i), Vs.at(i), As.at(i));
      Xs.write(i);
      Vs.write(i);
      if (vdot != nullptr) As.write(i);
    }
  });
}

/// Checks the sizes of a state and of its results, and the workspace.
template <class T, class Models>
void require_kinematics(const Models& models, const BatchStates& states, std::span<const T> q, std::span<const T> v,
                        const BatchWorkspace<T>& work, std::span<T> poses, std::span<T> velocities) {
  const Model& model = batch::first_of(models);
  const int links = model.tree().count;
  require_size("batch_kinematics", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_kinematics", "v", v.size(), batch_size<T>(states, model.nv()));
  require_size("batch_kinematics", "poses", poses.size(), batch_size<T>(states, links * kPoseValues));
  require_size("batch_kinematics", "velocities", velocities.size(), batch_size<T>(states, links * kTwistValues));
  batch::require_states("batch_kinematics", models, states);
  batch::require_workspace("batch_kinematics", models, work);
}

template <class T, class Models>
void find_velocities(const Models& models, const BatchStates& states, std::span<const T> q, std::span<const T> v,
                     BatchWorkspace<T>& work, std::span<T> poses, std::span<T> velocities) {
  require_kinematics(models, states, q, v, work, poses, velocities);
  find_kinematics<T>(models, states, q.data(), v.data(), nullptr, work, poses.data(), velocities.data(), nullptr);
}

template <class T, class Models>
void find_accelerations(const Models& models, const BatchStates& states, std::span<const T> q, std::span<const T> v,
                        std::span<const T> vdot, BatchWorkspace<T>& work, std::span<T> poses, std::span<T> velocities,
                        std::span<T> accelerations) {
  const Model& model = batch::first_of(models);
  require_kinematics(models, states, q, v, work, poses, velocities);
  require_size("batch_kinematics", "vdot", vdot.size(), batch_size<T>(states, model.nv()));
  require_size("batch_kinematics", "accelerations", accelerations.size(),
               batch_size<T>(states, model.tree().count * kTwistValues));
  find_kinematics<T>(models, states, q.data(), v.data(), vdot.data(), work, poses.data(), velocities.data(),
                     accelerations.data());
}

}  // namespace

template <class T>
void batch_kinematics(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                      std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> poses,
                      std::span<Same<T>> velocities) {
  find_velocities(model, states, q, v, work, poses, velocities);
}
template <class T>
void batch_kinematics(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                      std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> poses,
                      std::span<Same<T>> velocities) {
  find_velocities(models, states, q, v, work, poses, velocities);
}

template <class T>
void batch_kinematics(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                      std::span<const Same<T>> v, std::span<const Same<T>> vdot, BatchWorkspace<T>& work,
                      std::span<Same<T>> poses, std::span<Same<T>> velocities, std::span<Same<T>> accelerations) {
  find_accelerations(model, states, q, v, vdot, work, poses, velocities, accelerations);
}
template <class T>
void batch_kinematics(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                      std::span<const Same<T>> v, std::span<const Same<T>> vdot, BatchWorkspace<T>& work,
                      std::span<Same<T>> poses, std::span<Same<T>> velocities, std::span<Same<T>> accelerations) {
  find_accelerations(models, states, q, v, vdot, work, poses, velocities, accelerations);
}

#define PINTLE_BATCH_KINEMATICS(T, Models)                                                                     \
  template void batch_kinematics<T>(const Models&, const BatchStates&, std::span<const T>, std::span<const T>, \
                                    BatchWorkspace<T>&, std::span<T>, std::span<T>);                           \
  template void batch_kinematics<T>(const Models&, const BatchStates&, std::span<const T>, std::span<const T>, \
                                    std::span<const T>, BatchWorkspace<T>&, std::span<T>, std::span<T>, std::span<T>);

PINTLE_BATCH_KINEMATICS(double, Model)
PINTLE_BATCH_KINEMATICS(float, Model)
PINTLE_BATCH_KINEMATICS(double, ModelBatch<double>)
PINTLE_BATCH_KINEMATICS(float, ModelBatch<float>)

}  // namespace pintle
