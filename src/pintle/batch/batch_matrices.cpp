#include "pintle/base/size.h"
#include "pintle/batch/batch_dynamics.h"
#include "pintle/batch/batch_impl.h"
#include "pintle/batch/pack_matrix_kernels.h"

namespace pintle {
namespace {

/// M of a pack and its factors.
template <class T>
class FactoredPack {
 public:
  FactoredPack(const Model& model, Arena& room)
      : model_(model),
        M_(room.take<T>(size(model.nv()) * size(model.nv()) * size(batch_lanes<T>()))),
        L_(room.take<T>(size(model.nv()) * size(model.dof_branches().row) * size(batch_lanes<T>()))) {}

  /// Returns the lanes, one bit each, in which M has no factors.
  unsigned factor(PackDynamics<T>& dynamics, const T* q) {
    dynamics.mass_matrix(q, M_);
    return pack_matrix_kernels<T>().factor(model_.dof_branches(), M_, L_);
  }

  /// x = M^-1 x.
  void solve(T* x) const { pack_matrix_kernels<T>().solve(model_.dof_branches(), L_, x); }

  /// The inverse, column by column: as mass_matrix_inverse with couplings. Overwrites M.
  void invert(T* inverse) {
    const std::size_t n = size(model_.nv()), lanes = size(batch_lanes<T>());
    T* const column = M_;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n * lanes; ++k) column[k] = T(k / lanes == j ? 1 : 0);
      solve(column);
      for (std::size_t i = 0; i <= j; ++i) {
        std::copy_n(column + i * lanes, lanes, inverse + (i * n + j) * lanes);
        std::copy_n(column + i * lanes, lanes, inverse + (j * n + i) * lanes);
      }
    }
  }

 private:
  const Model& model_;
  T *M_, *L_;
};

template <class T, class Models>
BatchReport find_inverses(const Models& models, const BatchStates& states, std::span<const T> q,
                          BatchWorkspace<T>& work, std::span<T> inverse) {
  const Model& model = batch::first_of(models);
  require_size("batch_mass_matrix_inverse", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_mass_matrix_inverse", "inverse", inverse.size(), batch_size<T>(states, model.nv() * model.nv()));
  batch::require_states("batch_mass_matrix_inverse", models, states);
  batch::require_matrix_workspace("batch_mass_matrix_inverse", models, work);
  const std::size_t nq = size(model.nq()), nv = size(model.nv());
  const bool coupled = model.has_couplings();
  const PlanView<T>& plan = models.plan().template view<T>();
  batch::begin_report(work);
  batch::on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    Arena room(memory);
    PackDynamics<T> dynamics(models, {}, &work.factors[part], room);
    const batch::PackedArray<const T> qs(states, q.data(), nq, room);
    const batch::PackedArray<T> found(states, inverse.data(), nv * nv, room);
    FactoredPack<T> factored(model, room);
    std::byte* const of_kernel = room.take<std::byte>(pack_matrix_kernels<T>().inverse_bytes(plan));
    for (std::size_t turn = begin; turn < end; ++turn) {
      const std::size_t i = batch::pack_at(models, states, turn);
      dynamics.begin(i);
      const T* const here = qs.read(i);
      unsigned singular = 0;
      if (coupled) {
        singular = factored.factor(dynamics, here);
        factored.invert(found.at(i));
      } else {
        singular = dynamics.mass_matrix_inverse(here, of_kernel, found.at(i));
      }
      batch::note_singular(states, i, singular, part, work);
      found.write(i);
    }
  });
  return batch::end_report(work);
}

template <class T, class Models>
BatchReport find_solutions(const Models& models, const BatchStates& states, std::span<const T> q,
                           std::span<const T> tau, BatchWorkspace<T>& work, std::span<T> x) {
  const Model& model = batch::first_of(models);
  const std::size_t of_v = batch_size<T>(states, model.nv());
  require_size("batch_solve", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_solve", "tau", tau.size(), of_v);
  require_size("batch_solve", "x", x.size(), of_v);
  batch::require_states("batch_solve", models, states);
  batch::require_matrix_workspace("batch_solve", models, work);
  const std::size_t nq = size(model.nq()), nv = size(model.nv()), of_pack = nv * size(batch_lanes<T>());
  batch::begin_report(work);
  batch::on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    Arena room(memory);
    PackDynamics<T> dynamics(models, {}, &work.factors[part], room);
    const batch::PackedArray<const T> qs(states, q.data(), nq, room), taus(states, tau.data(), nv, room);
    const batch::PackedArray<T> xs(states, x.data(), nv, room);
    FactoredPack<T> factored(model, room);
    for (std::size_t turn = begin; turn < end; ++turn) {
      const std::size_t i = batch::pack_at(models, states, turn);
      dynamics.begin(i);
      batch::note_singular(states, i, factored.factor(dynamics, qs.read(i)), part, work);
      const T* const given = taus.read(i);
      if (given != xs.at(i)) std::copy_n(given, of_pack, xs.at(i));
      factored.solve(xs.at(i));
      xs.write(i);
    }
  });
  return batch::end_report(work);
}

