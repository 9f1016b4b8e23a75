// Dynamics of many states of one model at a time, several side by side in the lanes of the processor, on as many
// threads as one likes (docs/speed.md). Every state gets the bits that the functions of one state give it; external
// wrenches and refinement are theirs alone.
#pragma once

#include <span>

#include "pintle/base/buffer.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

class ThreadPool;

/// How the numbers of many states lie in an array, `size` numbers for each state.
enum class BatchLayout : unsigned char {
  states,  ///< state after state: number k of state s is entry s * size + k
  packs,   ///< the lanes of a pack side by side: entry (s / lanes * size + k) * lanes + s % lanes; whole packs
};

/// How many states there are, and how all arrays of a call hold them.
struct BatchStates {
  std::size_t count;
  BatchLayout layout = BatchLayout::states;
};

/// What is taken into account besides the given efforts: as in DynamicsOptions.
struct BatchOptions {
  bool passive = true;   ///< dampers, springs and Coulomb friction of sliding joints
  bool friction = true;  ///< false: passive efforts without that friction
};

/// The number of states in a pack of T (double or float), for the instruction set in use.
template <class T>
int batch_lanes();

/// The number of entries that an array needs: `size` numbers for each state. Packs are whole; what the lanes beyond the
/// last state hold has no meaning. Arrays of packs are read and written in place when their address is a multiple
/// of 64.
template <class T>
std::size_t batch_size(const BatchStates& states, int size);

/// Memory of the functions below, for one model and T double or float. With a pool, which must live longer, the states
/// are shared among its threads; answers are the same bits for any number of threads, and no call allocates.
template <class T = double>
class BatchWorkspace {
 public:
  /// `with_mass_matrix`: whether batch_mass_matrix or batch_coriolis_matrix is to be used, which take nv * nv numbers
  /// more for each lane.
  explicit BatchWorkspace(const Model& model, ThreadPool* threads = nullptr, bool with_mass_matrix = false);

  /// The part of memory of one thread: `bytes_each` at an address that is a multiple of 64.
  std::byte* part(std::size_t thread);

  ModelSizes sizes;
  ThreadPool* pool;
  std::size_t parts;       ///< threads
  std::size_t bytes_each;  ///< of a part
  bool has_mass_matrix;
  Buffer<std::size_t> doubtful;        ///< per part: states without an answer
  Buffer<std::size_t> first;           ///< per part: the first of them
  Buffer<MassMatrixFactor<>> factors;  ///< per part: for models with couplings

 private:
  Buffer<std::byte> memory_;
};

/// What became of a batch.
struct [[nodiscard]] BatchReport {
  std::size_t doubtful = 0;  ///< states in which a joint has hardly any inertia to move: forward_dynamics tells more
  std::size_t first = 0;     ///< the first of them

  bool ok() const { return doubtful == 0; }
};

/// tau = M(q) vdot + h(q, v) of every state. Sizes: those of batch_size with model.nq() for q and model.nv() for the
/// others, else UsageError.  [eq. rnea]
template <class T>
void batch_inverse_dynamics(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                            std::span<const Same<T>> v, std::span<const Same<T>> vdot, BatchWorkspace<T>& work,
                            std::span<Same<T>> tau, const BatchOptions& options = {});

/// vdot = M(q)^-1 (tau - h(q, v)) of every state; likewise. States whose numbers are not finite get such answers. Those
/// that the report counts have answers that mean nothing.  [eq. aba]
template <class T>
BatchReport batch_forward_dynamics(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                                   std::span<const Same<T>> v, std::span<const Same<T>> tau, BatchWorkspace<T>& work,
                                   std::span<Same<T>> vdot, const BatchOptions& options = {});

/// M(q) of every state, nv rows of nv numbers; likewise, M of the size nv * nv. The workspace must have been made for
/// it.  [eq. crba]
template <class T>
void batch_mass_matrix(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                       BatchWorkspace<T>& work, std::span<Same<T>> M);

/// Numbers of a pose (nine of the rotation matrix, row by row, three of the translation) and of a twist (linear first).
inline constexpr int kPoseNumbers = 12, kTwistNumbers = 6;

/// Where the links (Model::links) of every state are and how they move: poses in the world, kPoseNumbers for each link;
/// velocities in the links' own frames, kTwistNumbers for each. Sizes likewise, of `links * numbers` for the
/// results.  [eq. tree-velocity]
template <class T>
void batch_kinematics(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                      std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> poses,
                      std::span<Same<T>> velocities);

/// C(q, v) of every state, nv rows of nv numbers, by the plain recursion; likewise. The workspace must have been made
/// for matrices.  [eq. coriolis-matrix]
template <class T>
void batch_coriolis_matrix(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                           std::span<const Same<T>> v, BatchWorkspace<T>& work, std::span<Same<T>> C);

}  // namespace pintle
