// What a Simulation is made of, and its main loop.
#pragma once

#include <optional>

#include "pintle/simulation/elements/joint_efforts.h"
#include "pintle/simulation/run/ballistic_path.h"
#include "pintle/simulation/run/event_recorder.h"
#include "pintle/simulation/run/hybrid_stepper.h"
#include "pintle/simulation/run/recorder.h"
#include "pintle/simulation/run/rest_steps.h"
#include "pintle/simulation/run/run_status.h"
#include "pintle/simulation/run/scene_motion.h"
#include "pintle/simulation/run/simulation.h"
#include "pintle/simulation/run/step_clock.h"
#include "pintle/simulation/run/time_stepping_spans.h"
#include "pintle/simulation/run/user_events.h"
#include "pintle/simulation/run/work_budget.h"

namespace pintle {

struct RunSnapshot;

struct Simulation::Parts {
  Parts(const Scene& scene, const SimulationParts& added);

  void reset();
  void set_state(std::span<const double> q, std::span<const double> v);
  /// Rows and steps up to a time [s].
  void run_to(double end);
  /// The rows and impacts at the start of a recording. False: the run has ended.
  bool begin_rows();
  /// One step, or up to `max_steps` at once while all bodies fly or rest. False: the run has ended.
  bool advance(double end, std::int64_t max_steps = 1);
  RunReport report() const;
  RunSnapshot snapshot();
  void restore(RunSnapshot&& saved);

  /// Releases the sink and the handler at the end of a run, also if one of them throws.
  struct LettingGo {
    Parts& parts;
    ~LettingGo() {
      parts.recorder.detach();
      parts.handler = nullptr;
    }
  };

  std::optional<JointEfforts> efforts;  ///< of the caller
  SceneMotion motion;              ///< the moving scene and its state
  RunStatus status;                ///< whether the run continues, and if not, why
  StepClock clock;                 ///< when steps end
  WorkBudget budget;               ///< what steps by events may cost
  UserEvents user_events;          ///< of the scene and the caller
  ModeWitnesses witnesses;         ///< the witness functions of the present modes
  Recorder recorder;               ///< rows and impacts
  EventRecorder events;            ///< events
  BallisticPath flight;            ///< steps while all bodies fly
  RestSteps rest;                  ///< steps while everything is at rest
  HybridStepper hybrid;            ///< steps from event to event
  TimeSteppingSpans time_stepping; ///< steps over contacts instead
  bool forces_changed = false;     ///< the caller has set efforts since the last step
  StepHandler* handler = nullptr;  ///< of the run under way
  std::uint64_t scene_id = 0;      ///< hash by which checkpoints identify the scene

 private:
  bool advance_fixed(double end, std::int64_t max_steps);
  bool advance_adaptive(double end);
  bool move_towards(double goal, bool affordable);
  bool make_simple_steps(double end, std::int64_t max_steps);
  void count_steps(std::int64_t count);
  void stop_by_handler();
  void find_start();
};

}  // namespace pintle
