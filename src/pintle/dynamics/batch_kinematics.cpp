#include "pintle/dynamics/batch_kinematics.h"

#include "pintle/dynamics/batch_impl.h"

namespace pintle {
namespace {

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

/// With or without vdot and accelerations.
template <class T>
void find_kinematics(const Model& model, const BatchStates& states, const T* q, const T* v, const T* vdot,
                     BatchWorkspace<T>& work, T* poses, T* velocities, T* accelerations) {
  const std::size_t nq = size(model.nq()), nv = size(model.nv()), links = size(model.tree().count);
  LinkTree tree = model.tree();
  tree.gravity = {0.0, 0.0, 0.0};  // accelerations are those of the links themselves
  batch::on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    PackRoom room(memory);
    PackDynamics<T> joints(model, {}, &work.factors[part], room);
    const batch::PackedArray<const T> qs(states, q, nq, room), vs(states, v, nv, room),
        vdots(states, vdot, vdot == nullptr ? 0 : nv, room);
    const batch::PackedArray<T> Xs(states, poses, links * kPoseNumbers, room),
        Vs(states, velocities, links * kTwistNumbers, room),
        As(states, accelerations, vdot == nullptr ? 0 : links * kTwistNumbers, room);
    for (std::size_t i = begin; i < end; ++i) {
      const T* const rates = vdot == nullptr ? nullptr : joints.joint_vdot(vdots.read(i));
      pack_tree_kernels<T>().kinematics(tree, joints.joint_q(qs.read(i)), joints.joint_v(vs.read(i)), rates, Xs.at(i),
                                        Vs.at(i), As.at(i));
      Xs.write(i);
      Vs.write(i);
      if (vdot != nullptr) As.write(i);
    }
  });
}

/// Sizes of a state and of what is found of its links, and the workspace.
template <class T>
void require_states(const Model& model, const BatchStates& states, std::span<const T> q, std::span<const T> v,
                    const BatchWorkspace<T>& work, std::span<T> poses, std::span<T> velocities) {
  const int links = model.tree().count;
  require_size("batch_kinematics", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_kinematics", "v", v.size(), batch_size<T>(states, model.nv()));
  require_size("batch_kinematics", "poses", poses.size(), batch_size<T>(states, links * kPoseNumbers));
  require_size("batch_kinematics", "velocities", velocities.size(), batch_size<T>(states, links * kTwistNumbers));
  batch::require_workspace("batch_kinematics", model, work);
}

/// Six rows of numbers of all joints that find(pack, q, rows) gives, as those of the independent freedoms.
template <class T, class Find>
void find_rows(const Model& model, const BatchStates& states, const T* q, BatchWorkspace<T>& work, T* J, Find find) {
  const std::size_t nq = size(model.nq()), nv = size(model.nv());
  batch::on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    PackRoom room(memory);
    batch::LinksPack<T> pack(model, work, part, room);
    const batch::PackedArray<const T> qs(states, q, nq, room);
    const batch::PackedArray<T> Js(states, J, 6 * nv, room);
    const batch::JointRows<T> rows(model, room);
    for (std::size_t i = begin; i < end; ++i) {
      find(pack, pack.joints.joint_q(qs.read(i)), rows.of_joints(Js.at(i)));
      rows.reduce(Js.at(i));
      Js.write(i);
    }
  });
}

}  // namespace

template <class T>
void batch_kinematics(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                      std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> poses,
                      std::span<Same<T>> velocities) {
  require_states<T>(model, states, q, v, work, poses, velocities);
  find_kinematics<T>(model, states, q.data(), v.data(), nullptr, work, poses.data(), velocities.data(), nullptr);
}

template <class T>
void batch_kinematics(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                      std::span<const Same<T>> v, std::span<const Same<T>> vdot, BatchWorkspace<T>& work,
                      std::span<Same<T>> poses, std::span<Same<T>> velocities, std::span<Same<T>> accelerations) {
  require_states<T>(model, states, q, v, work, poses, velocities);
  require_size("batch_kinematics", "vdot", vdot.size(), batch_size<T>(states, model.nv()));
  require_size("batch_kinematics", "accelerations", accelerations.size(),
               batch_size<T>(states, model.tree().count * kTwistNumbers));
  find_kinematics<T>(model, states, q.data(), v.data(), vdot.data(), work, poses.data(), velocities.data(),
                     accelerations.data());
}

template <class T>
void batch_jacobian(const Model& model, const BatchStates& states, std::span<const Same<T>> q, const Place& place,
                    Axes axes, BatchWorkspace<T>& work, std::span<Same<T>> J) {
  require_size("batch_jacobian", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_jacobian", "J", J.size(), batch_size<T>(states, 6 * model.nv()));
  require(place.link < model.tree().count, "batch_jacobian", "place", "it is of another model");
  batch::require_workspace("batch_jacobian", model, work);
  const LinkTree tree = model.tree();
  find_rows<T>(model, states, q.data(), work, J.data(), [&](batch::LinksPack<T>& pack, const T* joint_q, T* rows) {
    pack_tree_kernels<T>().jacobian(tree, joint_q, place.link, place.X_LF, axes, pack.memory, rows);
  });
}

template <class T>
void batch_jacobian_columns(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                            BatchWorkspace<T>& work, std::span<Same<T>> J) {
  require_size("batch_jacobian_columns", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_jacobian_columns", "J", J.size(), batch_size<T>(states, 6 * model.nv()));
  batch::require_workspace("batch_jacobian_columns", model, work);
  const LinkTree tree = model.tree();
  find_rows<T>(model, states, q.data(), work, J.data(), [&](batch::LinksPack<T>& pack, const T* joint_q, T* rows) {
    pack_tree_kernels<T>().jacobian_columns(tree, joint_q, pack.memory, rows);
  });
}

#define PINTLE_BATCH_KINEMATICS(T)                                                                                     \
  template void batch_kinematics<T>(const Model&, const BatchStates&, std::span<const T>, std::span<const T>,          \
                                    BatchWorkspace<T>&, std::span<T>, std::span<T>);                                   \
  template void batch_kinematics<T>(const Model&, const BatchStates&, std::span<const T>, std::span<const T>,          \
                                    std::span<const T>, BatchWorkspace<T>&, std::span<T>, std::span<T>, std::span<T>); \
  template void batch_jacobian<T>(const Model&, const BatchStates&, std::span<const T>, const Place&, Axes,            \
                                  BatchWorkspace<T>&, std::span<T>);                                                   \
  template void batch_jacobian_columns<T>(const Model&, const BatchStates&, std::span<const T>, BatchWorkspace<T>&,    \
                                          std::span<T>);

PINTLE_BATCH_KINEMATICS(double)
PINTLE_BATCH_KINEMATICS(float)

}  // namespace pintle
