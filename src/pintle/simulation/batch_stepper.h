// BatchStepper: fixed steps of many mechanisms of one model at a time (dynamics/batch.h).
#pragma once

#include <span>
#include <vector>

#include "pintle/dynamics/batch.h"
#include "pintle/simulation/stepper.h"

namespace pintle {

/// Why a state of a batch was given back before its last step.
enum class BatchStop : unsigned char {
  limit,            ///< a joint would be beyond a limit of its position at the end of the next step
  friction,         ///< a joint with Coulomb friction stands still, or would stop or turn back within the next step
  no_acceleration,  ///< a joint has hardly any inertia to move: `forward_dynamics` tells more
  not_finite,       ///< a number would become infinite or NaN
};

/// A state that was given back at the end of the last step before an event.
struct StoppedState {
  std::size_t state;   ///< its number in the batch
  std::int64_t steps;  ///< that were made
  BatchStop why;
  int freedom;  ///< that of a limit or of friction (Model::freedoms), else -1
};

/// Moves many states of one model, each under gravity, passive efforts and efforts of its own, which hold all through
/// the call. A state that meets an event leaves its lane at once to the next one that waits, so that the packs stay
/// full however many do; callers treat it alone (`Simulation`) and put it into a later call.
///
/// Every state of double gets the bits that a `Stepper` of the same method gives it alone, wherever it stands in the
/// batch and on any number of threads. No step allocates.
template <class T = double>
class BatchStepper {
 public:
  /// For up to `most_states`. With a pool, which must live longer, they are shared among its threads. The methods are
  /// semi_implicit_euler and rk4; a model with prescribed joints has no batches: both else UsageError.
  BatchStepper(const Model& model, Method method, std::size_t most_states, ThreadPool* threads = nullptr,
               const BatchOptions& options = {});

  /// Makes `count` steps of length h [s] of every state, in place. Gives the states that stopped before, in their
  /// order; valid until the next call. Limits and friction are looked at where steps end. Sizes: those of batch_size
  /// with nq for q and nv for the others, else UsageError.  [eq. semi-implicit-euler] [eq. rk4]
  std::span<const StoppedState> step(const BatchStates& states, double h, std::int64_t count, std::span<T> q,
                                     std::span<T> v, std::span<const T> tau);

 private:
  struct Bounded {
    int freedom;  // of all joints
    int q;        // its place in a configuration of all joints, -1: no limit of its position
    T lower, upper;
    bool rubs;
  };
  struct Call;
  class Lanes;

  Model model_;
  Method method_;
  ThreadPool* pool_;
  BatchOptions options_;
  std::vector<IndependentJoint> turning_;
  std::vector<Bounded> bounded_;
  bool rubs_ = false;  // some freedom does
  std::size_t parts_, bytes_each_;
  Buffer<std::byte> memory_;
  Buffer<StoppedState> stopped_;
  Buffer<std::size_t> counts_;          // of stopped states, per part
  Buffer<MassMatrixFactor<>> factors_;  // per part
};

}  // namespace pintle
