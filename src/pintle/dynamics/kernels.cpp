// Compiled once per instruction set.
#include "pintle/dynamics/kernels.h"

#include "pintle/dynamics/coriolis_matrix_impl.h"
#include "pintle/dynamics/forward_dynamics_impl.h"
#include "pintle/dynamics/inverse_dynamics_impl.h"
#include "pintle/dynamics/mass_matrix_impl.h"
#include "pintle/math/elementary_impl.h"

namespace pintle::inline PINTLE_ISA {
namespace {

constexpr DynamicsKernels kKernels = {.inverse_dynamics = inverse_dynamics_kernel<double>,
                                      .forward_dynamics = forward_dynamics_kernel<double>,
                                      .articulate = articulate_kernel<double>,
                                      .respond = respond_kernel<double>,
                                      .mass_matrix_inverse = mass_matrix_inverse_kernel<double>,
                                      .mass_matrix = mass_matrix_kernel<double>,
                                      .tree_motion = tree_motion<double>,
                                      .coriolis_matrix = coriolis_matrix_kernel<double>};

}  // namespace

const DynamicsKernels& dynamics_kernels();
const DynamicsKernels& dynamics_kernels() {
  return kKernels;
}

}  // namespace pintle::inline PINTLE_ISA
