#include "arithmetic.h"

#include <algorithm>
#include <chrono>

#include "mechanism_spec.h"
#include "pintle/base/isa.h"
#include "pintle/dynamics/aligned/aligned_centroidal_impl.h"
#include "pintle/dynamics/aligned/aligned_coriolis_impl.h"
#include "pintle/dynamics/aligned/aligned_energies_impl.h"
#include "pintle/dynamics/aligned/aligned_jacobian_impl.h"
#include "pintle/dynamics/plan/planned_forward_impl.h"
#include "pintle/dynamics/plan/planned_inverse_impl.h"
#include "pintle/dynamics/plan/planned_mass_impl.h"
#include "pintle/dynamics/plan/planned_mass_inverse_impl.h"
#include "pintle/dynamics/recursions/kinematics_impl.h"
#include "pintle/dynamics/recursions/mass_matrix_factor_impl.h"
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

// Ten chains of fused multiply-adds, each dependent only on its own predecessor, kSteps steps long. Written as
// instructions, so that no compiler merges, splits or stores them.
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

/// The maximum rate, in operations per ns.
double best_rate(void (*loop)(double*), double lanes) {
  double x[4] = {1, 2, 3, 4}, best = 0;
  for (int i = 0; i < 20000; ++i) {  // long enough to raise the clock frequency
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

/// Values of a counting type, and the memory of the kernels that use them.
struct CountedState {
  CountedState(const pintle::Model& of, const State& state)
      : model(of),
        tree(model.tree()),
        plan(model.plan().view<double>()),
        q(counted(state.q)),
        v(counted(state.v)),
        vdot(counted(state.vdot)),
        tau(counted(state.tau)),
        result(std::max(v.size() * v.size(), 6 * v.size())) {}

  /// Memory laid out by take(tree, cutter).
  template <class Take>
  auto memory_of(Take take) {
    pintle::Arena counter(nullptr);
    take(tree, counter);
    bytes.resize(counter.used());
    pintle::Arena cutter(bytes.data());
    return take(tree, cutter);
  }
  pintle::PlannedMemory<Counted> planned_memory() {
    bytes.resize(pintle::planned_bytes<Counted>(plan));
    return pintle::planned_memory<Counted>(plan, bytes.data());
  }

  const pintle::Model& model;
  pintle::LinkTree tree;
  pintle::PlanView<double> plan;
  std::vector<Counted> q, v, vdot, tau, result;
  std::vector<std::byte> bytes;
};

void count_kinematics(CountedState& at) {
  const std::size_t links = at.model.links().size(), dofs = at.v.size();
  std::vector<pintle::Pose<Counted>> X_PL(links), X_WL(links);
  std::vector<pintle::Twist<Counted>> S(dofs), V(links), c(links), A(links);
  pintle::kinematics_kernel<Counted>(at.tree, at.q.data(), at.v.data(), at.vdot.data(),
                                     {{X_PL.data(), S.data(), V.data(), c.data()}, X_WL.data(), A.data()});
}

void count_centroidal(CountedState& at) {
  Counted* const A_G = at.result.data();
  pintle::aligned_centroidal<Counted>(at.tree, at.q.data(), at.memory_of(pintle::take_centroidal_memory<Counted>), A_G);
  Counted::operations += 12 * static_cast<long>(at.v.size());  // A_G v
}

void count_solve(CountedState& at) {
  const pintle::DofBranches branches = at.model.dof_branches();
  std::vector<Counted> L(at.v.size() * static_cast<std::size_t>(branches.row));
  pintle::planned_mass_matrix<Counted>(at.plan, at.q.data(), at.planned_memory(), at.result.data());
  pintle::factor_branches<Counted>(branches, at.result.data(), L.data());
  pintle::solve_branches<Counted>(branches, L.data(), at.tau.data());
}

void count_inverse(CountedState& at) {
  at.bytes.resize(pintle::inverse_bytes<Counted>(at.plan));
  pintle::planned_mass_matrix_inverse<Counted>(
      at.plan, at.q.data(), pintle::inverse_memory<Counted>(at.plan, at.bytes.data(), at.result.data()),
      at.result.data());
}

}  // namespace

long operations_of(Function function, const Mechanism& mechanism, const State& state) {
  const pintle::Model model = pintle::compile(spec_of(mechanism)).value();
  CountedState at(model, state);
  const pintle::Place place = pintle::body_place(model, static_cast<int>(model.bodies().size()) - 1);
  const Counted *const q = at.q.data(), *const v = at.v.data();
  Counted* const result = at.result.data();
  Counted::operations = 0;
  switch (function) {
    case Function::kinematics:
      count_kinematics(at);
      break;
    case Function::jacobian:
      pintle::aligned_jacobian<Counted>(at.tree, q, place.link, place.X_LF, pintle::Axes::local_world_aligned,
                                        at.memory_of(pintle::take_jacobian_memory<Counted>), result);
      break;
    case Function::columns:
      pintle::aligned_columns<Counted>(at.tree, q, at.memory_of(pintle::take_jacobian_memory<Counted>), result);
      break;
    case Function::inverse:
      pintle::planned_inverse_dynamics<Counted>(at.plan, q, v, at.vdot.data(), at.planned_memory(), result);
      break;
    case Function::forward:
      pintle::planned_forward_dynamics<Counted>(at.plan, q, v, at.tau.data(), at.planned_memory(), result);
      break;
    case Function::mass:
      pintle::planned_mass_matrix<Counted>(at.plan, q, at.planned_memory(), result);
      break;
    case Function::solve:
      count_solve(at);
      break;
    case Function::minverse:
      count_inverse(at);
      break;
    case Function::coriolis:
      pintle::aligned_coriolis_matrix<Counted>(at.tree, q, v, at.memory_of(pintle::take_coriolis_memory<Counted>),
                                               result);
      break;
    case Function::centroidal:
      count_centroidal(at);
      break;
    case Function::energies:
      pintle::aligned_energies<Counted>(at.tree, q, v, at.memory_of(pintle::take_energies_memory<Counted>), result);
      break;
    case Function::coriolis_v:
    case Function::step:
      break;
  }
  return Counted::operations;
}

Peak measure_peak() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    Peak peak{
        .one_lane = best_rate(add_one_lane, 1), .four_lanes = best_rate(add_four_lanes, 4), .widest = 0, .lanes = 0};
    const bool wide = pintle::active_isa() == pintle::Isa::avx512;
    peak.lanes = wide ? 8 : 4;
    peak.widest = wide ? best_rate(add_eight_lanes, 8) : peak.four_lanes;
    return peak;
  }
#endif
  return {};
}

}  // namespace peers
