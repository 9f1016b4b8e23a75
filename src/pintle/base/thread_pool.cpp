#include "pintle/base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <stop_token>
#include <thread>

namespace pintle {
namespace {

// Whether this thread is inside a chunk of a loop that several threads share. A loop started there must not wait for
// those threads: they may be waiting for this one.
thread_local bool inside_chunk = false;

}  // namespace

namespace detail {

// One loop: hands out its chunks in order.
class Loop {
 public:
  Loop(std::size_t count, std::size_t chunk, detail::ChunkFunction function)
      : count_(count), chunk_(chunk), chunks_(ThreadPool::chunk_count(count, chunk)), function_(function) {}

  std::size_t chunks() const { return chunks_; }

  // Runs chunks until none is left.
  void work() {
    for (std::size_t i = next_.fetch_add(1, std::memory_order_relaxed); i < chunks_;
         i = next_.fetch_add(1, std::memory_order_relaxed)) {
      const std::size_t begin = i * chunk_;
      try {
        function_.call(function_.object, begin, begin + std::min(chunk_, count_ - begin));
      } catch (...) {
        keep_first(i, std::current_exception());
      }
    }
  }

  // Call when no thread works on the loop any more.
  void rethrow() {
    if (first_error_) std::rethrow_exception(std::move(first_error_));
  }

 private:
  void keep_first(std::size_t index, std::exception_ptr error) {
    const std::lock_guard lock(error_mutex_);
    if (index >= first_error_index_) return;
    first_error_index_ = index;
    first_error_ = std::move(error);
  }

  const std::size_t count_;
  const std::size_t chunk_;
  const std::size_t chunks_;
  const detail::ChunkFunction function_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex error_mutex_;
  std::size_t first_error_index_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr first_error_;
};

}  // namespace detail

struct ThreadPool::Workers {
  explicit Workers(int count) {
    threads.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      threads.emplace_back([this](const std::stop_token& stop) { serve(stop); });
    }
  }

  void run(detail::Loop& shared) {
    const std::lock_guard one_loop_at_a_time(callers);
    {
      const std::lock_guard lock(mutex);
      loop = &shared;
      ++loops_started;
    }
    wake.notify_all();
    inside_chunk = true;
    shared.work();
    inside_chunk = false;
    // No chunk is left to hand out. A worker that wakes only now sees no loop, so it suffices to wait for the busy
    // ones.
    std::unique_lock lock(mutex);
    loop = nullptr;
    idle.wait(lock, [this] { return busy == 0; });
  }

  void serve(const std::stop_token& stop) {
    inside_chunk = true;
    std::size_t loops_seen = 0;
    std::unique_lock lock(mutex);
    while (wake.wait(lock, stop, [&] { return loop != nullptr && loops_started != loops_seen; })) {
      loops_seen = loops_started;
      detail::Loop& shared = *loop;
      ++busy;
      lock.unlock();
      shared.work();
      lock.lock();
      if (--busy == 0) idle.notify_one();
    }
  }

  std::mutex callers;  // held by the thread whose loop runs
  std::mutex mutex;    // guards loop, loops_started and busy
  std::condition_variable_any wake;
  std::condition_variable idle;
  detail::Loop* loop = nullptr;
  std::size_t loops_started = 0;
  int busy = 0;
  std::vector<std::jthread> threads;  // last, so that they end before the rest is destroyed
};

ThreadPool::ThreadPool(int threads) : workers_(nullptr) {
  require(threads >= 0, "ThreadPool", "threads", "must be positive, or 0 for all threads of the machine");
  const int wanted = threads > 0 ? threads : static_cast<int>(std::thread::hardware_concurrency());
  if (wanted > 1) workers_ = new Workers(wanted - 1);
}

ThreadPool::~ThreadPool() {
  delete workers_;
}

int ThreadPool::size() const {
  return workers_ == nullptr ? 1 : 1 + static_cast<int>(workers_->threads.size());
}

std::size_t ThreadPool::chunk_count(std::size_t count, std::size_t chunk) {
  require(chunk > 0, "ThreadPool", "chunk", "must be at least 1");
  return count / chunk + (count % chunk != 0 ? 1 : 0);
}

void ThreadPool::run(std::size_t count, std::size_t chunk, detail::ChunkFunction function) {
  detail::Loop loop(count, chunk, function);
  if (workers_ == nullptr || inside_chunk || loop.chunks() < 2) {
    loop.work();
  } else {
    workers_->run(loop);
  }
  loop.rethrow();
}

}  // namespace pintle
