// Compiled once per instruction set.
#include "pintle/constraints/island_kernels_impl.h"

namespace pintle::inline PINTLE_ISA {
namespace {

constexpr IslandKernels kKernels = {.find_local = find_local_kernel,
                                    .find_jump = find_jump_kernel,
                                    .find_rows = find_rows_kernel,
                                    .add_effort = add_effort_kernel,
                                    .factorise = factorise_kernel,
                                    .solve = solve_kernel};

}  // namespace

const IslandKernels& island_kernels();
const IslandKernels& island_kernels() {
  return kKernels;
}

}  // namespace pintle::inline PINTLE_ISA
