#include "pintle/base/kernel_choice.h"
#include "pintle/batch/model_pack_kernels.h"
#include "pintle/batch/pack_matrix_kernels.h"
#include "pintle/batch/pack_tree_kernels.h"
#include "pintle/batch/planned_pack_kernels.h"

namespace pintle {

PINTLE_CHOOSE_KERNELS(ModelPackKernelTable, model_pack_kernel_table)
PINTLE_CHOOSE_KERNELS(PackMatrixKernelTable, pack_matrix_kernel_table)
PINTLE_CHOOSE_KERNELS(PackTreeKernelTable, pack_tree_kernel_table)
PINTLE_CHOOSE_KERNELS(PlannedKernels<double>, planned_pack_kernels_of_double)
PINTLE_CHOOSE_KERNELS(PlannedKernels<float>, planned_pack_kernels_of_float)

template <>
const ModelPackKernels<double>& model_pack_kernels<double>() {
  return chosen_model_pack_kernel_table().pack;
}
template <>
const ModelPackKernels<float>& model_pack_kernels<float>() {
  return chosen_model_pack_kernel_table().pack_float;
}

template <>
const PackMatrixKernels<double>& pack_matrix_kernels<double>() {
  return chosen_pack_matrix_kernel_table().pack;
}
template <>
const PackMatrixKernels<float>& pack_matrix_kernels<float>() {
  return chosen_pack_matrix_kernel_table().pack_float;
}

template <>
const PackTreeKernels<double>& pack_tree_kernels<double>() {
  return chosen_pack_tree_kernel_table().pack;
}
template <>
const PackTreeKernels<float>& pack_tree_kernels<float>() {
  return chosen_pack_tree_kernel_table().pack_float;
}

template <>
const PlannedKernels<double>& planned_pack_kernels<double>() {
  return chosen_planned_pack_kernels_of_double();
}
template <>
const PlannedKernels<float>& planned_pack_kernels<float>() {
  return chosen_planned_pack_kernels_of_float();
}

}  // namespace pintle
