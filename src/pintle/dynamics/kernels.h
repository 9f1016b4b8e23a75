// The kernels of this layer: one table of functions per instruction set (base/kernel_choice.h).
#pragma once

#include "pintle/dynamics/buffers.h"
#include "pintle/model/link.h"

namespace pintle {

struct DynamicsKernels {
  void (*inverse_dynamics)(const LinkTree& tree, const double* q, const double* v, const double* vdot,
                           const Wrench<>* external, const InverseDynamicsBuffers<double>& work, double* tau);
  int (*forward_dynamics)(const LinkTree& tree, const double* q, const double* v, const double* tau,
                          const Wrench<>* external, const unsigned char* given,
                          const ForwardDynamicsBuffers<double>& work, double* vdot);
  int (*articulate)(const LinkTree& tree, const double* q, const unsigned char* given,
                    const ArticulatedBuffers<double>& work);
  void (*respond)(const LinkTree& tree, const ArticulatedBuffers<double>& work, const double* tau,
                  const Wrench<>* external, const unsigned char* given, const unsigned char* needed,
                  const ResponseBuffers<double>& out, double* vdot);
  void (*mass_matrix_inverse)(const LinkTree& tree, const ArticulatedBuffers<double>& work,
                              const ResponseBuffers<double>& scratch, double* inverse);
  void (*mass_matrix)(const LinkTree& tree, const double* q, const MassMatrixBuffers<double>& work, double* M);
  void (*tree_motion)(const LinkTree& tree, const double* q, const double* v, const TreeMotion<double>& out);
  void (*coriolis_matrix)(const LinkTree& tree, const double* q, const double* v,
                          const CoriolisMatrixBuffers<double>& work, double* C);
};

/// The kernels of the instruction set in use.
const DynamicsKernels& dynamics_kernels_in_use();

}  // namespace pintle
