// BatchStepper: fixed steps of many mechanisms of one model at a time (batch/batch.h).
#pragma once

#include <span>
#include <vector>

#include "pintle/batch/model_batch.h"
#include "pintle/simulation/integrators/stepper.h"

namespace pintle {

/// Why a state of a batch was given back before its last step.
enum class BatchStop : unsigned char {
  limit,            ///< a joint would be beyond a limit of its position at the end of the next step
  friction,         ///< a joint with Coulomb friction stands still, or would stop or turn back within the next step
  no_acceleration,  ///< the inertia that a joint moves is nearly singular: `forward_dynamics` tells more
  not_finite,       ///< a number would become infinite or NaN
};

/// A state that was given back at the end of the last step before an event.
struct StoppedState {
  std::size_t state;   ///< its number in the batch
  std::int64_t steps;  ///< that were made
  BatchStop why;
  int dof;  ///< that of a limit or of friction (Model::dofs), else -1
};

/// Moves many states of one model, or each of a model of its own, each under gravity, passive efforts and efforts of
/// its own, which hold all through the call. A state that meets an event leaves its lane at once to the next one that
/// waits, so that the packs stay full however many do; callers treat it alone (`Simulation`) and put it into a later
/// call.
///
/// Every state of double gets the bits that a `Stepper` of the same method gives it alone, wherever it stands in the
/// batch and on any number of threads; to rounding where one state has its bodies in lanes (`Plan::way`: arms and other
/// chains). No step allocates.
template <class T = double>
class BatchStepper {
 public:
  /// For up to `max_states`. With a pool, which must live longer, they are shared among its threads. The methods are
  /// semi_implicit_euler and rk4; a model with prescribed joints has no batches: both else UsageError.
  BatchStepper(const Model& model, Method method, std::size_t max_states, ThreadPool* threads = nullptr,
               const BatchOptions& options = {});

  /// Of many models, which must live longer: state s is that of model s % size(), whatever its lane. Its bits are those
  /// of its model alone where that is planned as with the others (model_batch.h).
  BatchStepper(const ModelBatch<T>& models, Method method, std::size_t max_states, ThreadPool* threads = nullptr,
               const BatchOptions& options = {});

  /// Makes `count` steps of length h [s] of every state, in place. Returns the states that stopped before, in their
  /// order; valid until the next call. Limits and friction are looked at where steps end. Sizes: those of batch_size
  /// with nq for q and nv for the others, else UsageError.  [eq. semi-implicit-euler] [eq. rk4]
  std::span<const StoppedState> step(const BatchStates& states, double h, std::int64_t count, std::span<T> q,
                                     std::span<T> v, std::span<const T> tau);

 private:
  struct Bounded {
    int dof;    // of all joints
    int q;      // its place in a configuration of all joints, -1: no limit of its position
    bool rubs;  // in some model
  };
  struct Bound {
    T lower, upper;
    T rubs;  // 1 or 0
  };
  struct Call;
  class Lanes;

  BatchStepper(const Model& model, const ModelBatch<T>* models, Method method, std::size_t max_states,
               ThreadPool* threads, const BatchOptions& options);
  const Model& model_of(std::size_t i) const { return models_ == nullptr ? model_ : (*models_)[i]; }
  void find_bounds();

  Model model_;                  // or the first of the models
  const ModelBatch<T>* models_;  // null: there is one
  std::size_t model_count_;
  Method method_;
  ThreadPool* pool_;
  BatchOptions options_;
  std::vector<IndependentJoint> turning_;
  std::vector<Bounded> bounded_;
  std::vector<Bound> bounds_;  // of every model those of all bounded dofs
  bool rubs_ = false;          // some dof does
  std::size_t parts_, bytes_each_;
  AlignedMemory memory_;
  Buffer<StoppedState> stopped_;
  Buffer<std::size_t> counts_;          // of stopped states, per part
  Buffer<MassMatrixFactor<>> factors_;  // per part
};

}  // namespace pintle
