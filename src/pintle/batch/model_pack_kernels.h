// Kernels on packs of models: those of planned_kernels.h and M^-1 of pack_matrix_kernels.h, where every lane has its
// own model. The parameters of the models of a pack are side by side in memory that the kernels lay out themselves,
// `constants`, at an address that is a multiple of 64; arrays and `memory` are as there. Likewise `links`, which the
// kernels of pack_tree_kernels.h read.
#pragma once

#include <cstddef>

#include "pintle/model/plan/plan.h"

namespace pintle {

/// For packs of B. `plan` and `tree` are those of any of the models, which share the traits of their plans.
template <class B>
struct ModelPackKernels {
  std::size_t (*constant_bytes)(const PlanView<B>& plan);
  /// Puts the model of this plan into a lane.
  void (*put)(const PlanView<B>& plan, int lane, std::byte* constants);
  /// Copies a model from a lane of one pack to a lane of another one, all of whose lanes must already hold a model.
  void (*copy)(const PlanView<B>& plan, const std::byte* from, int from_lane, int lane, std::byte* constants);

  void (*inverse_dynamics)(const PlanView<B>& plan, const std::byte* constants, const B* q, const B* v, const B* vdot,
                           std::byte* memory, B* tau);
  bool (*forward_dynamics)(const PlanView<B>& plan, const std::byte* constants, const B* q, const B* v, const B* tau,
                           std::byte* memory, B* vdot);
  void (*mass_matrix)(const PlanView<B>& plan, const std::byte* constants, const B* q, std::byte* memory, B* M);

  bool (*mass_matrix_inverse)(const PlanView<B>& plan, const std::byte* constants, const B* q, std::byte* memory,
                              B* inverse);

  std::size_t (*link_bytes)(const LinkTree& tree);
  void (*put_links)(const LinkTree& tree, int lane, std::byte* links);
};

struct ModelPackKernelTable {
  ModelPackKernels<double> pack;
  ModelPackKernels<float> pack_float;
};

/// The kernels of the instruction set in use, of double or float.
template <class B>
const ModelPackKernels<B>& model_pack_kernels();
template <>
const ModelPackKernels<double>& model_pack_kernels<double>();
template <>
const ModelPackKernels<float>& model_pack_kernels<float>();

}  // namespace pintle
