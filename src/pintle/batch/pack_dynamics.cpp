#include "pintle/batch/pack_dynamics.h"

#include <algorithm>

#include "pintle/base/size.h"
#include "pintle/batch/model_pack_kernels.h"
#include "pintle/batch/pack_matrix_kernels.h"
#include "pintle/dynamics/mass_matrix_factor.h"
#include "pintle/dynamics/passive_efforts.h"
#include "pintle/dynamics/recursions/passive_efforts_impl.h"
#include "pintle/math/elementary_impl.h"

namespace pintle {
namespace {

/// A register of this file's instruction set. The functions of one state outside the kernels are compiled for the same
/// one, so that results are bitwise equal.
template <class T>
using Part = NativePack<T>;

/// to = f(from...) in every lane.
template <class T, class F, class... From>
PINTLE_INLINE void in_lanes(int lanes, T* to, F f, const From*... from) {
  for (int i = 0; i < lanes; i += Part<T>::kLanes) store(f(load<Part<T>>(from + i)...), to + i);
}

template <class T>
void set_zero(int count, T* numbers) {
  in_lanes(count, numbers, [] { return Part<T>(T(0)); });
}

/// Coordinates of all joints from the independent ones.
template <class T>
const T* spread(std::span<const CoordinateSource> sources, int lanes, const T* from, T* to) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Part<T> ratio(static_cast<T>(sources[i].ratio)), offset(static_cast<T>(sources[i].offset));
    in_lanes(
        lanes, to + i * size(lanes), [&](const auto& x) { return ratio * x + offset; },
        from + size(sources[i].source) * size(lanes));
  }
  return to;
}

}  // namespace

template <class T>
PackDynamics<T>::PackDynamics(const Model& model, const BatchOptions& options, MassMatrixFactor<>* factor, Arena& room)
    : PackDynamics(model, nullptr, options, factor, room, false) {}
template <class T>
PackDynamics<T>::PackDynamics(const ModelBatch<T>& models, const BatchOptions& options, MassMatrixFactor<>* factor,
                              Arena& room, bool mixed)
    : PackDynamics(models[0], &models, options, factor, room, mixed) {}

template <class T>
PackDynamics<T>::PackDynamics(const Model& model, const ModelBatch<T>* models, const BatchOptions& options,
                              MassMatrixFactor<>* factor, Arena& room, bool mixed)
    : model_(model),
      models_(models),
      factor_(factor),
      plan_(one_by_one((models == nullptr ? model.plan() : models->plan()).template view<T>())),
      passive_(options.passive && (models == nullptr ? model.has_passive() : models->any_passive())),
      friction_(options.friction),
      coupled_(model.has_couplings()),
      lanes_(planned_pack_kernels<T>().lanes),
      memory_(room.take<std::byte>(planned_pack_kernels<T>().bytes(plan_))) {
  const std::size_t lanes = size(lanes_), nq = size(model.joint_nq()), nv = size(model.joint_nv()),
                    n = size(model.nv());
  columns_ = room.take<T>(size(Part<T>::kLanes) * (nq + 2 * nv));
  passive_tau_ = room.take<T>(lanes * nv);
  joint_tau_ = room.take<T>(lanes * nv);
  joint_q_ = room.take<T>(coupled_ ? lanes * nq : 0);
  joint_v_ = room.take<T>(coupled_ ? lanes * nv : 0);
  joint_vdot_ = room.take<T>(coupled_ ? lanes * nv : 0);
  tau_ = room.take<T>(coupled_ ? lanes * n : 0);
  correction_ = room.take<T>(coupled_ ? lanes * n : 0);
  joint_M_ = room.take<T>(coupled_ ? lanes * nv * nv : 0);
  M_ = room.take<T>(coupled_ ? lanes * n * n : 0);
  L_ = room.take<double>(coupled_ ? lanes * n * size(model.dof_branches().row) : 0);
  lane_M_ = room.take<double>(coupled_ ? n * n : 0);
  mixed_constants_ = room.take<std::byte>(mixed ? models->constant_bytes() : 0);
  mixed_passive_ = room.take<T>(mixed ? models->passive_count() : 0);
  lane_models_ = room.take<std::size_t>(lanes);
  alone_bytes_ = models == nullptr ? planned_pack_kernels<T>().bytes(plan_) : models->alone_bytes();
  alone_ = room.take<std::byte>(alone_bytes_);
  alone_q_ = room.take<T>(lanes * nq);
  alone_v_ = room.take<T>(lanes * nv);
  alone_vdot_ = room.take<T>(lanes * nv);
}

