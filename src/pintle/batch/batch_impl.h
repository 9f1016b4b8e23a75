// Shared by the functions of batches: arrays pack by pack, and threads. For their .cpp files only.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "pintle/base/thread_pool.h"
#include "pintle/base/usage_error.h"
#include "pintle/batch/pack_dynamics.h"
#include "pintle/batch/pack_tree_kernels.h"

namespace pintle::batch {

inline bool is_aligned(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % AlignedMemory::kAlignment == 0;
}

/// An array of a batch, pack by pack: in place where the kernels can use it so, else copied through memory of its own.
template <class T>
class PackedArray {
 public:
  PackedArray(const BatchStates& states, T* numbers, std::size_t size, Arena& room)
      : states_(states),
        numbers_(numbers),
        size_(size),
        kernels_(planned_pack_kernels<std::remove_const_t<T>>()),
        lanes_(static_cast<std::size_t>(kernels_.lanes)),
        in_place_(states.layout == BatchLayout::packs && is_aligned(numbers) &&
                  size * lanes_ * sizeof(T) % AlignedMemory::kAlignment == 0),
        room_(room.take<std::remove_const_t<T>>(size * lanes_)) {}

  /// Where the kernel reads or writes pack i.
  std::remove_const_t<T>* at(std::size_t i) const {
    return in_place_ ? const_cast<std::remove_const_t<T>*>(numbers_) + i * size_ * lanes_ : room_;
  }

  /// To be called before the kernel reads pack i. Lanes beyond the last state repeat it.
  const T* read(std::size_t i) const {
    if (states_.layout == BatchLayout::packs) {
      if (!in_place_) std::copy_n(numbers_ + i * size_ * lanes_, size_ * lanes_, room_);
      return at(i);
    }
    if ((i + 1) * lanes_ <= states_.count) {
      kernels_.rows_to_packs(numbers_ + i * lanes_ * size_, size_, room_);
      return room_;
    }
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      const T* const state = numbers_ + std::min(i * lanes_ + lane, states_.count - 1) * size_;
      for (std::size_t k = 0; k < size_; ++k) room_[k * lanes_ + lane] = state[k];
    }
    return room_;
  }

  /// To be called after the kernel wrote pack i.
  void write(std::size_t i) const {
    if (in_place_) return;
    if (states_.layout == BatchLayout::packs) {
      std::copy_n(room_, size_ * lanes_, numbers_ + i * size_ * lanes_);
      return;
    }
    if ((i + 1) * lanes_ <= states_.count) {
      kernels_.packs_to_rows(room_, size_, numbers_ + i * lanes_ * size_);
      return;
    }
    const std::size_t used = states_.count - i * lanes_;
    for (std::size_t lane = 0; lane < used; ++lane) {
      T* const state = numbers_ + (i * lanes_ + lane) * size_;
      for (std::size_t k = 0; k < size_; ++k) state[k] = room_[k * lanes_ + lane];
    }
  }

 private:
  BatchStates states_;
  T* numbers_;
  std::size_t size_;
  const PlannedKernels<std::remove_const_t<T>>& kernels_;
  std::size_t lanes_;
  bool in_place_;
  std::remove_const_t<T>* room_;
};

/// Pieces of work for each thread: several, for load balance.
inline constexpr std::size_t kPieces = 8;

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
  const std::size_t lanes = static_cast<std::size_t>(planned_pack_kernels<T>().lanes),
                    packs = (states.count + lanes - 1) / lanes;
  if (packs == 0) return;
  if (work.parts == 1) {
    f(work.part(0), std::size_t(0), packs, std::size_t(0));
    return;
  }
  const bool many = work.parts > 64;  // more threads than bits: static shares
  const std::size_t pieces = many ? work.parts : kPieces * work.parts, piece = (packs + pieces - 1) / pieces;
  PartsInUse in_use;
  work.pool->parallel_for(packs, piece, [&](std::size_t begin, std::size_t end) {
    const std::size_t part = many ? begin / piece : in_use.take();
    f(work.part(part), begin, end, part);
    if (!many) in_use.give_back(part);
  });
}

/// Throws UsageError unless a workspace was made for such a model, or for such models; and for matrices of nv rows.
template <class T>
void require_workspace(const char* function, const Model& model, const BatchWorkspace<T>& work);
template <class T>
void require_workspace(const char* function, const ModelBatch<T>& models, const BatchWorkspace<T>& work);
template <class T, class Models>
void require_matrix_workspace(const char* function, const Models& models, const BatchWorkspace<T>& work) {
  require_workspace(function, models, work);
  require(work.has_mass_matrix, function, "work", "it was made without memory for matrices");
}

