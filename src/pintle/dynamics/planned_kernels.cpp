// Compiled once per instruction set.
#include "pintle/dynamics/planned_kernels.h"

#include "pintle/dynamics/chain_kernels.h"
#include "pintle/dynamics/pack_numbers.h"
#include "pintle/dynamics/planned_forward_impl.h"
#include "pintle/dynamics/planned_inverse_impl.h"
#include "pintle/dynamics/planned_mass_impl.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/math/transpose_impl.h"

namespace pintle::inline PINTLE_ISA {
namespace {

/// Enough for every way: what a call remembers, the next one does not need.
template <class T>
std::size_t bytes(const PlanView<base_t<T>>& plan) {
  const std::size_t planned = planned_bytes<T>(plan), of_chain = kHasChains<T> ? chain_bytes(plan.chain) : 0;
  return planned < of_chain ? of_chain : planned;
}

template <class T>
void inverse(const PlanView<base_t<T>>& plan, const base_t<T>* q, const base_t<T>* v, const base_t<T>* vdot,
             std::byte* memory, base_t<T>* tau) {
  if constexpr (kHasChains<T>)
    if (plan.chain.count > 0) return chain_inverse_dynamics(plan.chain, q, v, vdot, chain_memory(memory), tau);
  planned_inverse_dynamics<T>(plan, packs<T>(q), packs<T>(v), packs<T>(vdot), planned_memory<T>(plan, memory),
                              packs<T>(tau));
}

template <class T>
bool forward(const PlanView<base_t<T>>& plan, const base_t<T>* q, const base_t<T>* v, const base_t<T>* tau,
             std::byte* memory, base_t<T>* vdot) {
  if constexpr (kHasChains<T>)
    if (plan.chain.count > 0 && plan.chain.factored)
      return chain_forward_dynamics(plan.chain, q, v, tau, chain_memory(memory), vdot);
  return planned_forward_dynamics<T>(plan, packs<T>(q), packs<T>(v), packs<T>(tau), planned_memory<T>(plan, memory),
                                     packs<T>(vdot));
}

template <class T>
void mass(const PlanView<base_t<T>>& plan, const base_t<T>* q, std::byte* memory, base_t<T>* M) {
  if constexpr (kHasChains<T>)
    if (plan.chain.count > 0) return chain_mass_matrix(plan.chain, q, chain_memory(memory), M);
  planned_mass_matrix<T>(plan, packs<T>(q), planned_memory<T>(plan, memory), packs<T>(M));
}

template <class T>
void to_packs(const base_t<T>* rows, std::size_t size, base_t<T>* packs) {
  if constexpr (BuiltinScalar<T>) {
    for (std::size_t k = 0; k < size; ++k) packs[k] = rows[k];
  } else {
    rows_to_packs<T>(rows, size, packs);
  }
}

template <class T>
void to_rows(const base_t<T>* packs, std::size_t size, base_t<T>* rows) {
  if constexpr (BuiltinScalar<T>) {
    for (std::size_t k = 0; k < size; ++k) rows[k] = packs[k];
  } else {
    packs_to_rows<T>(packs, size, rows);
  }
}

template <class T>
constexpr PlannedKernels<base_t<T>> kKernelsOf = {.lanes = sizeof(T) / sizeof(base_t<T>),
                                                  .bytes = bytes<T>,
                                                  .inverse_dynamics = inverse<T>,
                                                  .forward_dynamics = forward<T>,
                                                  .mass_matrix = mass<T>,
                                                  .rows_to_packs = to_packs<T>,
                                                  .packs_to_rows = to_rows<T>};

/// Copies numbers in packs of N, or of fewer, that cover all: the last one may overlap the one before it. `seen` keeps
/// the bits of x - x, which are zero of every finite number.
template <int N>
PINTLE_INLINE void keep_numbers(const double* from, std::size_t count, double* to, std::int64_t& seen) {
  if constexpr (N == 1) {
    if (count == 0) return;
    seen |= to_bits(*from - *from);
    *to = *from;
  } else {
    if (count < N) return keep_numbers<N / 2>(from, count, to, seen);
    using P = Pack<double, N>;
    typename Mask<double, N>::Native bits{};
    const auto keep = [&](std::size_t i) {
      const P x = load<P>(from + i);
      bits |= to_bits(x - x);
      store(x, to + i);
    };
    for (std::size_t i = 0; i + N < count; i += N) keep(i);
    keep(count - N);
    seen |= static_cast<std::int64_t>(lane_bits(Mask<double, N>{bits != 0}));
  }
}

bool keep(const double* q, std::size_t nq, const double* v, const double* x, std::size_t nv, double* to) {
  constexpr int kLanes = NativePack<double>::kLanes;
  std::int64_t seen = 0;
  keep_numbers<kLanes>(q, nq, to, seen);
  keep_numbers<kLanes>(v, nv, to + nq, seen);
  keep_numbers<kLanes>(x, nv, to + nq + nv, seen);
  return seen == 0;
}

constexpr PlannedKernelTable kKernels = {kKernelsOf<double>, kKernelsOf<float>, kKernelsOf<NativePack<double>>,
                                         kKernelsOf<NativePack<float>>, keep};

}  // namespace

const PlannedKernelTable& planned_kernels();
const PlannedKernelTable& planned_kernels() {
  return kKernels;
}

}  // namespace pintle::inline PINTLE_ISA
