#include "pintle/base/thread_pool.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/count_allocations.h"
#include "pintle/base/hash.h"
#include "pintle/base/random.h"

namespace pintle {
namespace {

constexpr int kThreadCounts[] = {1, 2, 3, 8};

struct Chunk {
  std::size_t begin, end;
  bool operator<(const Chunk& other) const { return begin < other.begin; }
  bool operator==(const Chunk& other) const { return begin == other.begin && end == other.end; }
};

std::vector<Chunk> chunks_of(ThreadPool& pool, std::size_t count, std::size_t chunk) {
  std::mutex mutex;
  std::vector<Chunk> chunks;
  pool.parallel_for(count, chunk, [&](std::size_t begin, std::size_t end) {
    const std::lock_guard lock(mutex);
    chunks.push_back({begin, end});
  });
  std::sort(chunks.begin(), chunks.end());
  return chunks;
}

std::vector<Chunk> expected_chunks(std::size_t count, std::size_t chunk) {
  std::vector<Chunk> chunks;
  for (std::size_t begin = 0; begin < count; begin += chunk) chunks.push_back({begin, std::min(begin + chunk, count)});
  return chunks;
}

TEST_CASE("a pool has as many threads as asked for, and at least one") {
  for (const int threads : kThreadCounts) CHECK(ThreadPool(threads).size() == threads);
  CHECK(ThreadPool(0).size() == std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  CHECK_THROWS_WITH_AS(ThreadPool(-1),
                       "ThreadPool: argument 'threads': must be positive, or 0 for all threads of the machine",
                       UsageError);
}

TEST_CASE("the chunks cover the range once, in the same pieces for any number of threads") {
  for (const int threads : kThreadCounts) {
    ThreadPool pool(threads);
    for (const std::size_t count : {0U, 1U, 2U, 7U, 64U, 1000U}) {
      for (const std::size_t chunk : {1U, 2U, 3U, 64U, 999U, 1000U, 5000U}) {
        CAPTURE(threads);
        CAPTURE(count);
        CAPTURE(chunk);
        const bool same = chunks_of(pool, count, chunk) == expected_chunks(count, chunk);
        CHECK(same);
        CHECK(ThreadPool::chunk_count(count, chunk) == expected_chunks(count, chunk).size());
      }
    }
  }
}

TEST_CASE("chunks larger than any range do not overflow") {
  constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
  CHECK(ThreadPool::chunk_count(kHuge, kHuge) == 1);
  CHECK(ThreadPool::chunk_count(kHuge, kHuge - 1) == 2);
  for (const int threads : kThreadCounts) {
    ThreadPool pool(threads);
    const bool one = chunks_of(pool, kHuge, kHuge) == std::vector<Chunk>{{0, kHuge}};
    const bool two = chunks_of(pool, kHuge, kHuge - 1) == std::vector<Chunk>{{0, kHuge - 1}, {kHuge - 1, kHuge}};
    CHECK(one);
    CHECK(two);
  }
}

TEST_CASE("a chunk of zero is a wrong call, also of an empty loop") {
  const char* text = "ThreadPool: argument 'chunk': must be at least 1";
  for (const int threads : kThreadCounts) {
    ThreadPool pool(threads);
    const auto nothing = [](std::size_t, std::size_t) {};
    const auto zero = [](std::size_t, std::size_t) { return 0; };
    const auto sum = [](int a, int b) { return a + b; };
    CHECK_THROWS_WITH_AS(pool.parallel_for(5, 0, nothing), text, UsageError);
    CHECK_THROWS_WITH_AS(pool.parallel_for(0, 0, nothing), text, UsageError);
    CHECK_THROWS_WITH_AS(pool.reduce(5, 0, 0, zero, sum), text, UsageError);
  }
  CHECK_THROWS_WITH_AS(ThreadPool::chunk_count(5, 0), text, UsageError);
}

TEST_CASE("several threads take part, the caller among them") {
  // Every chunk waits until as many chunks as there are threads have begun: with fewer threads this would never end.
  for (const int threads : kThreadCounts) {
    ThreadPool pool(threads);
    const auto count = static_cast<std::size_t>(threads);
    std::atomic<std::size_t> begun = 0;
    std::mutex mutex;
    std::set<std::thread::id> ids;
    pool.parallel_for(count, 1, [&](std::size_t, std::size_t) {
      begun.fetch_add(1);
      while (begun.load() < count) std::this_thread::yield();
      const std::lock_guard lock(mutex);
      ids.insert(std::this_thread::get_id());
    });
    CHECK(ids.size() == count);
    CHECK(ids.contains(std::this_thread::get_id()));
  }
}

void count_chunk(std::size_t, std::size_t) {}

TEST_CASE("a pointer to a function will do") {
  ThreadPool pool(2);
  CHECK_NOTHROW(pool.parallel_for(10, 1, &count_chunk));
}

// A sum whose bits depend on the order of its additions.
double wild_sum(ThreadPool& pool, const std::vector<double>& numbers, std::size_t chunk) {
  const auto sum_of_chunk = [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += numbers[i];
    return sum;
  };
  return pool.reduce(numbers.size(), chunk, 0.1, sum_of_chunk, [](double a, double b) { return a + b; });
}

TEST_CASE("a reduction gives the same bits for any number of threads") {
  RandomStream random(1);
  std::vector<double> numbers(10007);
  for (double& x : numbers) x = random.uniform(-1, 1) * (random.below(2) == 0 ? 1e12 : 1e-3);
  for (const std::size_t chunk : {1U, 7U, 100U, 20000U}) {
    double expected = 0.1;
    for (const Chunk c : expected_chunks(numbers.size(), chunk)) {
      double sum = 0;
      for (std::size_t i = c.begin; i < c.end; ++i) sum += numbers[i];
      expected += sum;
    }
    for (const int threads : kThreadCounts) {
      ThreadPool pool(threads);
      for (int repeat = 0; repeat < 20; ++repeat) CHECK(wild_sum(pool, numbers, chunk) == expected);
    }
  }
}

TEST_CASE("a reduction combines from left to right, beginning with init") {
  const auto label = [](std::size_t begin, std::size_t end) {
    std::string text = "[";
    text += std::to_string(begin);
    text += ",";
    text += std::to_string(end);
    text += ")";
    return text;
  };
  const auto join = [](const std::string& a, const std::string& b) { return "(" + a + b + ")"; };
  for (const int threads : kThreadCounts) {
    ThreadPool pool(threads);
    CHECK(pool.reduce(5, 2, std::string("init"), label, join) == "(((init[0,2))[2,4))[4,5))");
    CHECK(pool.reduce(0, 2, std::string("init"), label, join) == "init");
  }
}

TEST_CASE("a reduction with scratch of the caller needs room for each chunk, and uses no more") {
  const auto size = [](std::size_t begin, std::size_t end) { return end - begin; };
  const auto sum = [](std::size_t a, std::size_t b) { return a + b; };
  for (const int threads : kThreadCounts) {
    ThreadPool pool(threads);
    std::vector<std::size_t> partials(5, 77);
    CHECK(pool.reduce(10, 3, std::size_t{0}, size, sum, partials) == 10);
    CHECK(partials == std::vector<std::size_t>{3, 3, 3, 1, 77});
    CHECK_THROWS_WITH_AS(pool.reduce(16, 3, std::size_t{0}, size, sum, partials),
                         "ThreadPool::reduce: argument 'partials' has size 5, expected at least 6", UsageError);
  }
}

TEST_CASE("a value that can only be moved can be reduced") {
  ThreadPool pool(3);
  using Box = std::unique_ptr<std::size_t>;
  const Box sum = pool.reduce(
      100, 7, std::make_unique<std::size_t>(0),
      [](std::size_t begin, std::size_t end) { return std::make_unique<std::size_t>(end - begin); },
      [](Box a, Box b) { return std::make_unique<std::size_t>(*a + *b); });
  CHECK(*sum == 100);
}

TEST_CASE("the exception of the lowest chunk that threw arrives, and every chunk was run") {
  for (const int threads : kThreadCounts) {
    ThreadPool pool(threads);
    for (std::size_t first = 0; first < 40; first += 3) {
      std::vector<int> runs(40, 0);
      std::string caught;
      try {
        pool.parallel_for(40, 1, [&](std::size_t begin, std::size_t) {
          ++runs[begin];
          // The higher chunks throw sooner.
          if (begin == first) std::this_thread::sleep_for(std::chrono::microseconds(200));
          if (begin >= first) throw std::runtime_error(std::to_string(begin));
        });
      } catch (const std::runtime_error& error) {
        caught = error.what();
      }
      CHECK(caught == std::to_string(first));
      CHECK(runs == std::vector<int>(40, 1));
    }
    CHECK(chunks_of(pool, 100, 7).size() == 15);
  }
}

TEST_CASE("exceptions of a reduction arrive too, from the map and from the combination") {
  const auto sum = [](int a, int b) { return a + b; };
  const auto one = [](std::size_t, std::size_t) { return 1; };
  for (const int threads : kThreadCounts) {
    ThreadPool pool(threads);
    const auto bad_map = [](std::size_t begin, std::size_t) -> int { throw std::out_of_range(std::to_string(begin)); };
    const auto bad_sum = [](int, int) -> int { throw std::range_error("combine"); };
    CHECK_THROWS_WITH_AS(pool.reduce(20, 3, 0, bad_map, sum), "0", std::out_of_range);
    CHECK_THROWS_WITH_AS(pool.reduce(20, 3, 0, one, bad_sum), "combine", std::range_error);
    CHECK(pool.reduce(20, 3, 0, one, sum) == 7);
  }
}

TEST_CASE("a loop inside a chunk runs on that chunk's thread, of the same pool or another") {
  for (const int threads : kThreadCounts) {
    ThreadPool pool(threads);
    ThreadPool other(3);
    std::atomic<std::size_t> sum = 0;
    std::atomic<int> strangers = 0;
    std::atomic<int> begun = 0;
    pool.parallel_for(20, 1, [&](std::size_t, std::size_t) {
      // So that every thread gets a chunk.
      begun.fetch_add(1);
      while (begun.load() < threads) std::this_thread::yield();
      const std::thread::id chunk_thread = std::this_thread::get_id();
      pool.parallel_for(10, 2, [&](std::size_t begin, std::size_t end) {
        if (std::this_thread::get_id() != chunk_thread) ++strangers;
        other.parallel_for(end - begin, 1, [&](std::size_t, std::size_t) {
          pool.parallel_for(3, 1, [&](std::size_t, std::size_t) { ++sum; });
        });
      });
    });
    CHECK(sum == 20 * 10 * 3);
    CHECK(strangers == 0);
  }
}

TEST_CASE("an exception of an inner loop passes through the outer one") {
  for (const int threads : kThreadCounts) {
    ThreadPool pool(threads);
    const auto outer = [&](std::size_t o, std::size_t) {
      pool.parallel_for(8, 1, [&](std::size_t i, std::size_t) {
        if (o >= 2 && i >= 3) throw std::runtime_error(std::to_string(o) + "/" + std::to_string(i));
      });
    };
    CHECK_THROWS_WITH_AS(pool.parallel_for(8, 1, outer), "2/3", std::runtime_error);
  }
}

TEST_CASE("after a loop that threw, the caller's next loop is shared again") {
  ThreadPool pool(2);
  const auto thrower = [](std::size_t, std::size_t) { throw std::runtime_error("x"); };
  CHECK_THROWS_AS(pool.parallel_for(10, 1, thrower), std::runtime_error);
  std::atomic<int> begun = 0;
  pool.parallel_for(2, 1, [&](std::size_t, std::size_t) {
    begun.fetch_add(1);
    while (begun.load() < 2) std::this_thread::yield();
  });
  CHECK(begun == 2);
}

TEST_CASE("loops started from several threads at once are all done completely, one after the other") {
  ThreadPool pool(3);
  constexpr std::size_t kCallers = 4;
  std::vector<std::size_t> sums(kCallers, 0);
  std::vector<std::atomic<int>> running(kCallers);
  std::atomic<int> overlaps = 0;
  const auto loop = [&](std::size_t caller, std::size_t count) {
    const auto size_of_chunk = [&](std::size_t begin, std::size_t end) {
      ++running[caller];
      for (std::size_t other = 0; other < kCallers; ++other) {
        if (other != caller && running[other] > 0) ++overlaps;
      }
      std::this_thread::yield();
      --running[caller];
      return end - begin;
    };
    return pool.reduce(count, 3, std::size_t{0}, size_of_chunk, [](std::size_t a, std::size_t b) { return a + b; });
  };
  {
    std::vector<std::jthread> callers;
    for (std::size_t caller = 0; caller < kCallers; ++caller) {
      callers.emplace_back([&, caller] {
        // A loop of one chunk runs on its caller at once, hence the beginning at 4.
        for (std::size_t count = 4; count < 200; ++count) sums[caller] += loop(caller, count);
      });
    }
  }
  CHECK(sums == std::vector<std::size_t>(kCallers, 199 * 200 / 2 - 6));
  CHECK(overlaps == 0);
}

TEST_CASE("what a loop wrote is there when it returns, over thousands of short loops") {
  for (const int threads : kThreadCounts) {
    ThreadPool pool(threads);
    std::vector<std::uint64_t> state(64, 0);
    for (int step = 0; step < 3000; ++step) {
      pool.parallel_for(state.size(), 5, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) state[i] += i + 1;
      });
    }
    StateHash actual, expected;
    for (std::size_t i = 0; i < state.size(); ++i) {
      actual.add(state[i]);
      expected.add(std::uint64_t{3000} * (i + 1));
    }
    CHECK(actual.value() == expected.value());
  }
}

TEST_CASE("pools that come and go, used or not, end their threads") {
  for (int i = 0; i < 100; ++i) {
    ThreadPool unused(3);
    ThreadPool used(2);
    std::atomic<int> runs = 0;
    used.parallel_for(4, 1, [&](std::size_t, std::size_t) { ++runs; });
    CHECK(runs == 4);
  }
}

TEST_CASE("loops allocate nothing") {
  std::vector<std::size_t> partials(100);
  for (const int threads : kThreadCounts) {
    ThreadPool pool(threads);
    std::size_t total = 0;
    const std::size_t before = count_allocations();
    for (int repeat = 0; repeat < 100; ++repeat) {
      pool.parallel_for(100, 1, [&](std::size_t begin, std::size_t end) { partials[begin] = end; });
      total += pool.reduce(
          100, 1, std::size_t{0}, [](std::size_t begin, std::size_t end) { return end - begin; },
          [](std::size_t a, std::size_t b) { return a + b; }, std::span<std::size_t>(partials));
    }
    CHECK(count_allocations() - before == 0);
    CHECK(total == 10000);
  }
}

}  // namespace
}  // namespace pintle
