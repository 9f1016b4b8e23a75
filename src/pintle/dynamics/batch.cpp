#include "pintle/dynamics/batch.h"

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "pintle/base/thread_pool.h"
#include "pintle/dynamics/pack_dynamics.h"

namespace pintle {
namespace {

constexpr std::size_t kAlignment = 64;

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

bool is_aligned(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % kAlignment == 0;
}

/// An array of a batch, pack by pack: in place where the kernels can have it so, else by way of memory of its own.
template <class T>
class PackedArray {
 public:
  PackedArray(const BatchStates& states, T* numbers, std::size_t size, PackRoom& room)
      : states_(states),
        numbers_(numbers),
        size_(size),
        lanes_(pintle::size(pack_kernels<std::remove_const_t<T>>().lanes)),
        in_place_(states.layout == BatchLayout::packs && is_aligned(numbers) &&
                  size * lanes_ * sizeof(T) % kAlignment == 0),
        room_(room.take<std::remove_const_t<T>>(size * lanes_)) {}

  /// Where the kernel reads or writes pack i.
  std::remove_const_t<T>* at(std::size_t i) const {
    return in_place_ ? const_cast<std::remove_const_t<T>*>(numbers_) + i * size_ * lanes_ : room_;
  }

  /// Before the kernel reads pack i. Lanes beyond the last state repeat it.
  const T* read(std::size_t i) const {
    if (states_.layout == BatchLayout::packs) {
      if (!in_place_) std::copy_n(numbers_ + i * size_ * lanes_, size_ * lanes_, room_);
      return at(i);
    }
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      const T* const state = numbers_ + std::min(i * lanes_ + lane, states_.count - 1) * size_;
      for (std::size_t k = 0; k < size_; ++k) room_[k * lanes_ + lane] = state[k];
    }
    return room_;
  }

  /// After the kernel wrote pack i.
  void write(std::size_t i) const {
    if (in_place_) return;
    if (states_.layout == BatchLayout::packs) {
      std::copy_n(room_, size_ * lanes_, numbers_ + i * size_ * lanes_);
      return;
    }
    const std::size_t used = std::min(lanes_, states_.count - i * lanes_);
    for (std::size_t lane = 0; lane < used; ++lane) {
      T* const state = numbers_ + (i * lanes_ + lane) * size_;
      for (std::size_t k = 0; k < size_; ++k) state[k] = room_[k * lanes_ + lane];
    }
  }

 private:
  BatchStates states_;
  T* numbers_;
  std::size_t size_, lanes_;
  bool in_place_;
  std::remove_const_t<T>* room_;
};

/// Pieces of work for each thread: several, so that one that is kept waiting holds up less.
constexpr std::size_t kPieces = 8;

/// The parts of a workspace that threads have taken, one bit each.
class PartsInUse {
 public:
  std::size_t take() {
    std::uint64_t in_use = bits_.load(std::memory_order_relaxed);
    while (!bits_.compare_exchange_weak(in_use, in_use | (in_use + 1), std::memory_order_acquire)) continue;
    return static_cast<std::size_t>(__builtin_ctzll(~in_use));
  }
  void give_back(std::size_t part) { bits_.fetch_and(~(std::uint64_t(1) << part), std::memory_order_release); }

 private:
  std::atomic<std::uint64_t> bits_{0};
};

/// Calls f(memory, first pack, end, part) on every thread for pieces of the packs.
template <class T, class F>
void on_threads(const BatchStates& states, BatchWorkspace<T>& work, const F& f) {
  const std::size_t lanes = size(pack_kernels<T>().lanes), packs = (states.count + lanes - 1) / lanes;
  if (packs == 0) return;
  if (work.parts == 1) {
    f(work.part(0), std::size_t(0), packs, std::size_t(0));
    return;
  }
  const bool many = work.parts > 64;  // more than there are bits: each thread its share
  const std::size_t pieces = many ? work.parts : kPieces * work.parts, piece = (packs + pieces - 1) / pieces;
  PartsInUse in_use;
  work.pool->parallel_for(packs, piece, [&](std::size_t begin, std::size_t end) {
    const std::size_t part = many ? begin / piece : in_use.take();
    f(work.part(part), begin, end, part);
    if (!many) in_use.give_back(part);
  });
}

/// Bytes of one thread: of the dynamics and of one pack of every array.
template <class T>
std::size_t bytes_of(const Model& model, bool with_mass_matrix) {
  PackRoom room;
  (void)PackDynamics<T>(model, {}, nullptr, room);
  const std::size_t lanes = size(pack_kernels<T>().lanes), nq = size(model.nq()), nv = size(model.nv());
  room.take<T>(lanes * nq);
  for (int array = 0; array < 3; ++array) room.take<T>(lanes * nv);
  if (with_mass_matrix) room.take<T>(lanes * nv * nv);
  return room.used();
}

template <class T>
void require_model(const char* function, const Model& model, const BatchWorkspace<T>& work) {
  require_fit(function, work.sizes, model);
  require(bytes_of<T>(model, work.has_mass_matrix) <= work.bytes_each, function, "work",
          "it was made for a model with other joints");
}

}  // namespace

