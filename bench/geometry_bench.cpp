// The broad phase: all overlapping pairs of n boxes that move a little between the calls, spread so that each overlaps
// about two others, in space and on a floor. Items are boxes; `peer` tests every pair.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "pintle/base/random.h"
#include "pintle/geometry/broad_phase/broad_phase.h"

namespace {

using namespace pintle;

std::vector<BoundingBox> boxes_in(RandomStream& stream, int n, bool on_floor) {
  const double side = on_floor ? std::sqrt(2.0 * n) : std::cbrt(4.0 * n);
  std::vector<BoundingBox> boxes;
  for (int i = 0; i < n; ++i) {
    const Vec3<> corner{stream.uniform(0.0, side), stream.uniform(0.0, side),
                        on_floor ? 0.0 : stream.uniform(0.0, side)};
    boxes.push_back({corner, corner + Vec3<>{1.0, 1.0, 1.0}});
  }
  return boxes;
}

void move(RandomStream& stream, std::vector<BoundingBox>& boxes) {
  for (BoundingBox& box : boxes) {
    const Vec3<> by{stream.uniform(-0.01, 0.01), stream.uniform(-0.01, 0.01), stream.uniform(-0.01, 0.01)};
    box = {box.min + by, box.max + by};
  }
}

/// Calls find(boxes), which returns the number of pairs, for moving boxes.
template <class Find>
void over_motion(benchmark::State& state, bool on_floor, Find find) {
  RandomStream stream(1);
  std::vector<std::vector<BoundingBox>> frames{boxes_in(stream, static_cast<int>(state.range(0)), on_floor)};
  while (frames.size() < 32) {
    frames.push_back(frames.back());
    move(stream, frames.back());
  }
  std::size_t frame = 0, pairs = 0;
  for (auto _ : state) {
    const std::size_t there_and_back = frame++ % 62;
    pairs = find(frames[there_and_back < 32 ? there_and_back : 62 - there_and_back]);
  }
  state.counters["pairs"] = static_cast<double>(pairs);
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void broad_phase_in_space(benchmark::State& state) {
  BroadPhase broad_phase;
  over_motion(state, false, [&](const std::vector<BoundingBox>& boxes) { return broad_phase.pairs(boxes).size(); });
}
BENCHMARK(broad_phase_in_space)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000);

void broad_phase_on_floor(benchmark::State& state) {
  BroadPhase broad_phase;
  over_motion(state, true, [&](const std::vector<BoundingBox>& boxes) { return broad_phase.pairs(boxes).size(); });
}
BENCHMARK(broad_phase_on_floor)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000);

void broad_phase_peer(benchmark::State& state) {
  over_motion(state, false, [&](const std::vector<BoundingBox>& boxes) {
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i)
      for (std::size_t j = i + 1; j < boxes.size(); ++j) pairs += overlap(boxes[i], boxes[j]) ? 1 : 0;
    return pairs;
  });
}
BENCHMARK(broad_phase_peer)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000);

}  // namespace
