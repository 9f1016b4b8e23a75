// Compiled once per instruction set.
#include "pintle/dynamics/kernels/planned_kernels_impl.h"
#include "pintle/dynamics/plan/planned_momentum_impl.h"

namespace pintle::inline PINTLE_ISA {
namespace {

// ---- dynamics with loads: as in planned_kernels_impl.h

constexpr bool kChains = kHasChains<double>;

void inverse_dynamics(const PlanView<double>& plan, const double* q, const double* v, const double* vdot,
                      const PlannedLoads<double>& loads, std::byte* memory, double* tau) {
  if constexpr (kChains)
    if (plan.chain.count > 0) return chain_inverse_dynamics(plan, q, v, vdot, loads, chain_memory(memory), tau);
  planned_inverse_dynamics(plan, q, v, vdot, planned_memory<double>(plan, memory), tau, loads);
}

bool forward_dynamics(const PlanView<double>& plan, const double* q, const double* v, const double* tau,
                      const PlannedLoads<double>& loads, std::byte* memory, double* vdot) {
  if constexpr (kChains)
    if (plan.chain.count > 0 && plan.chain.factored && loads.given == nullptr)
      return chain_forward_dynamics(plan, q, v, tau, loads, chain_memory(memory), vdot);
  return planned_forward_dynamics(plan, q, v, tau, planned_memory<double>(plan, memory), vdot, loads);
}

/// Whether the last call left its results in the memory of a chain.
[[maybe_unused]] bool is_of_chain(const PlanView<double>& plan, const PlannedCall& call) {
  return kChains && plan.chain.count > 0 && (!call.forward || (plan.chain.factored && !call.given));
}

Wrench<> supports(const PlanView<double>& plan, const double* q, const PlannedCall& call, std::byte* memory) {
  if constexpr (kChains)
    if (is_of_chain(plan, call)) return chain_supports(plan, call.forward, chain_memory(memory));
  return planned_supports(plan, q, call, planned_memory<double>(plan, memory));
}

Vec3<> first_moment(const PlanView<double>& plan, const double* q, const PlannedCall& call, std::byte* memory) {
  if constexpr (kChains)
    if (is_of_chain(plan, call)) return chain_first_moment(plan, chain_memory(memory));
  return planned_first_moment(plan, q, call, planned_memory<double>(plan, memory),
                              planned_moments<double>(plan, memory));
}

// ---- inputs

/// Calls use(x, i) for packs of N values, or of fewer, that cover all: the last pack may overlap the one before it.
/// `seen` collects the bits of x - x, which is zero for every finite x.
template <int N, class Use>
PINTLE_INLINE void check_values(const double* from, std::size_t count, std::int64_t& seen, const Use& use) {
  if constexpr (N == 1) {
    if (count == 0) return;
    seen |= to_bits(*from - *from);
    use(*from, 0);
  } else {
    if (count < N) return check_values<N / 2>(from, count, seen, use);
    using P = Pack<double, N>;
    typename Mask<double, N>::Native bits{};
    const auto check = [&](std::size_t i) {
      const P x = load<P>(from + i);
      bits |= to_bits(x - x);
      use(x, i);
    };
    for (std::size_t i = 0; i + N < count; i += N) check(i);
    check(count - N);
    seen |= static_cast<std::int64_t>(lane_bits(Mask<double, N>{bits != 0}));
  }
}

bool keep(const double* q, std::size_t nq, const double* v, const double* x, std::size_t nv, double* to) {
  constexpr int kLanes = NativePack<double>::kLanes;
  std::int64_t seen = 0;
  check_values<kLanes>(q, nq, seen, [to]<class P>(const P& values, std::size_t i) {
    if constexpr (std::is_same_v<P, double>) {
      to[i] = values;
    } else {
      store(values, to + i);
    }
  });
  check_values<kLanes>(v, nv, seen, [](const auto&, std::size_t) {});
  check_values<kLanes>(x, nv, seen, [](const auto&, std::size_t) {});
  return seen == 0;
}

constexpr PlannedKernelTable kKernels = {
    kPlannedKernelsOf<double>, inverse_dynamics, forward_dynamics, supports, first_moment, keep};

}  // namespace

const PlannedKernelTable& planned_kernels();
const PlannedKernelTable& planned_kernels() {
  return kKernels;
}

}  // namespace pintle::inline PINTLE_ISA