template <class T, class Models>
void find_coriolis_matrices(const Models& models, const BatchStates& states, std::span<const T> q, std::span<const T> v,
                            BatchWorkspace<T>& work, std::span<T> C) {
  const Model& model = batch::first_of(models);
  require_size("batch_coriolis_matrix", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_coriolis_matrix", "v", v.size(), batch_size<T>(states, model.nv()));
  require_size("batch_coriolis_matrix", "C", C.size(), batch_size<T>(states, model.nv() * model.nv()));
  batch::require_states("batch_coriolis_matrix", models, states);
  batch::require_matrix_workspace("batch_coriolis_matrix", models, work);
  const std::size_t nq = size(model.nq()), nv = size(model.nv()), all = size(model.joint_nv());
  const bool coupled = model.has_couplings();
  batch::on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    Arena room(memory);
    batch::LinksPack<T, Models> pack(models, work, part, room);
    const batch::PackedArray<const T> qs(states, q.data(), nq, room), vs(states, v.data(), nv, room);
    const batch::PackedArray<T> Cs(states, C.data(), nv * nv, room);
    T* const joint_C = room.take<T>(coupled ? all * all * size(batch_lanes<T>()) : 0);
    for (std::size_t turn = begin; turn < end; ++turn) {
      const std::size_t i = batch::pack_at(models, states, turn);
      pack.begin(i);
      pack_tree_kernels<T>().coriolis_matrix(pack.tree, pack.joints.joint_q(qs.read(i)),
                                             pack.joints.joint_v(vs.read(i)), pack.memory,
                                             coupled ? joint_C : Cs.at(i));
      if (coupled) pack.joints.independent_matrix(joint_C, Cs.at(i));
      Cs.write(i);
    }
  });
}

}  // namespace

template <class T>
BatchReport batch_mass_matrix_inverse(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                                      BatchWorkspace<T>& work, std::span<Same<T>> inverse) {
  return find_inverses(model, states, q, work, inverse);
}
template <class T>
BatchReport batch_mass_matrix_inverse(const ModelBatch<Same<T>>& models, const BatchStates& states,
                                      std::span<const Same<T>> q, BatchWorkspace<T>& work, std::span<Same<T>> inverse) {
  return find_inverses(models, states, q, work, inverse);
}

template <class T>
BatchReport batch_solve(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                        std::span<const Same<T>> tau, BatchWorkspace<T>& work, std::span<Same<T>> x) {
  return find_solutions(model, states, q, tau, work, x);
}
template <class T>
BatchReport batch_solve(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                        std::span<const Same<T>> tau, BatchWorkspace<T>& work, std::span<Same<T>> x) {
  return find_solutions(models, states, q, tau, work, x);
}

template <class T>
void batch_coriolis_matrix(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                           std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> C) {
  find_coriolis_matrices(model, states, q, v, work, C);
}
template <class T>
void batch_coriolis_matrix(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                           std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> C) {
  find_coriolis_matrices(models, states, q, v, work, C);
}

#define PINTLE_BATCH_MATRICES(T, Models)                                                                            \
  template BatchReport batch_mass_matrix_inverse<T>(const Models&, const BatchStates&, std::span<const T>,          \
                                                    BatchWorkspace<T>&, std::span<T>);                              \
  template BatchReport batch_solve<T>(const Models&, const BatchStates&, std::span<const T>, std::span<const T>,    \
                                      BatchWorkspace<T>&, std::span<T>);                                            \
  template void batch_coriolis_matrix<T>(const Models&, const BatchStates&, std::span<const T>, std::span<const T>, \
                                         BatchWorkspace<T>&, std::span<T>);

PINTLE_BATCH_MATRICES(double, Model)
PINTLE_BATCH_MATRICES(float, Model)
PINTLE_BATCH_MATRICES(double, ModelBatch<double>)
PINTLE_BATCH_MATRICES(float, ModelBatch<float>)

}  // namespace pintle
