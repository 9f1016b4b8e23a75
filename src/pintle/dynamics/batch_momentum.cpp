#include "pintle/dynamics/batch_impl.h"
#include "pintle/dynamics/batch_kinematics.h"
#include "pintle/dynamics/centroidal.h"
#include "pintle/dynamics/energies.h"

namespace pintle {
namespace {

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

double moving_mass(const Model& model) {
  double mass = 0.0;
  for (const Link& link : model.links()) mass += link.inertia.mass;
  return mass;
}

}  // namespace

template <class T>
void batch_centroidal_momentum_matrix(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                                      std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> A_G,
                                      std::span<Same<T>> momentum, std::span<Same<T>> locked) {
  constexpr const char* kName = "batch_centroidal_momentum_matrix";
  require_size(kName, "q", q.size(), batch_size<T>(states, model.nq()));
  require_size(kName, "v", v.size(), batch_size<T>(states, model.nv()));
  require_size(kName, "A_G", A_G.size(), batch_size<T>(states, 6 * model.nv()));
  require_size(kName, "momentum", momentum.size(), batch_size<T>(states, 6));
  require_size(kName, "locked", locked.size(), batch_size<T>(states, kLockedNumbers));
  batch::require_workspace(kName, model, work);
  require_moving_mass(kName, moving_mass(model));
  const std::size_t nq = size(model.nq()), nv = size(model.nv());
  batch::on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    PackRoom room(memory);
    batch::LinksPack<T> pack(model, work, part, room);
    const batch::PackedArray<const T> qs(states, q.data(), nq, room), vs(states, v.data(), nv, room);
    const batch::PackedArray<T> As(states, A_G.data(), 6 * nv, room), momenta(states, momentum.data(), 6, room),
        bodies(states, locked.data(), kLockedNumbers, room);
    const batch::JointRows<T> rows(model, room);
    for (std::size_t i = begin; i < end; ++i) {
      pack_tree_kernels<T>().centroidal_matrix(model.tree(), pack.joints.joint_q(qs.read(i)), pack.memory,
                                               rows.of_joints(As.at(i)), bodies.at(i));
      rows.reduce(As.at(i));
      pack_tree_kernels<T>().times(6, model.nv(), As.at(i), vs.read(i), momenta.at(i));
      As.write(i);
      momenta.write(i);
      bodies.write(i);
    }
  });
}

template <class T>
void batch_energies(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                    std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> energies) {
  require_size("batch_energies", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_energies", "v", v.size(), batch_size<T>(states, model.nv()));
  require_size("batch_energies", "energies", energies.size(), batch_size<T>(states, 2));
  batch::require_workspace("batch_energies", model, work);
  const std::size_t nq = size(model.nq()), nv = size(model.nv()), lanes = size(batch_lanes<T>());
  const T standing = static_cast<T>(standing_gravity_energy(model));
  batch::on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    PackRoom room(memory);
    batch::LinksPack<T> pack(model, work, part, room);
    const batch::PackedArray<const T> qs(states, q.data(), nq, room), vs(states, v.data(), nv, room);
    const batch::PackedArray<T> found(states, energies.data(), 2, room);
    for (std::size_t i = begin; i < end; ++i) {
      T* const both = found.at(i);
      pack_tree_kernels<T>().energies(model.tree(), pack.joints.joint_q(qs.read(i)), pack.joints.joint_v(vs.read(i)),
                                      pack.memory, both);
      for (std::size_t lane = 0; lane < lanes; ++lane) both[lanes + lane] += standing;
      found.write(i);
    }
  });
}

#define PINTLE_BATCH_MOMENTUM(T)                                                                            \
  template void batch_centroidal_momentum_matrix<T>(const Model&, const BatchStates&, std::span<const T>,   \
                                                    std::span<const T>, BatchWorkspace<T>&, std::span<T>,   \
                                                    std::span<T>, std::span<T>);                            \
  template void batch_energies<T>(const Model&, const BatchStates&, std::span<const T>, std::span<const T>, \
                                  BatchWorkspace<T>&, std::span<T>);

PINTLE_BATCH_MOMENTUM(double)
PINTLE_BATCH_MOMENTUM(float)

}  // namespace pintle
