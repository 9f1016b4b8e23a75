#include "pintle/batch/batch.h"

#include "pintle/base/size.h"
#include "pintle/batch/batch_impl.h"
#include "pintle/batch/pack_matrix_kernels.h"

namespace pintle {
namespace {

/// Bytes per thread: of the dynamics and of one pack of every array.
template <class T, class Models>
std::size_t bytes_of(const Models& models, bool with_mass_matrix) {
  const Model& model = batch::first_of(models);
  Arena room;
  (void)PackDynamics<T>(models, {}, nullptr, room);
  const std::size_t lanes = size(planned_pack_kernels<T>().lanes), nq = size(model.nq()), nv = size(model.nv()),
                    links = size(model.tree().count), all_nv = size(model.joint_nv());
  room.take<T>(lanes * nq);
  for (int array = 0; array < 3; ++array) room.take<T>(lanes * nv);
  room.take<std::byte>(pack_tree_kernels<T>().bytes(model.tree()));
  Arena of_links = room, of_rows = room, of_matrices = room;  // no call needs more than one of them
  for (const int numbers : {kPoseValues, kTwistValues, kTwistValues}) of_links.take<T>(lanes * links * size(numbers));
  for (const std::size_t rows : {6 * nv, 6 * all_nv, size(kTwistValues), size(kLockedValues), size(kPoseValues)})
    of_rows.take<T>(lanes * rows);
  if (with_mass_matrix) {
    for (const std::size_t row : {nv, nv, size(model.dof_branches().row)}) of_matrices.take<T>(lanes * nv * row);
    of_matrices.take<T>(model.has_couplings() ? lanes * all_nv * all_nv : 0);
    of_matrices.take<std::byte>(pack_matrix_kernels<T>().inverse_bytes(models.plan().template view<T>()));
  }
  return std::max({of_links.used(), of_rows.used(), of_matrices.used()});
}

}  // namespace

namespace batch {
template <class T>
void require_workspace(const char* function, const Model& model, const BatchWorkspace<T>& work) {
  if (work.sizes.model == model.serial()) return;
  require_fit(function, work.sizes, model);
  require(bytes_of<T>(model, work.has_mass_matrix) <= work.bytes_each, function, "work",
          "it is too small: it was made for a model with joints of other types");
}
template <class T>
void require_workspace(const char* function, const ModelBatch<T>& models, const BatchWorkspace<T>& work) {
  require_fit(function, work.sizes, models[0]);
  require(bytes_of<T>(models, work.has_mass_matrix) <= work.bytes_each, function, "work",
          "it is too small: it was made for a model with joints of other types");
}

template void require_workspace(const char*, const Model&, const BatchWorkspace<double>&);
template void require_workspace(const char*, const Model&, const BatchWorkspace<float>&);
template void require_workspace(const char*, const ModelBatch<double>&, const BatchWorkspace<double>&);
template void require_workspace(const char*, const ModelBatch<float>&, const BatchWorkspace<float>&);
}  // namespace batch

template <class T>
int batch_lanes() {
  return planned_pack_kernels<T>().lanes;
}

template <class T>
std::size_t batch_size(const BatchStates& states, int numbers) {
  const std::size_t lanes = size(batch_lanes<T>());
  const std::size_t held =
      states.layout == BatchLayout::states ? states.count : (states.count + lanes - 1) / lanes * lanes;
  return held * size(numbers);
}

template <class T>
BatchWorkspace<T>::BatchWorkspace(const Model& model, ThreadPool* threads, bool with_mass_matrix)
    : BatchWorkspace(model, threads, with_mass_matrix, bytes_of<T>(model, with_mass_matrix)) {}
template <class T>
BatchWorkspace<T>::BatchWorkspace(const ModelBatch<T>& models, ThreadPool* threads, bool with_mass_matrix)
    : BatchWorkspace(models[0], threads, with_mass_matrix,
                     std::max(bytes_of<T>(models, with_mass_matrix), bytes_of<T>(models[0], with_mass_matrix))) {}

template <class T>
BatchWorkspace<T>::BatchWorkspace(const Model& model, ThreadPool* threads, bool with_mass_matrix, std::size_t bytes)
    : sizes(model),
      pool(threads),
      parts(threads == nullptr ? 1 : size(threads->size())),
      bytes_each(bytes),
      has_mass_matrix(with_mass_matrix),
      singular(parts),
      first(parts),
      factors(parts),
      memory_(parts * bytes_each) {
  if (!model.has_couplings()) return;
  for (MassMatrixFactor<>& factor : factors) factor = MassMatrixFactor<>(model);
}

template <class T>
std::byte* BatchWorkspace<T>::part(std::size_t thread) {
  return memory_.data() + thread * bytes_each;
}

namespace {

template <class T, class Models>
void find_efforts(const Models& models, const BatchStates& states, std::span<const T> q, std::span<const T> v,
                  std::span<const T> vdot, BatchWorkspace<T>& work, std::span<T> tau, const BatchOptions& options) {
  const Model& model = batch::first_of(models);
  const std::size_t of_v = batch_size<T>(states, model.nv());
  require_size("batch_inverse_dynamics", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_inverse_dynamics", "v", v.size(), of_v);
  require_size("batch_inverse_dynamics", "vdot", vdot.size(), of_v);
  require_size("batch_inverse_dynamics", "tau", tau.size(), of_v);
  batch::require_states("batch_inverse_dynamics", models, states);
  batch::require_workspace("batch_inverse_dynamics", models, work);
  const std::size_t nq = size(model.nq()), nv = size(model.nv());
  batch::on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    Arena room(memory);
    PackDynamics<T> pack(models, options, &work.factors[part], room);
    const batch::PackedArray<const T> qs(states, q.data(), nq, room), vs(states, v.data(), nv, room),
        vdots(states, vdot.data(), nv, room);
    const batch::PackedArray<T> taus(states, tau.data(), nv, room);
    for (std::size_t turn = begin; turn < end; ++turn) {
      const std::size_t i = batch::pack_at(models, states, turn);
      pack.begin(i);
      pack.inverse_dynamics(qs.read(i), vs.read(i), vdots.read(i), taus.at(i));
      taus.write(i);
    }
  });
}

template <class T, class Models>
BatchReport find_accelerations(const Models& models, const BatchStates& states, std::span<const T> q,
                               std::span<const T> v, std::span<const T> tau, BatchWorkspace<T>& work, std::span<T> vdot,
                               const BatchOptions& options) {
  const Model& model = batch::first_of(models);
  const std::size_t of_v = batch_size<T>(states, model.nv());
  require_size("batch_forward_dynamics", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_forward_dynamics", "v", v.size(), of_v);
  require_size("batch_forward_dynamics", "tau", tau.size(), of_v);
  require_size("batch_forward_dynamics", "vdot", vdot.size(), of_v);
  batch::require_states("batch_forward_dynamics", models, states);
  batch::require_workspace("batch_forward_dynamics", models, work);
  const std::size_t nq = size(model.nq()), nv = size(model.nv());
  batch::begin_report(work);
  batch::on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    Arena room(memory);
    PackDynamics<T> pack(models, options, &work.factors[part], room);
    const batch::PackedArray<const T> qs(states, q.data(), nq, room), vs(states, v.data(), nv, room),
        taus(states, tau.data(), nv, room);
    const batch::PackedArray<T> vdots(states, vdot.data(), nv, room);
    for (std::size_t turn = begin; turn < end; ++turn) {
      const std::size_t i = batch::pack_at(models, states, turn);
      pack.begin(i);
      const unsigned singular = pack.forward_dynamics(qs.read(i), vs.read(i), taus.read(i), vdots.at(i));
      batch::note_singular(states, i, singular, part, work);
      vdots.write(i);
    }
  });
  return batch::end_report(work);
}

