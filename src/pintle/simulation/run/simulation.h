// Simulation: a scene in motion.
//
//     Simulation simulation(scene);
//     MemoryRecording recording;
//     const RunReport report = simulation.run({.sink = &recording});
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "pintle/base/result.h"
#include "pintle/dynamics/certificate/certificate.h"
#include "pintle/simulation/hybrid/energy_balance.h"
#include "pintle/simulation/integrators/first_step.h"
#include "pintle/simulation/recording/recording.h"
#include "pintle/simulation/run/run_report.h"
#include "pintle/simulation/scene/scene.h"
#include "pintle/simulation/system/event_function.h"
#include "pintle/simulation/system/force_element.h"

namespace pintle {

/// Called after every step.
class StepHandler {
 public:
  virtual ~StepHandler() = default;
  /// Called after `step` steps (1, 2, ...) at time t [s]; false stops the run.
  virtual bool after_step(std::int64_t step, double t, const MotionState& state) = 0;
  /// Called within a step that has several parts (events, slips that have just begun), at time t [s] between them;
  /// false stops the run there.
  virtual bool within_step(double t) {
    (void)t;
    return true;
  }
};

/// A caller's own event.
struct UserEvent {
  std::string name;
  Witness witness{};
  bool terminal = false;  ///< ends the run
};

/// What a caller adds to a scene. The pointers must outlive the simulation.
struct SimulationParts {
  std::span<ForceElement* const> forces{};
  std::span<const UserEvent> events{};
  /// Simulation::set_effort may be called: the work of these efforts has an account of its own, "efforts".
  bool efforts = false;
  /// Every step examines all pairs of shapes that may touch, including those far apart: slower, with the same bits.
  bool all_pairs = false;
};

struct RunOptions {
  double until = __builtin_nan("");  ///< [s]; NaN: as the scene says
  RecordSink* sink = nullptr;
  StepHandler* handler = nullptr;
};

/// The worst certificate of all rows of a run so far.
struct WorstCertificate {
  Certificate certificate{};
  double t = 0.0;  ///< [s]
};

/// The largest residuals of the balances of energy and momentum in all rows of a run so far (Balance::rest), each with
/// its time.
struct WorstBalance {
  struct Residual {
    double rest = 0.0;  ///< [J, N s, N m s] not negative
    double t = 0.0;     ///< [s]
  };
  Residual energy{}, linear{}, angular{};
};

/// The contact certificate of all rows and impacts of a run so far.
struct ContactRecord {
  ContactResiduals residuals{};  ///< the worst of each
  double t = 0.0;                ///< [s] of the worst of all
  int body_a = -1, body_b = -1;  ///< its bodies (Model::bodies); -1: the world
  bool at_impact = false;        ///< whether it is of an impact, not of a row
  std::int64_t gains = 0;        ///< impacts that gained energy
  double gained = 0.0;           ///< [J] by these
  double time_stepped = 0.0;     ///< [s] of the run that were made by time stepping (TimeStepping)
  std::int64_t spans = 0;        ///< how often it took over
  double first_span = 0.0;       ///< [s] when it did first
  double breach = 0.0;           ///< largest residual of the contact laws in it, relative to the terms of a velocity
  double penetration = 0.0;      ///< [m] the deepest in it
};

/// Runs a scene. After construction no step allocates, unless the sink does. Not thread-safe: each thread needs its
/// own.
class Simulation {
 public:
  explicit Simulation(const Scene& scene, const SimulationParts& parts = {});
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  /// Resets to the start.
  void reset();

  /// One step. Fixed steps end on the grid: number n at t0 + n h to the bit.
  RunReport step();

  /// For a loop of one's own: records what `step` does into a sink, which must last until `end_recording`. Rows come at
  /// the times at which `run` would have them, and at the same distances after the scene's duration; the first is at
  /// the present state, the last at that of the end. UsageError within a run or a recording, and without a duration.
  ///
  ///     simulation.begin_recording(sink);
  ///     while (...) { simulation.set_effort(...); simulation.step(); }
  ///     const RunReport report = simulation.end_recording();
  RunReport begin_recording(RecordSink& sink);
  RunReport end_recording();

  /// Efforts [N m or N] of the caller, in addition to those of motors: one for each independent dof, or those of one
  /// joint, by its name. They act from now on until they are set again; a StepHandler may set them after each step of a
  /// run. UsageError without SimulationParts::efforts, for a wrong size, an unknown joint or a value that is not finite.
  void set_effort(std::span<const double> tau);
  void set_effort(std::string_view joint, std::span<const double> tau);
  void set_effort(std::string_view joint, double tau);

  /// Moves the mechanism to another state at the present time, and starts anew from there: quaternions are normalised,
  /// prescribed joints follow their motion, elements are as constructed (efforts of set_effort are zero), what touches is
  /// found and its impacts are resolved, and the energy balance counts from here. UsageError for a wrong size, a value
  /// that is not finite, and within a run.
  void set_state(std::span<const double> q, std::span<const double> v);

  /// Runs to a time; the last step ends there. The sink gets about as many rows as the scene says, one at the start and
  /// one at the end, and a row for every event (two where velocities jump).
  RunReport run(const RunOptions& options = {});

  const Scene& scene() const;
  const MotionState& state() const;
  std::int64_t steps() const;
  /// The length of fixed steps, or of the next step [s].
  double step_length() const;
  /// The length that a first step of a method from the present state would be given, and the rates that determine it.
  FirstStep estimate_step(Method method);
  /// Whether contacts are active.
  bool touches() const;
  /// Which dofs stick, slide, or rest at a limit.
  const DofModes& modes() const;
  /// The work accounts of the energy balance.
  std::span<const WorkAccount> accounts() const;
  /// Energy and momentum at the present state against the work and impulses since the start. Without
  /// RunSpec::energy_balance only the energies are computed.
  const EnergyBalance& energy_balance();
  const WorstCertificate& worst_certificate() const;
  /// Zeros without an energy balance, and before the first row.
  const WorstBalance& worst_balance() const;
  /// Of contacts; zeros if nothing can touch or certificates are off, except for `gains` and `gained`.
  const ContactRecord& contact_record() const;
  /// The columns of the rows that `run` records.
  std::span<const Column> columns() const;
  /// Accelerations and efforts at the present state: {vdot, tau}; empty if there are none.
  struct Motion {
    std::span<const double> vdot, tau;
  };
  Motion motion();

  /// Hash of the scene and the caller's elements, by which a checkpoint identifies its scene.
  std::uint64_t scene_id() const;
  /// Hash of time, state, modes and memories: equal for equal runs.
  std::uint64_t state_hash() const;

  /// The complete state of the run, as bytes; `resume` continues from it bit for bit. Only for the same scene.
  std::string checkpoint() const;
  Result<void> resume(std::string_view bytes, const Origin& origin = {});

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace pintle
