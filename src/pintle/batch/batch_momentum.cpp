#include "pintle/base/size.h"
#include "pintle/batch/batch_impl.h"
#include "pintle/batch/batch_kinematics.h"
#include "pintle/dynamics/center_of_mass.h"
#include "pintle/dynamics/centroidal.h"
#include "pintle/dynamics/energies.h"

namespace pintle {
namespace {

double min_moving_mass(const Model& model) {
  return moving_mass(model);
}
template <class T>
double min_moving_mass(const ModelBatch<T>& models) {
  return models.min_moving_mass();
}

template <class T, class Models>
void find_momenta(const Models& models, const BatchStates& states, std::span<const T> q, std::span<const T> v,
                  BatchWorkspace<T>& work, std::span<T> A_G, std::span<T> momentum, std::span<T> locked) {
  const Model& model = batch::first_of(models);
  constexpr const char* kName = "batch_centroidal_momentum_matrix";
  require_size(kName, "q", q.size(), batch_size<T>(states, model.nq()));
  require_size(kName, "v", v.size(), batch_size<T>(states, model.nv()));
  require_size(kName, "A_G", A_G.size(), batch_size<T>(states, 6 * model.nv()));
  require_size(kName, "momentum", momentum.size(), batch_size<T>(states, 6));
  require_size(kName, "locked", locked.size(), batch_size<T>(states, kLockedValues));
  batch::require_states(kName, models, states);
  batch::require_workspace(kName, models, work);
  require_moving_mass(kName, min_moving_mass(models));
  const std::size_t nq = size(model.nq()), nv = size(model.nv());
  batch::on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    Arena room(memory);
    batch::LinksPack<T, Models> pack(models, work, part, room);
    const batch::PackedArray<const T> qs(states, q.data(), nq, room), vs(states, v.data(), nv, room);
    const batch::PackedArray<T> As(states, A_G.data(), 6 * nv, room), momenta(states, momentum.data(), 6, room),
        bodies(states, locked.data(), kLockedValues, room);
    const batch::JointRows<T> rows(model, room);
    for (std::size_t turn = begin; turn < end; ++turn) {
      const std::size_t i = batch::pack_at(models, states, turn);
      pack.begin(i);
      pack_tree_kernels<T>().centroidal_matrix(pack.tree, pack.joints.joint_q(qs.read(i)), pack.memory,
                                               rows.of_joints(As.at(i)), bodies.at(i));
      rows.reduce(As.at(i));
      pack_tree_kernels<T>().times(6, model.nv(), As.at(i), vs.read(i), momenta.at(i));
      As.write(i);
      momenta.write(i);
      bodies.write(i);
    }
  });
}

/// The constant part of the potential energy, in the lanes of packs.
template <class T>
class StandingEnergy {
 public:
  explicit StandingEnergy(const Model& model) : of_one_(static_cast<T>(standing_gravity_energy(model))) {}
  explicit StandingEnergy(const ModelBatch<T>& models) : models_(&models) {}

  T operator()(std::size_t pack, std::size_t lane) const {
    return models_ == nullptr ? of_one_ : models_->standing_energy(pack % models_->packs())[lane];
  }

 private:
  const ModelBatch<T>* models_ = nullptr;
  T of_one_{};
};

template <class T, class Models>
void find_energies(const Models& models, const BatchStates& states, std::span<const T> q, std::span<const T> v,
                   BatchWorkspace<T>& work, std::span<T> energies) {
  const Model& model = batch::first_of(models);
  require_size("batch_energies", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_energies", "v", v.size(), batch_size<T>(states, model.nv()));
  require_size("batch_energies", "energies", energies.size(), batch_size<T>(states, 2));
  batch::require_states("batch_energies", models, states);
  batch::require_workspace("batch_energies", models, work);
  const std::size_t nq = size(model.nq()), nv = size(model.nv()), lanes = size(batch_lanes<T>());
  const StandingEnergy<T> standing(models);
  batch::on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    Arena room(memory);
    batch::LinksPack<T, Models> pack(models, work, part, room);
    const batch::PackedArray<const T> qs(states, q.data(), nq, room), vs(states, v.data(), nv, room);
    const batch::PackedArray<T> found(states, energies.data(), 2, room);
    for (std::size_t turn = begin; turn < end; ++turn) {
      const std::size_t i = batch::pack_at(models, states, turn);
      pack.begin(i);
      T* const both = found.at(i);
      pack_tree_kernels<T>().energies(pack.tree, pack.joints.joint_q(qs.read(i)), pack.joints.joint_v(vs.read(i)),
                                      pack.memory, both);
      for (std::size_t lane = 0; lane < lanes; ++lane) both[lanes + lane] += standing(i, lane);
      found.write(i);
    }
  });
}

}  // namespace

template <class T>
void batch_centroidal_momentum_matrix(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                                      std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> A_G,
                                      std::span<Same<T>> momentum, std::span<Same<T>> locked) {
  find_momenta(model, states, q, v, work, A_G, momentum, locked);
}
template <class T>
void batch_centroidal_momentum_matrix(const ModelBatch<Same<T>>& models, const BatchStates& states,
                                      std::span<const Same<T>> q, std::span<const Same<T>> v, BatchWorkspace<T>& work,
                                      std::span<Same<T>> A_G, std::span<Same<T>> momentum, std::span<Same<T>> locked) {
  find_momenta(models, states, q, v, work, A_G, momentum, locked);
}

template <class T>
void batch_energies(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                    std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> energies) {
  find_energies(model, states, q, v, work, energies);
}
template <class T>
void batch_energies(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                    std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> energies) {
  find_energies(models, states, q, v, work, energies);
}

#define PINTLE_BATCH_MOMENTUM(T, Models)                                                                     \
  template void batch_centroidal_momentum_matrix<T>(const Models&, const BatchStates&, std::span<const T>,   \
                                                    std::span<const T>, BatchWorkspace<T>&, std::span<T>,    \
                                                    std::span<T>, std::span<T>);                             \
  template void batch_energies<T>(const Models&, const BatchStates&, std::span<const T>, std::span<const T>, \
                                  BatchWorkspace<T>&, std::span<T>);

PINTLE_BATCH_MOMENTUM(double, Model)
PINTLE_BATCH_MOMENTUM(float, Model)
PINTLE_BATCH_MOMENTUM(double, ModelBatch<double>)
PINTLE_BATCH_MOMENTUM(float, ModelBatch<float>)

}  // namespace pintle
