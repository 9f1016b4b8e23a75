// The planned kernels for packs of states, as many as a register has lanes. The templates are those of one state
// (dynamics/kernels/planned_kernels.h), so each lane is bitwise equal to them.
#pragma once

#include "pintle/dynamics/kernels/planned_kernels.h"

namespace pintle {

/// The kernels of the instruction set in use, of double or float.
template <class B>
const PlannedKernels<B>& planned_pack_kernels();
template <>
const PlannedKernels<double>& planned_pack_kernels<double>();
template <>
const PlannedKernels<float>& planned_pack_kernels<float>();

}  // namespace pintle
