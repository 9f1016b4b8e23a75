// Simulation: a scene in motion.
//
//     Simulation simulation(scene);
//     MemoryRecording recording;
//     const RunReport report = simulation.run({.sink = &recording});
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "pintle/base/result.h"
#include "pintle/dynamics/certificate/certificate.h"
#include "pintle/simulation/hybrid/energy_balance.h"
#include "pintle/simulation/recording/recording.h"
#include "pintle/simulation/run/run_report.h"
#include "pintle/simulation/scene/scene.h"
#include "pintle/simulation/system/event_function.h"
#include "pintle/simulation/system/force_element.h"

namespace pintle {

/// Is called after every step.
class StepHandler {
 public:
  virtual ~StepHandler() = default;
  /// After `step` steps (1, 2, ...) at time t [s]; false stops the run.
  virtual bool after_step(std::int64_t step, double t, const MotionState& state) = 0;
  /// Within a step that takes several parts (events, slips that have just begun), at time t [s] between them; false
  /// stops the run there.
  virtual bool within_step(double t) {
    (void)t;
    return true;
  }
};

/// A caller's own event.
struct UserEvent {
  std::string name;
  Witness watch{};
  bool terminal = false;  ///< ends the run
};

/// What a caller adds to a scene. The pointers must outlive the simulation.
struct SimulationParts {
  std::span<ForceElement* const> forces{};
  std::span<const UserEvent> events{};
  /// Looks in every step at all pairs of shapes that may touch, also at those far from each other: slower, with the
  /// same bits.
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

/// What all rows and impacts of a run so far say of its contacts.
struct ContactRecord {
  ContactResiduals residuals{};  ///< the worst of each
  double t = 0.0;                ///< [s] of the worst of all
  int body_a = -1, body_b = -1;  ///< its bodies (Model::bodies); -1: the world
  bool at_impact = false;        ///< whether it is of an impact, not of a row
  std::int64_t gains = 0;        ///< impacts that gained energy
  double time_stepped = 0.0;     ///< [s] of the run, by time-stepping (TimeStepping)
  double breach = 0.0;           ///< of the laws in it, of the terms of a velocity
};

/// Runs a scene. After the constructor no step allocates, unless the sink does. Not for several threads at once; each
/// thread has its own.
class Simulation {
 public:
  explicit Simulation(const Scene& scene, const SimulationParts& parts = {});
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  /// Back to the start.
  void reset();

  /// One step: of fixed ones number n ends at t0 + n h to the bit.
  RunReport step();

  /// On to a time; the last step ends on it. The sink gets about as many rows as the scene says, one at the start and
  /// one at the end, and a row for every event (two where velocities jump).
  RunReport run(const RunOptions& options = {});

  const Scene& scene() const;
  const MotionState& state() const;
  std::int64_t steps() const;
  /// The length of fixed steps [s], or of the next one.
  double step_length() const;
  /// Which dofs stick, rest and slide.
  const DofModes& modes() const;
  /// The lines of the energy balance.
  std::span<const WorkAccount> accounts() const;
  /// Energy and momentum at the present state against what was done since the start. Without RunSpec::energy balance
  /// only the energies are known.
  const EnergyBalance& energy_balance();
  const WorstCertificate& worst_certificate() const;
  /// Of contacts; zeroes where nothing can touch or certificates are off, but for `gains`.
  const ContactRecord& contact_record() const;
  /// The columns of the rows that `run` records.
  std::span<const Column> columns() const;
  /// Accelerations and efforts at the present state: {vdot, tau}; empty where there are none.
  struct Motion {
    std::span<const double> vdot, tau;
  };
  Motion motion();

  /// Of the scene and the caller's elements: what a checkpoint knows its scene by.
  std::uint64_t scene_id() const;
  /// Of time, state, modes and memories: equal for equal runs.
  std::uint64_t state_hash() const;

  /// The whole state of the run, as bytes; `resume` goes on from it bit for bit. Only for the same scene.
  std::string checkpoint() const;
  Result<void> resume(std::string_view bytes, const Origin& origin = {});

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace pintle
