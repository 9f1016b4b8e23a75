// Forces, accelerations and matrices of many states of one model at a time (batch.h).
#pragma once

#include "pintle/batch/batch_workspace.h"

namespace pintle {

/// tau = M(q) vdot + h(q, v) of every state. Sizes: those of batch_size with model.nq() for q and model.nv() for the
/// others, else UsageError.  [eq. rnea]
template <class T>
void batch_inverse_dynamics(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                            std::span<const Same<T>> v, std::span<const Same<T>> vdot, BatchWorkspace<T>& work,
                            std::span<Same<T>> tau, const BatchOptions& options = {});

/// vdot = M(q)^-1 (tau - h(q, v)) of every state; likewise. States with non-finite values get non-finite results. The
/// results of states that the report counts are meaningless.  [eq. aba]
template <class T>
BatchReport batch_forward_dynamics(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                                   std::span<const Same<T>> v, std::span<const Same<T>> tau, BatchWorkspace<T>& work,
                                   std::span<Same<T>> vdot, const BatchOptions& options = {});

/// M(q) of every state, nv x nv, row-major; likewise, M of the size nv * nv. The workspace must have been made for
/// matrices.  [eq. crba]
template <class T>
void batch_mass_matrix(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                       BatchWorkspace<T>& work, std::span<Same<T>> M);

/// M(q)^-1 of every state, nv x nv, row-major; likewise. The results of states that the report counts are meaningless,
/// although mass_matrix_inverse, which retries them by the plain recursion, may find a solution.  [eq. response]
template <class T>
BatchReport batch_mass_matrix_inverse(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                                      BatchWorkspace<T>& work, std::span<Same<T>> inverse);

/// x = M(q)^-1 tau of every state by the factors of M: as mass_matrix, factor_mass_matrix and solve_mass_matrix. Sizes
/// as in forward dynamics; x may alias tau. The workspace must have been made for matrices.  [eq. branch-factor]
template <class T>
BatchReport batch_solve(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                        std::span<const Same<T>> tau, BatchWorkspace<T>& work, std::span<Same<T>> x);

/// C(q, v) of every state, nv x nv, row-major; likewise.  [eq. coriolis-matrix]
template <class T>
void batch_coriolis_matrix(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                           std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> C);

}  // namespace pintle
