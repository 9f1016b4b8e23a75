// Compiled once per instruction set.
#include "pintle/batch/pack_matrix_kernels.h"

#include "pintle/dynamics/lanes/pack_view.h"
#include "pintle/dynamics/plan/planned_mass_inverse_impl.h"
#include "pintle/dynamics/recursions/mass_matrix_factor_impl.h"
#include "pintle/math/elementary_impl.h"

namespace pintle::inline PINTLE_ISA {
namespace {

template <class T>
bool inverse(const PlanView<base_t<T>>& plan, const base_t<T>* q, std::byte* memory, base_t<T>* found) {
  return planned_mass_matrix_inverse<T>(plan, packs<T>(q), inverse_memory<T>(plan, memory, packs<T>(found)),
                                        packs<T>(found));
}

/// All lanes go on to the end: those without a solution do not affect the others.
template <class T>
unsigned factor(const DofBranches& branches, const base_t<T>* M, base_t<T>* L) {
  unsigned singular = 0;
  factor_branches(branches, packs<T>(M), packs<T>(L), [&singular](int, const mask_t<T>& positive) {
    singular |= lane_bits(!positive);
    return true;
  });
  return singular;
}

template <class T>
void solve(const DofBranches& branches, const base_t<T>* L, base_t<T>* x) {
  solve_branches(branches, packs<T>(L), packs<T>(x));
}

template <class T>
constexpr PackMatrixKernels<base_t<T>> kKernelsOf = {
    .mass_matrix_inverse = inverse<T>, .inverse_bytes = inverse_bytes<T>, .factor = factor<T>, .solve = solve<T>};

constexpr PackMatrixKernelTable kKernels = {kKernelsOf<NativePack<double>>, kKernelsOf<NativePack<float>>};

}  // namespace

const PackMatrixKernelTable& pack_matrix_kernel_table();
const PackMatrixKernelTable& pack_matrix_kernel_table() {
  return kKernels;
}

}  // namespace pintle::inline PINTLE_ISA
