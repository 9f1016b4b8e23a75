// ThreadPool: parallel loops whose results do not depend on the number of threads.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "pintle/base/isa.h"
#include "pintle/base/usage_error.h"

namespace pintle {

namespace detail {
// A non-owning reference to a function of the chunk [begin, end).
struct ChunkFunction {
  const void* object;
  void (*call)(const void* object, std::size_t begin, std::size_t end);
};

inline namespace PINTLE_ISA {

template <class F>
void call_chunk(const void* object, std::size_t begin, std::size_t end) {
  (*static_cast<const F*>(object))(begin, end);
}

template <class T, class Map>
struct StorePartial {
  const Map& map;
  std::size_t chunk;
  T* partials;

  void operator()(std::size_t begin, std::size_t end) const { partials[begin / chunk] = map(begin, end); }
};

}  // namespace PINTLE_ISA
}  // namespace detail

/// A fixed number of threads that share loops, the calling thread among them.
///
/// A loop over [0, count) is divided into the chunks [0, chunk), [chunk, 2 chunk), ..., the last one perhaps shorter.
/// The division depends only on `count` and `chunk`; which thread gets which chunk is unspecified. So a loop whose
/// chunks do not touch one another's data has the same bits for any number of threads.
///
/// Several threads may start loops; shared loops run one after the other. A loop is not shared and runs on the thread
/// that started it, when it has only one chunk or is started inside a chunk of a shared loop, of any pool. No call
/// allocates memory unless it says so.
class ThreadPool {
 public:
  /// A pool of `threads` threads, the caller's included: 1 runs everything on the caller, 0 means as many as the
  /// machine has. Throws UsageError when negative, std::system_error when the system provides no more threads.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// The number of threads, the caller's included.
  int size() const;

  /// The number of chunks of a loop. Throws UsageError when `chunk` is 0.
  static std::size_t chunk_count(std::size_t count, std::size_t chunk);

  /// Calls f(begin, end) once for every chunk and returns when all calls have. The calls run at the same time on
  /// several threads, hence on a const f. Every chunk runs even when others throw; then the exception of the first
  /// chunk that threw, in the order of the chunks, is rethrown, and the others are dropped. Throws UsageError when
  /// `chunk` is 0.
  template <class F>
  PINTLE_INLINE void parallel_for(std::size_t count, std::size_t chunk, const F& f) {
    static_assert(std::is_object_v<F>, "pass a function object, or a pointer to a function");
    run(count, chunk, {&f, &detail::call_chunk<F>});
  }

  /// combine(... combine(combine(init, m0), m1) ..., mk), where mi = map(begin, end) of chunk i: computed in parallel,
  /// combined in the order of the chunks on the calling thread, so the bits are the same for any number of threads.
  /// `partials` is scratch for the mi, at least as many as there are chunks. Throws UsageError when it is too small or
  /// `chunk` is 0; exceptions of `map` as in parallel_for.
  template <class T, class Map, class Combine>
  PINTLE_INLINE T reduce(std::size_t count, std::size_t chunk, T init, const Map& map, const Combine& combine,
                         std::span<std::type_identity_t<T>> partials) {
    const std::size_t chunks = chunk_count(count, chunk);
    static_assert(std::is_same_v<T, std::remove_cvref_t<std::invoke_result_t<const Map&, std::size_t, std::size_t>>>,
                  "init must have the type that map returns: 0.0, not 0, for doubles");
    require_size_at_least("ThreadPool::reduce", "partials", partials.size(), chunks);
    parallel_for(count, chunk, detail::StorePartial<T, Map>{map, chunk, partials.data()});
    for (std::size_t i = 0; i < chunks; ++i) init = combine(std::move(init), std::move(partials[i]));
    return init;
  }

  /// The same without a scratch array: allocates one T per chunk.
  template <class T, class Map, class Combine>
  T reduce(std::size_t count, std::size_t chunk, T init, const Map& map, const Combine& combine) {
    static_assert(!std::is_same_v<T, bool>, "a vector<bool> cannot be written by several threads: reduce to int");
    std::vector<T> partials(chunk_count(count, chunk));
    return reduce(count, chunk, std::move(init), map, combine, std::span<T>(partials));
  }

 private:
  struct Workers;

  void run(std::size_t count, std::size_t chunk, detail::ChunkFunction function);

  Workers* workers_;  // null when the caller is the only thread
};

}  // namespace pintle