template <class T>
int batch_lanes() {
  return pack_kernels<T>().lanes;
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
    : sizes(model),
      pool(threads),
      parts(threads == nullptr ? 1 : size(threads->size())),
      bytes_each(bytes_of<T>(model, with_mass_matrix)),
      has_mass_matrix(with_mass_matrix),
      doubtful(parts),
      first(parts),
      factors(parts),
      memory_(parts * bytes_each + kAlignment) {
  if (model.couplings().empty()) return;
  for (MassMatrixFactor<>& factor : factors) factor = MassMatrixFactor<>(model);
}

template <class T>
std::byte* BatchWorkspace<T>::part(std::size_t thread) {
  const std::uintptr_t start = reinterpret_cast<std::uintptr_t>(memory_.data());
  return memory_.data() + ((kAlignment - start % kAlignment) % kAlignment + thread * bytes_each);
}

template <class T>
void batch_inverse_dynamics(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                            std::span<const Same<T>> v, std::span<const Same<T>> vdot, BatchWorkspace<T>& work,
                            std::span<Same<T>> tau, const BatchOptions& options) {
  const std::size_t of_v = batch_size<T>(states, model.nv());
  require_size("batch_inverse_dynamics", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_inverse_dynamics", "v", v.size(), of_v);
  require_size("batch_inverse_dynamics", "vdot", vdot.size(), of_v);
  require_size("batch_inverse_dynamics", "tau", tau.size(), of_v);
  require_model("batch_inverse_dynamics", model, work);
  const std::size_t nq = size(model.nq()), nv = size(model.nv());
  on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    PackRoom room(memory);
    PackDynamics<T> pack(model, options, &work.factors[part], room);
    const PackedArray<const T> qs(states, q.data(), nq, room), vs(states, v.data(), nv, room),
        vdots(states, vdot.data(), nv, room);
    const PackedArray<T> taus(states, tau.data(), nv, room);
    for (std::size_t i = begin; i < end; ++i) {
      pack.inverse_dynamics(qs.read(i), vs.read(i), vdots.read(i), taus.at(i));
      taus.write(i);
    }
  });
}

template <class T>
BatchReport batch_forward_dynamics(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                                   std::span<const Same<T>> v, std::span<const Same<T>> tau, BatchWorkspace<T>& work,
                                   std::span<Same<T>> vdot, const BatchOptions& options) {
  const std::size_t of_v = batch_size<T>(states, model.nv());
  require_size("batch_forward_dynamics", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_forward_dynamics", "v", v.size(), of_v);
  require_size("batch_forward_dynamics", "tau", tau.size(), of_v);
  require_size("batch_forward_dynamics", "vdot", vdot.size(), of_v);
  require_model("batch_forward_dynamics", model, work);
  const std::size_t nq = size(model.nq()), nv = size(model.nv()), lanes = size(batch_lanes<T>());
  for (std::size_t& count : work.doubtful) count = 0;
  on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    PackRoom room(memory);
    PackDynamics<T> pack(model, options, &work.factors[part], room);
    const PackedArray<const T> qs(states, q.data(), nq, room), vs(states, v.data(), nv, room),
        taus(states, tau.data(), nv, room);
    const PackedArray<T> vdots(states, vdot.data(), nv, room);
    for (std::size_t i = begin; i < end; ++i) {
      const unsigned doubtful = pack.forward_dynamics(qs.read(i), vs.read(i), taus.read(i), vdots.at(i));
      for (std::size_t lane = 0; doubtful != 0 && lane < lanes && i * lanes + lane < states.count; ++lane) {
        if ((doubtful >> lane & 1u) == 0) continue;
        const std::size_t state = i * lanes + lane;
        if (work.doubtful[part]++ == 0 || state < work.first[part]) work.first[part] = state;
      }
      vdots.write(i);
    }
  });
  BatchReport report;
  for (std::size_t part = 0; part < work.parts; ++part) {
    if (work.doubtful[part] == 0) continue;
    report.first = report.doubtful == 0 ? work.first[part] : std::min(report.first, work.first[part]);
    report.doubtful += work.doubtful[part];
  }
  return report;
}

template <class T>
void batch_mass_matrix(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                       BatchWorkspace<T>& work, std::span<Same<T>> M) {
  require_size("batch_mass_matrix", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_mass_matrix", "M", M.size(), batch_size<T>(states, model.nv() * model.nv()));
  require_model("batch_mass_matrix", model, work);
  require(work.has_mass_matrix, "batch_mass_matrix", "work", "it was made without room for mass matrices");
  const std::size_t nq = size(model.nq()), nv = size(model.nv());
  on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    PackRoom room(memory);
    PackDynamics<T> pack(model, {}, &work.factors[part], room);
    const PackedArray<const T> qs(states, q.data(), nq, room);
    const PackedArray<T> Ms(states, M.data(), nv * nv, room);
    for (std::size_t i = begin; i < end; ++i) {
      pack.mass_matrix(qs.read(i), Ms.at(i));
      Ms.write(i);
    }
  });
}

#define PINTLE_BATCH_INSTANCES(T)                                                                                     \
  template int batch_lanes<T>();                                                                                      \
  template std::size_t batch_size<T>(const BatchStates&, int);                                                        \
  template class BatchWorkspace<T>;                                                                                   \
  template void batch_inverse_dynamics<T>(const Model&, const BatchStates&, std::span<const T>, std::span<const T>,   \
                                          std::span<const T>, BatchWorkspace<T>&, std::span<T>, const BatchOptions&); \
  template BatchReport batch_forward_dynamics<T>(const Model&, const BatchStates&, std::span<const T>,                \
                                                 std::span<const T>, std::span<const T>, BatchWorkspace<T>&,          \
                                                 std::span<T>, const BatchOptions&);                                  \
  template void batch_mass_matrix<T>(const Model&, const BatchStates&, std::span<const T>, BatchWorkspace<T>&,        \
                                     std::span<T>);

PINTLE_BATCH_INSTANCES(double)
PINTLE_BATCH_INSTANCES(float)

}  // namespace pintle
