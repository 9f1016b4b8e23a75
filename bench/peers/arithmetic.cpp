#include "arithmetic.h"

#include <algorithm>
#include <chrono>

#include "mechanism_spec.h"
#include "pintle/base/isa.h"
#include "pintle/dynamics/planned_forward_impl.h"
#include "pintle/dynamics/planned_inverse_impl.h"
#include "pintle/dynamics/planned_mass_impl.h"
#include "pintle/generic.h"
#include "support/counted.h"

namespace peers {
namespace {

using test::Counted;

constexpr int kTurns = 80;
constexpr int kSteps = 50;
constexpr int kChains = 10;  // fill two units with a latency of five cycles

#if defined(__x86_64__)
using FourDoubles [[gnu::vector_size(32)]] = double;
using EightDoubles [[gnu::vector_size(64)]] = double;

// Ten chains of fused multiply-adds, each waiting for nothing but the one before in its own chain, kSteps steps long.
// Written as instructions: so no compiler merges, splits or stores them on the way.
#define PEERS_CHAINS(fma, c, a, b)                                                                               \
  asm volatile(".rept 50\n" fma " %11, %10, %0\n" fma " %11, %10, %1\n" fma " %11, %10, %2\n" fma                \
               " %11, %10, %3\n" fma " %11, %10, %4\n" fma " %11, %10, %5\n" fma " %11, %10, %6\n" fma           \
               " %11, %10, %7\n" fma " %11, %10, %8\n" fma " %11, %10, %9\n.endr"                                \
               : "+x"(c[0]), "+x"(c[1]), "+x"(c[2]), "+x"(c[3]), "+x"(c[4]), "+x"(c[5]), "+x"(c[6]), "+x"(c[7]), \
                 "+x"(c[8]), "+x"(c[9])                                                                          \
               : "x"(a), "x"(b))

[[gnu::target("avx512f,avx2,fma"), gnu::noinline]] void add_eight_lanes(double* x) {
  EightDoubles c[kChains];
  for (EightDoubles& start : c) start = EightDoubles{x[0], x[1], x[2], x[3], x[0], x[1], x[2], x[3]};
  const EightDoubles a{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, b{1, 1, 1, 1, 1, 1, 1, 1};
  for (int turn = 0; turn < kTurns; ++turn) PEERS_CHAINS("vfmadd213pd", c, a, b);
  for (int i = 0; i < kChains; ++i) x[i % 4] += c[i][0];
}

[[gnu::target("avx2,fma"), gnu::noinline]] void add_four_lanes(double* x) {
  FourDoubles c[kChains];
  for (FourDoubles& start : c) start = FourDoubles{x[0], x[1], x[2], x[3]};
  const FourDoubles a{0.5, 0.5, 0.5, 0.5}, b{1, 1, 1, 1};
  for (int turn = 0; turn < kTurns; ++turn) PEERS_CHAINS("vfmadd213pd", c, a, b);
  for (int i = 0; i < kChains; ++i) x[i % 4] += c[i][0];
}

[[gnu::target("avx2,fma"), gnu::noinline]] void add_one_lane(double* x) {
  double c[kChains];
  for (double& start : c) start = x[0];
  const double a = 0.5, b = 1;
  for (int turn = 0; turn < kTurns; ++turn) PEERS_CHAINS("vfmadd213sd", c, a, b);
  for (int i = 0; i < kChains; ++i) x[i % 4] += c[i];
}

/// Operations per ns at best.
double best_rate(void (*loop)(double*), double lanes) {
  double x[4] = {1, 2, 3, 4}, best = 0;
  for (int i = 0; i < 20000; ++i) {  // long enough to wake the processor up
    const auto start = std::chrono::steady_clock::now();
    loop(x);
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::max(best, 2.0 * lanes * kTurns * kSteps * kChains / time.count());
  }
  return best;
}
#endif

std::vector<Counted> counted(const std::vector<double>& x) {
  return {x.begin(), x.end()};
}

}  // namespace

long operations_of(Function function, const Mechanism& mechanism, const State& state) {
  const pintle::Model model = pintle::compile(spec_of(mechanism)).value();
  const std::vector<Counted> q = counted(state.q), v = counted(state.v), vdot = counted(state.vdot);
  const std::vector<Counted> tau = counted(state.tau);
  std::vector<Counted> result(v.size() * v.size());
  const pintle::PlanView<double> plan = model.plan().view<double>();
  std::vector<std::byte> bytes(pintle::planned_bytes<Counted>(plan));
  const pintle::PlannedMemory<Counted> memory = pintle::planned_memory<Counted>(plan, bytes.data());
  Counted::operations = 0;
  switch (function) {
    case Function::inverse:
      pintle::planned_inverse_dynamics<Counted>(plan, q.data(), v.data(), vdot.data(), memory, result.data());
      break;
    case Function::forward:
      pintle::planned_forward_dynamics<Counted>(plan, q.data(), v.data(), tau.data(), memory, result.data());
      break;
    case Function::mass:
      pintle::planned_mass_matrix<Counted>(plan, q.data(), memory, result.data());
      break;
    default:
      break;
  }
  return Counted::operations;
}

Peak measure_peak() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    Peak peak{.one_lane = best_rate(add_one_lane, 1), .four_lanes = best_rate(add_four_lanes, 4), .widest = 0, .lanes = 0};
    const bool wide = pintle::active_isa() == pintle::Isa::avx512;
    peak.lanes = wide ? 8 : 4;
    peak.widest = wide ? best_rate(add_eight_lanes, 8) : peak.four_lanes;
    return peak;
  }
#endif
  return {};
}

}  // namespace peers
