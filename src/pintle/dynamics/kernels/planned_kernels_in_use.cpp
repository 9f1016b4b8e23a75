#include "pintle/base/kernel_choice.h"
#include "pintle/dynamics/kernels/planned_kernels.h"

namespace pintle {

PINTLE_CHOOSE_KERNELS(PlannedKernelTable, planned_kernels)

const PlannedKernelTable& planned_kernels_in_use() {
  return chosen_planned_kernels();
}

}  // namespace pintle