template <class T>
void PackDynamics<T>::begin(std::size_t pack) {
  if (models_ == nullptr) return;
  const std::size_t of_models = pack % models_->packs(), lanes = size(lanes_);
  constants_ = models_->constants(of_models);
  passive_parameters_ = models_->passive(of_models);
  for (std::size_t lane = 0; lane < lanes; ++lane)
    lane_models_[lane] = std::min(of_models * lanes + lane, models_->size() - 1);
}

template <class T>
void PackDynamics<T>::begin_mixed() {
  begin(0);  // so that every lane has a model
  std::copy_n(constants_, models_->constant_bytes(), mixed_constants_);
  std::copy_n(passive_parameters_, models_->passive_count(), mixed_passive_);
  constants_ = mixed_constants_;
  passive_parameters_ = mixed_passive_;
}

template <class T>
void PackDynamics<T>::put_model(std::size_t model, int lane) {
  const std::size_t lanes = size(lanes_), pack = model / lanes, from_lane = model % lanes;
  model_pack_kernels<T>().copy(plan_, models_->constants(pack), static_cast<int>(from_lane), lane, mixed_constants_);
  const T* const from = models_->passive(pack) + from_lane;
  for (std::size_t k = 0; k < models_->passive_count(); k += lanes) mixed_passive_[k + size(lane)] = from[k];
  lane_models_[lane] = model;
}

template <class T>
void PackDynamics<T>::plan_efforts(const T* joint_q, const T* joint_v, const T* joint_vdot, T* joint_tau) {
  if (models_ == nullptr) {
    planned_pack_kernels<T>().inverse_dynamics(plan_, joint_q, joint_v, joint_vdot, memory_, joint_tau);
  } else {
    model_pack_kernels<T>().inverse_dynamics(plan_, constants_, joint_q, joint_v, joint_vdot, memory_, joint_tau);
  }
}
template <class T>
bool PackDynamics<T>::plan_accelerations(const T* q, const T* v, const T* tau, T* vdot) {
  return models_ == nullptr ? planned_pack_kernels<T>().forward_dynamics(plan_, q, v, tau, memory_, vdot)
                            : model_pack_kernels<T>().forward_dynamics(plan_, constants_, q, v, tau, memory_, vdot);
}
template <class T>
void PackDynamics<T>::plan_mass_matrix(const T* joint_q, T* joint_M) {
  if (models_ == nullptr) {
    planned_pack_kernels<T>().mass_matrix(plan_, joint_q, memory_, joint_M);
  } else {
    model_pack_kernels<T>().mass_matrix(plan_, constants_, joint_q, memory_, joint_M);
  }
}

template <class T>
const T* PackDynamics<T>::joint_q(const T* q) {
  return coupled_ ? spread(model_.q_sources(), lanes_, q, joint_q_) : q;
}
template <class T>
const T* PackDynamics<T>::joint_v(const T* v) {
  return coupled_ ? spread(model_.v_sources(), lanes_, v, joint_v_) : v;
}
template <class T>
const T* PackDynamics<T>::joint_vdot(const T* vdot) {
  return coupled_ ? spread(model_.v_sources(), lanes_, vdot, joint_vdot_) : vdot;
}

template <class T>
void PackDynamics<T>::independent_matrix(const T* joint_C, T* C) {
  const std::span<const CoordinateSource> sources = model_.v_sources();
  const std::size_t all = sources.size(), n = size(model_.nv()), lanes = size(lanes_);
  set_zero(static_cast<int>(n * n * lanes), C);
  for (std::size_t i = 0; i < all; ++i) {
    for (std::size_t j = 0; j < all; ++j) {
      const Part<T> ratio(static_cast<T>(sources[i].ratio * sources[j].ratio));
      T* const sum = C + (size(sources[i].source) * n + size(sources[j].source)) * lanes;
      in_lanes(
          lanes_, sum, [&](const auto& a, const auto& b) { return a + ratio * b; }, sum,
          joint_C + (i * all + j) * lanes);
    }
  }
}

