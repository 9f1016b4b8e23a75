// What the functions of batches are called with: how many states of one model lie in an array, and the memory of calls.
#pragma once

#include <span>

#include "pintle/base/buffer.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

class ThreadPool;
template <class T>
class ModelBatch;

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

/// Memory of the functions of batch.h, for one model and T double or float. With a pool, which must live longer, the
/// states are shared among its threads; answers are the same bits for any number of threads, and no call allocates.
template <class T = double>
class BatchWorkspace {
 public:
  /// `with_mass_matrix`: whether functions that give matrices of nv rows are to be used, which take nv * nv numbers
  /// more for each lane.
  explicit BatchWorkspace(const Model& model, ThreadPool* threads = nullptr, bool with_mass_matrix = false);
  /// For states of many models (model_batch.h).
  explicit BatchWorkspace(const ModelBatch<T>& models, ThreadPool* threads = nullptr, bool with_mass_matrix = false);

  /// The part of memory of one thread: `bytes_each` at an address that is a multiple of 64.
  std::byte* part(std::size_t thread);

  ModelSizes sizes;
  ThreadPool* pool;
  std::size_t parts;       ///< threads
  std::size_t bytes_each;  ///< of a part
  bool has_mass_matrix;
  Buffer<std::size_t> singular;        ///< per part: states without an answer
  Buffer<std::size_t> first;           ///< per part: the first of them
  Buffer<MassMatrixFactor<>> factors;  ///< per part: for models with couplings

 private:
  BatchWorkspace(const Model& model, ThreadPool* threads, bool with_mass_matrix, std::size_t bytes);

  AlignedMemory memory_;
};

/// What became of a batch.
struct [[nodiscard]] BatchReport {
  std::size_t singular =
      0;  ///< states in which the inertia that a joint moves is nearly singular: forward_dynamics tells more
  std::size_t first = 0;  ///< the first of them

  bool ok() const { return singular == 0; }
};

}  // namespace pintle