/// Counts singular states: start of a call; the flagged lanes of pack i; end of the call.
template <class T>
void begin_report(BatchWorkspace<T>& work) {
  for (std::size_t& count : work.singular) count = 0;
}
template <class T>
void note_singular(const BatchStates& states, std::size_t i, unsigned singular_lanes, std::size_t part,
                   BatchWorkspace<T>& work) {
  const std::size_t lanes = static_cast<std::size_t>(planned_pack_kernels<T>().lanes);
  for (std::size_t lane = 0; singular_lanes != 0 && lane < lanes && i * lanes + lane < states.count; ++lane) {
    if ((singular_lanes >> lane & 1u) == 0) continue;
    const std::size_t state = i * lanes + lane;
    if (work.singular[part]++ == 0 || state < work.first[part]) work.first[part] = state;
  }
}
template <class T>
BatchReport end_report(const BatchWorkspace<T>& work) {
  BatchReport report;
  for (std::size_t part = 0; part < work.parts; ++part) {
    if (work.singular[part] == 0) continue;
    report.first = report.singular == 0 ? work.first[part] : std::min(report.first, work.first[part]);
    report.singular += work.singular[part];
  }
  return report;
}

/// Six rows for all joints, and those for the independent dofs from them.
template <class T>
class JointRows {
 public:
  JointRows(const Model& model, Arena& room)
      : model_(model),
        lanes_(static_cast<std::size_t>(planned_pack_kernels<T>().lanes)),
        rows_(model.has_couplings() ? room.take<T>(6 * model.v_sources().size() * lanes_) : nullptr) {}

  /// Where the kernel writes them; `independent` is where those of the independent dofs go.
  T* of_joints(T* independent) const { return rows_ == nullptr ? independent : rows_; }

  /// J G, as independent_columns.  [eq. coupling]
  void reduce(T* J) const {
    if (rows_ == nullptr) return;
    const std::span<const CoordinateSource> sources = model_.v_sources();
    const std::size_t all = sources.size(), n = static_cast<std::size_t>(model_.nv());
    std::fill_n(J, 6 * n * lanes_, T(0));
    for (std::size_t row = 0; row < 6; ++row) {
      for (std::size_t k = 0; k < all; ++k) {
        const T ratio = static_cast<T>(sources[k].ratio);
        T* const sum = J + (row * n + static_cast<std::size_t>(sources[k].source)) * lanes_;
        for (std::size_t lane = 0; lane < lanes_; ++lane) sum[lane] += ratio * rows_[(row * all + k) * lanes_ + lane];
      }
    }
  }

 private:
  const Model& model_;
  std::size_t lanes_;
  T* rows_;
};

/// The one model, or the first of several of the same topology.
inline const Model& first_of(const Model& model) {
  return model;
}
template <class T>
const Model& first_of(const ModelBatch<T>& models) {
  return models[0];
}

/// Link data of the models in a pack, for the kernels; for one model the links themselves.
inline const std::byte* lanes_of(const Model&, std::size_t) {
  return nullptr;
}
template <class T>
const std::byte* lanes_of(const ModelBatch<T>& models, std::size_t pack) {
  return models.links(pack % models.packs());
}

/// Per thread, for the kernels that work on links: the links of a pack, coordinates of all joints, and memory.
template <class T, class Models>
struct LinksPack {
  LinksPack(const Models& of, BatchWorkspace<T>& work, std::size_t part, Arena& room)
      : models(of),
        tree{first_of(of).tree()},
        joints(of, {}, &work.factors[part], room),
        memory(room.take<std::byte>(pack_tree_kernels<T>().bytes(tree.tree))) {}

  /// Selects the pack of a batch for the following calls.
  void begin(std::size_t pack) { tree.lanes = lanes_of(models, pack); }

  const Models& models;
  PackTree tree;
  PackDynamics<T> joints;
  std::byte* memory;
};

/// Throws UsageError unless every state has a model.
inline void require_states(const char*, const Model&, const BatchStates&) {}
template <class T>
void require_states(const char* function, const ModelBatch<T>& models, const BatchStates& states) {
  const std::size_t lanes = static_cast<std::size_t>(batch_lanes<T>());
  require(states.count == models.size() || (models.size() % lanes == 0 && states.count % models.size() == 0), function,
          "states", "there must be one state per model, or the same number per model if the models fill whole packs");
}

/// The i-th pack of states in processing order. Packs of the same models follow each other, so that their data stays in
/// the cache.
inline std::size_t pack_at(const Model&, const BatchStates&, std::size_t i) {
  return i;
}
template <class T>
std::size_t pack_at(const ModelBatch<T>& models, const BatchStates& states, std::size_t i) {
  const std::size_t rounds = states.count / models.size();
  return i % rounds * models.packs() + i / rounds;
}

}  // namespace pintle::batch
