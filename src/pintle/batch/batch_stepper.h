// BatchStepper: fixed steps of many mechanisms of one model at a time (batch/batch.h).
#pragma once

#include <span>
#include <vector>

#include "pintle/batch/model_batch.h"
#include "pintle/simulation/integrators/chart_joint.h"
#include "pintle/simulation/integrators/stepper.h"

namespace pintle {

/// Why a state of a batch stopped before its last step.
enum class BatchStop : unsigned char {
  limit,            ///< a joint would be beyond its position limit at the end of the next step
  friction,         ///< a joint with Coulomb friction is at rest, or would stop or reverse within the next step
  no_acceleration,  ///< the inertia that a joint moves is nearly singular: `forward_dynamics` tells more
  not_finite,       ///< a value would become infinite or NaN
};

/// A state that stopped at the end of the last step before an event.
struct StoppedState {
  std::size_t state;   ///< its index in the batch
  std::int64_t steps;  ///< steps completed
  BatchStop why;
  int dof;  ///< the dof of the limit or friction (Model::dofs), else -1
};

/// Integrates many states of one model, or each of its own model, under gravity, passive efforts and individual
/// efforts, which stay constant during the call. A state that meets an event leaves its lane at once to the next
/// waiting one, so that the packs stay full; callers treat it alone (`Simulation`) and add it to a later call.
///
/// In double every result is bitwise that of a `Stepper` of the same method, whatever the position in the batch and the
/// number of threads; up to rounding where the kernel of one state puts links in lanes (`Plan::way`: arms and other
/// chains). No step allocates.
template <class T = double>
class BatchStepper {
 public:
  /// For up to `max_states`. With a pool, which must live longer, they are shared among its threads. The methods are
  /// semi_implicit_euler and rk4. Throws UsageError for any other method, and for a model with prescribed joints.
  BatchStepper(const Model& model, Method method, std::size_t max_states, ThreadPool* threads = nullptr,
               const BatchOptions& options = {});

  /// For many models, which must live longer: state s belongs to model s % size(), whatever its lane. Its results are
  /// bitwise those of its model alone where that has the same plan as in the batch (model_batch.h).
  BatchStepper(const ModelBatch<T>& models, Method method, std::size_t max_states, ThreadPool* threads = nullptr,
               const BatchOptions& options = {});

  /// Makes `count` steps of length h [s] of every state, in place. Returns the states that stopped before, in their
  /// order; valid until the next call. Limits and friction are checked at the ends of steps. Sizes: those of batch_size
  /// with nq for q and nv for the others, else UsageError.  [eq. semi-implicit-euler] [eq. rk4]
  std::span<const StoppedState> step(const BatchStates& states, double h, std::int64_t count, std::span<T> q,
                                     std::span<T> v, std::span<const T> tau);

 private:
  struct Bounded {
    int dof;    // of all joints
    int q;      // its index in the coordinates of all joints, -1: no position limit
    bool rubs;  // has Coulomb friction in some model
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
  std::span<const ChartJoint> chart_joints_of(std::size_t model) const;

  Model model_;                  // or the first of the models
  const ModelBatch<T>* models_;  // null: there is one
  std::size_t model_count_;
  Method method_;
  ThreadPool* pool_;
  BatchOptions options_;
  std::vector<ChartJoint> joints_;  // with a quaternion, of every model
  std::vector<Bounded> bounded_;
  std::vector<Bound> bounds_;  // of all bounded dofs of every model
  bool rubs_ = false;          // some dof has friction
  std::size_t parts_, bytes_each_;
  AlignedMemory memory_;
  Buffer<StoppedState> stopped_;
  Buffer<std::size_t> counts_;          // of stopped states, per part
  Buffer<MassMatrixFactor<>> factors_;  // per part
};

}  // namespace pintle
