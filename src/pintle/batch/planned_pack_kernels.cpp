// Compiled once per instruction set.
#include "pintle/dynamics/kernels/planned_kernels_impl.h"

namespace pintle::inline PINTLE_ISA {

const PlannedKernels<double>& planned_pack_kernels_of_double();
const PlannedKernels<double>& planned_pack_kernels_of_double() {
  return kPlannedKernelsOf<NativePack<double>>;
}

}  // namespace pintle::inline PINTLE_ISA
