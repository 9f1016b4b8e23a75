#include "sampling.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>

namespace peers {
namespace {

double now_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

long context_switches() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw + usage.ru_nvcsw;
}

/// The time of `calls` calls.
double time_of(Engine& engine, Function function, std::size_t states, std::size_t calls) {
  const double start = now_ns();
  for (std::size_t i = 0, k = 0; i < calls; ++i) {
    engine.run(function, k);
    if (++k == states) k = 0;
  }
  return now_ns() - start;
}

/// The approximate time of a call, and whether calls go through all states in order: the first call of a batch does the
/// work of all. Not if a single call takes too long for that.
struct CallTime {
  double ns;
  bool in_turn;
};
CallTime time_of_a_call(Engine& engine, Function function, std::size_t states, const SamplingPlan& plan) {
  time_of(engine, function, states, 1);  // warms the caches
  double first_ns = time_of(engine, function, states, 1);
  for (int again = 0; again < 2; ++again) first_ns = std::min(first_ns, time_of(engine, function, states, 1));
  const bool in_turn = first_ns < 10 * plan.sample_ns;
  const std::size_t calls = in_turn ? states : 1;
  const double second_ns = time_of(engine, function, states, calls);
  const double third_ns = time_of(engine, function, states, calls);
  return {std::max(1.0, std::min(second_ns, third_ns) / static_cast<double>(calls)), in_turn};
}

struct Sampler {
  Engine* engine;
  std::size_t calls = 1;
  std::vector<double> ns, disturbed_ns;
};

Timing summary(Sampler& sampler) {
  const bool disturbed = sampler.ns.size() < 3;
  std::vector<double>& ns = disturbed ? sampler.disturbed_ns : sampler.ns;
  if (ns.empty()) return {};
  std::sort(ns.begin(), ns.end());
  const double typical = disturbed ? ns.front() : ns[ns.size() / 2];
  return {.ns = typical,
          .spread = (ns[ns.size() * 3 / 4] - ns[ns.size() / 4]) / typical,
          .samples = ns.size(),
          .dropped = disturbed ? 0 : sampler.disturbed_ns.size(),
          .disturbed = disturbed};
}

}  // namespace

std::vector<Timing> measure(const std::vector<Engine*>& engines, Function function, std::size_t states,
                            const SamplingPlan& plan) {
  std::vector<Sampler> samplers;
  double round_ns = 0;
  for (Engine* const engine : engines) {
    Sampler sampler{.engine = engine, .calls = 1, .ns = {}, .disturbed_ns = {}};
    const CallTime call = time_of_a_call(*engine, function, states, plan);
    sampler.calls = static_cast<std::size_t>(std::max(1.0, plan.sample_ns / call.ns));
    if (call.in_turn) sampler.calls = (sampler.calls + states - 1) / states * states;  // whole batches
    round_ns += call.ns * static_cast<double>(sampler.calls);
    samplers.push_back(sampler);
  }
  const std::size_t wanted =
      std::clamp<std::size_t>(static_cast<std::size_t>(plan.budget_ns / round_ns), 5, plan.samples);
  for (std::size_t round = 0; round < 3 * wanted; ++round) {
    bool enough = true;
    for (std::size_t i = 0; i < samplers.size(); ++i) {
      Sampler& sampler = samplers[(i + round) % samplers.size()];  // no engine always follows the same one
      if (sampler.ns.size() >= wanted) continue;
      const long switches = context_switches();
      const double ns = time_of(*sampler.engine, function, states, sampler.calls) / static_cast<double>(sampler.calls);
      (context_switches() == switches ? sampler.ns : sampler.disturbed_ns).push_back(ns);
      enough = enough && sampler.ns.size() >= wanted;
    }
    if (enough) break;
  }
  std::vector<Timing> timings;
  timings.reserve(samplers.size());
  for (Sampler& sampler : samplers) timings.push_back(summary(sampler));
  return timings;
}

}  // namespace peers
