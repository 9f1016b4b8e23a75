#include "pintle/base/kernel_choice.h"
#include "pintle/dynamics/kernels/kernels.h"

namespace pintle {

PINTLE_CHOOSE_KERNELS(DynamicsKernels, dynamics_kernels)

const DynamicsKernels& dynamics_kernels_in_use() {
  return chosen_dynamics_kernels();
}

}  // namespace pintle
