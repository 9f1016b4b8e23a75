// Compiled once per instruction set.
#include "pintle/dynamics/kernels/planned_kernels_impl.h"

namespace pintle::inline PINTLE_ISA {

const PlannedKernels<float>& planned_pack_kernels_of_float();
const PlannedKernels<float>& planned_pack_kernels_of_float() {
  return kPlannedKernelsOf<NativePack<float>>;
}

}  // namespace pintle::inline PINTLE_ISA