template <class T, class Models>
void find_mass_matrices(const Models& models, const BatchStates& states, std::span<const T> q, BatchWorkspace<T>& work,
                        std::span<T> M) {
  const Model& model = batch::first_of(models);
  require_size("batch_mass_matrix", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_mass_matrix", "M", M.size(), batch_size<T>(states, model.nv() * model.nv()));
  batch::require_states("batch_mass_matrix", models, states);
  batch::require_matrix_workspace("batch_mass_matrix", models, work);
  const std::size_t nq = size(model.nq()), nv = size(model.nv());
  batch::on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    Arena room(memory);
    PackDynamics<T> pack(models, {}, &work.factors[part], room);
    const batch::PackedArray<const T> qs(states, q.data(), nq, room);
    const batch::PackedArray<T> Ms(states, M.data(), nv * nv, room);
    for (std::size_t turn = begin; turn < end; ++turn) {
      const std::size_t i = batch::pack_at(models, states, turn);
      pack.begin(i);
      pack.mass_matrix(qs.read(i), Ms.at(i));
      Ms.write(i);
    }
  });
}

}  // namespace

template <class T>
void batch_inverse_dynamics(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                            std::span<const Same<T>> v, std::span<const Same<T>> vdot, BatchWorkspace<T>& work,
                            std::span<Same<T>> tau, const BatchOptions& options) {
  find_efforts(model, states, q, v, vdot, work, tau, options);
}