/// As many lanes at a time as a register here holds.
template <class T>
void PackDynamics<T>::find_passive(const T* joint_q, const T* joint_v) {
  const std::size_t nq = size(model_.joint_nq()), nv = size(model_.joint_nv()), lanes = size(lanes_);
  Part<T>*const q = reinterpret_cast<Part<T>*>(columns_), *const v = q + nq, *const tau = v + nv;
  for (std::size_t lane = 0; lane < lanes; lane += size(Part<T>::kLanes)) {
    for (std::size_t k = 0; k < nq; ++k) q[k] = load<Part<T>>(joint_q + k * lanes + lane);
    for (std::size_t k = 0; k < nv; ++k) v[k] = load<Part<T>>(joint_v + k * lanes + lane);
    if (models_ == nullptr) {
      passive_efforts_of_joints(model_.links(), model_.dofs(), q, v, tau, friction_);
    } else {
      const T* const numbers = passive_parameters_ + lane;
      const auto passive_of = [numbers, lanes](int i) {
        const auto number = [&](int k) { return load<Part<T>>(numbers + size(kPassiveParameters * i + k) * lanes); };
        return PassiveParameters<Part<T>>{number(0), number(1), number(2), number(3)};
      };
      passive_efforts_by(model_.links(), passive_of, q, v, tau, friction_);
    }
    for (std::size_t k = 0; k < nv; ++k) store(tau[k], passive_tau_ + k * lanes + lane);
  }
}

/// For the independent dofs, with the passive efforts computed before.
template <class T>
void PackDynamics<T>::efforts(const T* joint_q, const T* joint_v, const T* joint_vdot, T* tau) {
  T* const all = coupled_ ? joint_tau_ : tau;
  plan_efforts(joint_q, joint_v, joint_vdot, all);
  if (passive_) {
    const auto less = [](const auto& a, const auto& b) { return a - b; };
    in_lanes(model_.joint_nv() * lanes_, all, less, all, passive_tau_);
  }
  if (!coupled_) return;
  set_zero(model_.nv() * lanes_, tau);
  const std::span<const CoordinateSource> sources = model_.v_sources();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Part<T> ratio(static_cast<T>(sources[i].ratio));
    T* const sum = tau + size(sources[i].source) * size(lanes_);
    in_lanes(
        lanes_, sum, [&](const auto& a, const auto& b) { return a + ratio * b; }, sum, all + i * size(lanes_));
  }
}

template <class T>
void PackDynamics<T>::inverse_dynamics(const T* q, const T* v, const T* vdot, T* tau) {
  const T *const all_q = joint_q(q), *const all_v = joint_v(v);
  const T* const all_vdot = joint_vdot(vdot);
  if (passive_) find_passive(all_q, all_v);
  efforts(all_q, all_v, all_vdot, tau);
}

template <class T>
unsigned PackDynamics<T>::forward_dynamics(const T* q, const T* v, const T* tau, T* vdot) {
  if (coupled_) return coupled_forward(q, v, tau, vdot);
  const T* total = tau;
  if (passive_) {
    find_passive(q, v);
    const auto sum = [](const auto& a, const auto& b) { return a + b; };
    in_lanes(model_.nv() * lanes_, joint_tau_, sum, passive_tau_, tau);
    total = joint_tau_;
  }
  return plan_accelerations(q, v, total, vdot) ? 0 : singular_lanes(q);
}

/// Where a joint moves a singular inertia, which depends on q alone: by a pack with the state of one lane in all lanes,
/// at rest and without efforts, on the model's own plan.
template <class T>
unsigned PackDynamics<T>::singular_lanes(const T* q) {
  const std::size_t nq = size(model_.nq()), lanes = size(lanes_);
  set_zero(model_.nv() * lanes_, alone_v_);
  unsigned singular = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (std::size_t k = 0; k < nq; ++k) std::fill_n(alone_q_ + k * lanes, lanes, q[k * lanes + lane]);
    const PlanView<T> plan =
        models_ == nullptr ? plan_ : one_by_one((*models_)[lane_models_[lane]].plan().template view<T>());
    if (!planned_pack_kernels<T>().forward_dynamics(plan, alone_q_, alone_v_, alone_v_, alone_, alone_vdot_))
      singular |= 1u << lane;
  }
  return singular;
}

