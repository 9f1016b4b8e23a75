#include "pintle/base/kernel_choice.h"
#include "pintle/dynamics/model_pack_kernels.h"
#include "pintle/dynamics/pack_matrix_kernels.h"
#include "pintle/dynamics/pack_tree_kernels.h"

namespace pintle {

PINTLE_CHOOSE_KERNELS(ModelPackKernelTable, model_pack_kernel_table)
PINTLE_CHOOSE_KERNELS(PackMatrixKernelTable, pack_matrix_kernel_table)
PINTLE_CHOOSE_KERNELS(PackTreeKernelTable, pack_tree_kernel_table)

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

}  // namespace pintle