template <class T>
BatchReport batch_forward_dynamics(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                                   std::span<const Same<T>> v, std::span<const Same<T>> tau, BatchWorkspace<T>& work,
                                   std::span<Same<T>> vdot, const BatchOptions& options) {
  return find_accelerations(model, states, q, v, tau, work, vdot, options);
}

template <class T>
void batch_mass_matrix(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                       BatchWorkspace<T>& work, std::span<Same<T>> M) {
  find_mass_matrices(model, states, q, work, M);
}

template <class T>
void batch_inverse_dynamics(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                            std::span<const Same<T>> v, std::span<const Same<T>> vdot, BatchWorkspace<T>& work,
                            std::span<Same<T>> tau, const BatchOptions& options) {
  find_efforts(models, states, q, v, vdot, work, tau, options);
}

template <class T>
BatchReport batch_forward_dynamics(const ModelBatch<Same<T>>& models, const BatchStates& states,
                                   std::span<const Same<T>> q, std::span<const Same<T>> v, std::span<const Same<T>> tau,
                                   BatchWorkspace<T>& work, std::span<Same<T>> vdot, const BatchOptions& options) {
  return find_accelerations(models, states, q, v, tau, work, vdot, options);
}

template <class T>
void batch_mass_matrix(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                       BatchWorkspace<T>& work, std::span<Same<T>> M) {
  find_mass_matrices(models, states, q, work, M);
}

#define PINTLE_BATCH_DYNAMICS(T, Models)                                                                              \
  template void batch_inverse_dynamics<T>(const Models&, const BatchStates&, std::span<const T>, std::span<const T>,  \
                                          std::span<const T>, BatchWorkspace<T>&, std::span<T>, const BatchOptions&); \
  template BatchReport batch_forward_dynamics<T>(const Models&, const BatchStates&, std::span<const T>,               \
                                                 std::span<const T>, std::span<const T>, BatchWorkspace<T>&,          \
                                                 std::span<T>, const BatchOptions&);                                  \
  template void batch_mass_matrix<T>(const Models&, const BatchStates&, std::span<const T>, BatchWorkspace<T>&,       \
                                     std::span<T>);

#define PINTLE_BATCH_INSTANCES(T)                              \
  template int batch_lanes<T>();                               \
  template std::size_t batch_size<T>(const BatchStates&, int); \
  template class BatchWorkspace<T>;                            \
  PINTLE_BATCH_DYNAMICS(T, Model)                              \
  PINTLE_BATCH_DYNAMICS(T, ModelBatch<T>)

PINTLE_BATCH_INSTANCES(double)
PINTLE_BATCH_INSTANCES(float)

}  // namespace pintle
