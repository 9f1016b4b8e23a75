// The cost of solving an island of contacts: from zeros, and from the impulses of the last step, where the free
// velocities have changed by a thousandth of what weight gives in a step. Counters: steps of Newton's method, iterations
// of ADMM, decimal logarithm of the residual.
#include <benchmark/benchmark.h>

#include <cmath>

#include "pintle/constraints/island_solver.h"
#include "support/islands.h"

namespace {

using namespace pintle;
using namespace pintle::islands;

void report_counters(benchmark::State& state, const IslandReport& report) {
  state.counters["newton"] = report.newton;
  state.counters["iterations"] = report.iterations;
  state.counters["log residual"] = std::log10(std::max(report.residual, 1e-17));
}

void from_zeros(benchmark::State& state, Island island) {
  const IslandProblem problem = island.problem();
  IslandSolver solver;
  IslandReport report;
  Numbers P(problem.b.size());
  for (auto _ : state) {
    for (double& x : P) x = 0.0;
    report = solver.solve(problem, P);
    benchmark::DoNotOptimize(P.data());
  }
  report_counters(state, report);
}

void from_last_step(benchmark::State& state, Island island) {
  IslandSolver solver;
  const IslandProblem before = island.problem();
  Numbers last(before.b.size()), P;
  IslandReport report = solver.solve(before, last);
  RandomStream stream(5);
  for (Numbers& v : island.free_velocity)
    for (double& x : v) x += stream.uniform(-1, 1) * 1e-3 * kGravity * kStep;
  const IslandProblem problem = island.problem();
  for (auto _ : state) {
    P = last;
    report = solver.solve(problem, P);
    benchmark::DoNotOptimize(P.data());
  }
  report_counters(state, report);
}

Island with_tolerance(Island island, double tolerance) {
  island.tolerance = tolerance;
  return island;
}

}  // namespace

#define PINTLE_ISLAND_BENCH(name, ...)               \
  BENCHMARK_CAPTURE(from_zeros, name, __VA_ARGS__);  \
  BENCHMARK_CAPTURE(from_last_step, name, __VA_ARGS__);

PINTLE_ISLAND_BENCH(box, stack_of(1))
PINTLE_ISLAND_BENCH(incline, incline_of(0.5, 0.4995))
PINTLE_ISLAND_BENCH(mass_ratio_1000, stack_of(2, 0.5, 1000))
PINTLE_ISLAND_BENCH(stack_10, stack_of(10))
PINTLE_ISLAND_BENCH(stack_5_slides, stack_of(5, 0.3, 1.0, {0.05, 0.02, -0.00981, 0.1, 0.2, 0.3}))
PINTLE_ISLAND_BENCH(heap_30, heap_of(30, 1, 0.5, 0.001))
PINTLE_ISLAND_BENCH(heap_30_falls, heap_of(30, 1))
PINTLE_ISLAND_BENCH(heap_100, with_tolerance(heap_of(100, 1, 0.5, 0.001), 1e-9))
PINTLE_ISLAND_BENCH(heap_100_falls, with_tolerance(heap_of(100, 1), 1e-9))
