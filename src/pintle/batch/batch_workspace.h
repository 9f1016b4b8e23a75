// Arguments of the functions of batches: the number and layout of states in an array, and the memory of calls.
#pragma once

#include <span>

#include "pintle/base/buffer.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

class ThreadPool;
template <class T>
class ModelBatch;

/// Layout of many states in an array, `size` values per state.
enum class BatchLayout : unsigned char {
  states,  ///< state after state: value k of state s is entry s * size + k
  packs,   ///< the lanes of a pack side by side: entry (s / lanes * size + k) * lanes + s % lanes; whole packs
};

/// The number of states, and their layout in all arrays of a call.
struct BatchStates {
  std::size_t count;
  BatchLayout layout = BatchLayout::states;
};

/// What acts besides the given efforts: as in DynamicsOptions.
struct BatchOptions {
  bool passive = true;   ///< dampers, springs and Coulomb friction of sliding joints
  bool friction = true;  ///< false: passive efforts without that friction
};

/// The number of states in a pack of T (double or float), for the instruction set in use.
template <class T>
int batch_lanes();

/// The number of entries that an array needs: `size` values per state. Packs are complete; lanes beyond the last state
/// hold meaningless values. Arrays of packs are read and written in place when their address is a multiple of 64.
template <class T>
std::size_t batch_size(const BatchStates& states, int size);

/// Memory of the functions of batch.h, for one model and T double or float. With a pool, which must live longer, the
/// states are shared among its threads. Results are bitwise equal for any number of threads, and no call allocates.
template <class T = double>
class BatchWorkspace {
 public:
  /// `with_mass_matrix`: whether functions with nv x nv results will be called; they need nv * nv more entries per
  /// lane.
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
  Buffer<std::size_t> singular;        ///< per part: singular states
  Buffer<std::size_t> first;           ///< per part: the first of them
  Buffer<MassMatrixFactor<>> factors;  ///< per part: for models with couplings

 private:
  BatchWorkspace(const Model& model, ThreadPool* threads, bool with_mass_matrix, std::size_t bytes);

  AlignedMemory memory_;
};

/// Status of a batch.
struct [[nodiscard]] BatchReport {
  std::size_t singular = 0;  ///< states with a nearly singular joint inertia: forward_dynamics tells more
  std::size_t first = 0;     ///< the first of them

  bool ok() const { return singular == 0; }
};

}  // namespace pintle
