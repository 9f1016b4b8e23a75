// Many models of one topology at a time: variants of a mechanism with their own masses, lengths, axes, armatures and
// dampers, one model per SIMD lane (docs/kernels.md). For parameter estimation, domain randomisation and design sweeps.
// Batches of states of one model are in batch.h.
#pragma once

#include <vector>

#include "pintle/batch/batch.h"
#include "pintle/model/plan/plan.h"

namespace pintle {

/// The parameters of many models side by side, prepared once. T is double or float.
template <class T = double>
class ModelBatch {
 public:
  /// At least one; all with the topology of the first: as many links, each on the same parent by a joint of the same
  /// kind, and the same couplings. Else throws UsageError that names the model and the difference.
  explicit ModelBatch(std::span<const Model> models);

  // A copy would be as large and useless.
  ModelBatch(const ModelBatch&) = delete;
  ModelBatch& operator=(const ModelBatch&) = delete;
  ModelBatch(ModelBatch&&) noexcept = default;
  ModelBatch& operator=(ModelBatch&&) noexcept = default;

  std::size_t size() const { return models_.size(); }
  const Model& operator[](std::size_t i) const { return models_[i]; }

  // ---- data of the kernels

  /// The plan of the first model, with the traits common to all: what does not hold for one model is used for none.
  const Plan& plan() const { return plan_; }

  std::size_t packs() const { return packs_; }
  /// Lanes after the last model repeat it.
  const Model& model(std::size_t pack, int lane) const;

  /// As the kernels of model_pack_kernels.h lay them out.
  std::size_t constant_bytes() const { return constant_bytes_; }
  const std::byte* constants(std::size_t pack) const { return constants_.data() + pack * constant_bytes_; }
  const std::byte* links(std::size_t pack) const { return links_.data() + pack * link_bytes_; }

  /// kPassiveParameters values per dof of all joints, lanes side by side: damping, friction, stiffness and rest.
  std::size_t passive_count() const { return passive_count_; }
  const T* passive(std::size_t pack) const { return passive_.data() + pack * passive_count_; }
  bool any_passive() const { return any_passive_; }

  /// The constant part of the potential energy (standing_gravity_energy), lanes side by side.
  const T* standing_energy(std::size_t pack) const { return standing_.data() + pack * lanes_; }
  /// The minimum moving mass of all models.
  double min_moving_mass() const { return min_moving_mass_; }

  /// Maximum bytes that a kernel of one state needs for one of the models alone.
  std::size_t alone_bytes() const { return alone_bytes_; }

 private:
  void put(std::span<const LinkTraits> traits, std::size_t pack, int lane);

  std::vector<Model> models_;
  Plan plan_;
  std::size_t lanes_, packs_, constant_bytes_, link_bytes_, passive_count_, alone_bytes_ = 0;
  bool any_passive_ = false;
  double min_moving_mass_;
  AlignedMemory constants_, links_;
  Buffer<T> passive_, standing_;
};

inline constexpr int kPassiveParameters = 4;

// The functions of batch.h where every state has its own model: state s belongs to model s % size(). There are as many
// states as models or, if the models fill whole packs (batch_lanes), any multiple of that; else UsageError. Sizes are
// those for the first model. Efforts, accelerations, mass matrices, their inverses and solutions are bitwise those of
// the link-by-link kernel of one state for that model alone, if its own plan has the same traits as the common one
// (Plan::traits); else they differ by rounding. All other results are bitwise those of the functions of one state.

/// [eq. rnea]
template <class T>
void batch_inverse_dynamics(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                            std::span<const Same<T>> v, std::span<const Same<T>> vdot, BatchWorkspace<T>& work,
                            std::span<Same<T>> tau, const BatchOptions& options = {});

/// [eq. aba]
template <class T>
BatchReport batch_forward_dynamics(const ModelBatch<Same<T>>& models, const BatchStates& states,
                                   std::span<const Same<T>> q, std::span<const Same<T>> v, std::span<const Same<T>> tau,
                                   BatchWorkspace<T>& work, std::span<Same<T>> vdot, const BatchOptions& options = {});

/// [eq. crba]
template <class T>
void batch_mass_matrix(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                       BatchWorkspace<T>& work, std::span<Same<T>> M);

/// [eq. response]
template <class T>
BatchReport batch_mass_matrix_inverse(const ModelBatch<Same<T>>& models, const BatchStates& states,
                                      std::span<const Same<T>> q, BatchWorkspace<T>& work, std::span<Same<T>> inverse);

/// [eq. branch-factor]
template <class T>
BatchReport batch_solve(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                        std::span<const Same<T>> tau, BatchWorkspace<T>& work, std::span<Same<T>> x);

/// [eq. coriolis-matrix]
template <class T>
void batch_coriolis_matrix(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                           std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> C);

/// [eq. tree-velocity]
template <class T>
void batch_kinematics(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                      std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> poses,
                      std::span<Same<T>> velocities);

/// [eq. tree-velocity]
template <class T>
void batch_kinematics(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                      std::span<const Same<T>> v, std::span<const Same<T>> vdot, BatchWorkspace<T>& work,
                      std::span<Same<T>> poses, std::span<Same<T>> velocities, std::span<Same<T>> accelerations);

/// Of a place on each of the models (body_place etc.; its pose on the link may differ), all on the same link; else
/// UsageError.  [eq. jacobian]
template <class T>
void batch_jacobian(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                    std::span<const Place> places, Axes axes, BatchWorkspace<T>& work, std::span<Same<T>> J);

/// [eq. jacobian]
template <class T>
void batch_jacobian_columns(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                            BatchWorkspace<T>& work, std::span<Same<T>> J);

/// Throws UsageError when no moving body has mass in one of the models.  [eq. centroidal-momentum]
template <class T>
void batch_centroidal_momentum_matrix(const ModelBatch<Same<T>>& models, const BatchStates& states,
                                      std::span<const Same<T>> q, std::span<const Same<T>> v, BatchWorkspace<T>& work,
                                      std::span<Same<T>> A_G, std::span<Same<T>> momentum, std::span<Same<T>> locked);

/// [eq. energy]
template <class T>
void batch_energies(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                    std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> energies);

}  // namespace pintle
