// The time of the simulator over that of the bare integrator (simulation_calls.h). Fails if the overhead is 10 % or more
// for a mechanism of 12 dofs or more.
#include <time.h>

#include <algorithm>
#include <cstdio>

#include "robots.h"
#include "simulation_calls.h"

namespace {

using namespace pintle;

constexpr double kMaxAdded = 0.10;
constexpr int kFromDofs = 12;
constexpr int kRounds = 300;

/// Processor time of the thread so far.
double now_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

/// Medians: microseconds per step, and the overhead, from consecutive samples.
struct Times {
  double simulator, integrator, adds, by_steps, bare_by_steps;
};

Times measure(const ModelSpec& model) {
  Runner checked(model, true), bare(model, false);
  checked();
  bare();
  if (checked.sink.rows != kSteps / kRowEvery + 1) std::abort();
  BareRunner integrator(model);
  std::vector<double> simulator, all, adds, by_steps, bare_by_steps;
  for (int round = 0; round < kRounds; ++round) {
    const double t0 = now_us();
    checked();
    const double t1 = now_us();
    integrator.steps_and_rows();
    const double t2 = now_us();
    integrator.steps();
    const double t3 = now_us();
    bare();
    const double t4 = now_us();
    simulator.push_back((t1 - t0) / kSteps);
    all.push_back((t2 - t1) / kSteps);
    adds.push_back((t1 - t0) / (t2 - t1) - 1.0);
    by_steps.push_back((t1 - t0) / (t3 - t2) - 1.0);
    bare_by_steps.push_back((t4 - t3) / (t3 - t2) - 1.0);
  }
  return {median(simulator), median(all), median(adds), median(by_steps), median(bare_by_steps)};
}

struct Case {
  const char* name;
  ModelSpec model;
};

}  // namespace

int main() {
  const Case cases[] = {
      {"arm 7", chain(7)}, {"chain 12", chain(12)}, {"quadruped 12+6", quadruped()}, {"humanoid 30+6", humanoid()}};
  std::printf(
      "| | bare integrator with the calls of rows | simulator | adds | to the integrator alone | without energy balance "
      "and certificate |\n");
  std::printf("|---|---|---|---|---|---|\n");
  bool held = true;
  for (const Case& one : cases) {
    const Times times = measure(one.model);
    std::printf("| %s | %.2f us | %.2f us | %.1f %% | %.1f %% | %.1f %% |\n", one.name, times.integrator, times.simulator,
                100.0 * times.adds, 100.0 * times.by_steps, 100.0 * times.bare_by_steps);
    std::fflush(stdout);
    held = held && (compile(one.model).value().nv() < kFromDofs || times.adds < kMaxAdded);
  }
  if (held) return 0;
  std::printf("\nit adds %.0f %% or more to a mechanism of %d dofs or more\n", 100.0 * kMaxAdded, kFromDofs);
  return 1;
}
