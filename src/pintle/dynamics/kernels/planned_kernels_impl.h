// The functions of a PlannedKernels table for scalars T: a plain scalar or a pack. For kernels only.
#pragma once

#include "pintle/dynamics/kernels/chain_kernels.h"
#include "pintle/dynamics/kernels/planned_kernels.h"
#include "pintle/dynamics/lanes/pack_view.h"
#include "pintle/dynamics/plan/planned_forward_impl.h"
#include "pintle/dynamics/plan/planned_inverse_impl.h"
#include "pintle/dynamics/plan/planned_mass_impl.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/math/transpose_impl.h"

namespace pintle::inline PINTLE_ISA {

/// Enough for every kernel layout: calls share no data.
template <class T>
std::size_t planned_kernel_bytes(const PlanView<base_t<T>>& plan) {
  const std::size_t planned = planned_bytes<T>(plan), of_chain = kHasChains<T> ? chain_bytes(plan.chain) : 0;
  return planned < of_chain ? of_chain : planned;
}

template <class T>
void planned_kernel_inverse(const PlanView<base_t<T>>& plan, const base_t<T>* q, const base_t<T>* v,
                            const base_t<T>* vdot, std::byte* memory, base_t<T>* tau) {
  if constexpr (kHasChains<T>)
    if (plan.chain.count > 0) return chain_inverse_dynamics(plan, q, v, vdot, {}, chain_memory(memory), tau);
  planned_inverse_dynamics<T>(plan, packs<T>(q), packs<T>(v), packs<T>(vdot), planned_memory<T>(plan, memory),
                              packs<T>(tau));
}

template <class T>
bool planned_kernel_forward(const PlanView<base_t<T>>& plan, const base_t<T>* q, const base_t<T>* v,
                            const base_t<T>* tau, std::byte* memory, base_t<T>* vdot) {
  if constexpr (kHasChains<T>)
    if (plan.chain.count > 0 && plan.chain.factored)
      return chain_forward_dynamics(plan, q, v, tau, {}, chain_memory(memory), vdot);
  return planned_forward_dynamics<T>(plan, packs<T>(q), packs<T>(v), packs<T>(tau), planned_memory<T>(plan, memory),
                                     packs<T>(vdot));
}

template <class T>
void planned_kernel_mass(const PlanView<base_t<T>>& plan, const base_t<T>* q, std::byte* memory, base_t<T>* M) {
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
constexpr PlannedKernels<base_t<T>> kPlannedKernelsOf = {.lanes = sizeof(T) / sizeof(base_t<T>),
                                                         .bytes = planned_kernel_bytes<T>,
                                                         .inverse_dynamics = planned_kernel_inverse<T>,
                                                         .forward_dynamics = planned_kernel_forward<T>,
                                                         .mass_matrix = planned_kernel_mass<T>,
                                                         .rows_to_packs = to_packs<T>,
                                                         .packs_to_rows = to_rows<T>};

}  // namespace pintle::inline PINTLE_ISA