template <class T>
void PackDynamics<T>::mass_matrix(const T* q, T* M) {
  if (!coupled_) {
    plan_mass_matrix(q, M);
    return;
  }
  plan_mass_matrix(joint_q(q), joint_M_);
  const std::span<const CoordinateSource> sources = model_.v_sources();
  const std::size_t all = sources.size(), n = size(model_.nv()), lanes = size(lanes_);
  set_zero(static_cast<int>(n * n * lanes), M);
  for (std::size_t i = 0; i < all; ++i) {
    for (std::size_t j = 0; j < all; ++j) {
      if (sources[j].source > sources[i].source) continue;  // the upper triangle is a copy: bitwise symmetric
      const Part<T> ratio(static_cast<T>(sources[i].ratio * sources[j].ratio));
      T* const sum = M + (size(sources[i].source) * n + size(sources[j].source)) * lanes;
      in_lanes(
          lanes_, sum, [&](const auto& a, const auto& b) { return a + ratio * b; }, sum,
          joint_M_ + (i * all + j) * lanes);
    }
  }
  const auto copy = [](const auto& a) { return a; };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) in_lanes(lanes_, M + (j * n + i) * lanes, copy, M + (i * n + j) * lanes);
}

template <class T>
unsigned PackDynamics<T>::mass_matrix_inverse(const T* q, std::byte* memory, T* inverse) {
  const bool sound = models_ == nullptr
                         ? pack_matrix_kernels<T>().mass_matrix_inverse(plan_, q, memory, inverse)
                         : model_pack_kernels<T>().mass_matrix_inverse(plan_, constants_, q, memory, inverse);
  return sound ? 0 : singular_lanes(q);
}

/// As in solve_motion: by the reduced mass matrix, then one step of refinement.
template <class T>
unsigned PackDynamics<T>::coupled_forward(const T* q, const T* v, const T* tau, T* vdot) {
  mass_matrix(q, M_);
  const unsigned singular = factor();
  const int count = model_.nv() * lanes_;
  in_lanes(
      count, tau_, [](const auto& a) { return a; }, tau);  // vdot may alias tau
  set_zero(count, vdot);
  const T *const all_q = joint_q_, *const all_v = joint_v(v);
  if (passive_) find_passive(all_q, all_v);
  for (int round = 0; round < 2; ++round) {
    efforts(all_q, all_v, joint_vdot(vdot), correction_);
    in_lanes(
        count, correction_, [](const auto& a, const auto& b) { return a - b; }, tau_, correction_);
    solve(correction_);
    in_lanes(
        count, vdot, [](const auto& a, const auto& b) { return a + b; }, vdot, correction_);
  }
  return singular;
}

/// Factors M of every lane as for one state, so that solutions are bitwise equal. Returns the lanes without factors.
template <class T>
unsigned PackDynamics<T>::factor() {
  const std::size_t n = size(model_.nv()), count = n * n;
  unsigned singular = 0;
  for (std::size_t lane = 0; lane < size(lanes_); ++lane) {
    for (std::size_t k = 0; k < count; ++k) lane_M_[k] = static_cast<double>(M_[k * size(lanes_) + lane]);
    if (!factor_mass_matrix(model_, {lane_M_, count}, *factor_).ok()) singular |= 1u << lane;
    std::copy_n(factor_->L(), factor_->size(), L_ + lane * factor_->size());
  }
  return singular;
}

/// x = M^-1 x.
template <class T>
void PackDynamics<T>::solve(T* x) {
  const std::size_t n = size(model_.nv());
  for (std::size_t lane = 0; lane < size(lanes_); ++lane) {
    std::copy_n(L_ + lane * factor_->size(), factor_->size(), factor_->L());
    for (std::size_t k = 0; k < n; ++k) lane_M_[k] = static_cast<double>(x[k * size(lanes_) + lane]);
    solve_mass_matrix(model_, *factor_, {lane_M_, n});
    for (std::size_t k = 0; k < n; ++k) x[k * size(lanes_) + lane] = static_cast<T>(lane_M_[k]);
  }
}

template class PackDynamics<double>;
template class PackDynamics<float>;

}  // namespace pintle
