// ModeTransition: the mode transition at an instant of a run, with its impacts: which dofs and contacts stick, slide,
// rest at a limit or separate next.
#pragma once

#include <span>
#include <vector>

#include "pintle/base/size.h"
#include "pintle/simulation/hybrid/mode_change.h"
#include "pintle/simulation/hybrid/mode_witnesses.h"
#include "pintle/simulation/run/event_recorder.h"
#include "pintle/simulation/run/run_status.h"
#include "pintle/simulation/run/scene_motion.h"

namespace pintle {

/// To be used in two steps: `begin`, after which marks say what has come to rest; then `apply`.
class ModeTransition {
 public:
  ModeTransition(SceneMotion& motion, RunStatus& status, EventRecorder& events, ModeWitnesses& witnesses);

  /// Nothing has come to rest: no dof and none of so many contacts (0: contacts are not considered).
  void begin(std::size_t contacts);
  /// The same for dofs only.
  void clear_causes();
  void mark_rest(int dof) { causes_[size(dof)] = Guard::rest; }
  void mark_contact_rest(int contact, FrictionKind kind) { contact_rests_[size(contact)][kind] = true; }
  std::vector<FrictionMarks>& contact_rests() { return contact_rests_; }

  /// Resolves impacts and solves for the modes that follow, chooses the witness functions for them (`hits`:
  /// ModeWitnesses::choose), and records what has changed. False: the run has ended, or is blocked in its previous
  /// state.
  bool apply(std::span<const unsigned char> hits);

  /// Whether the last transition changed the modes of dofs.
  bool changed_dofs() const { return motion_.system.modes() != modes_before_; }
  /// About how many multiplications the solvers of the last transition took.
  double work() const { return work_; }
  /// The impacts between bodies in the last transition.
  std::span<const ImpactRecord> impacts() const { return change_.impacts(); }

 private:
  bool record(const ModeChangeReport& report);
  bool is_doubtful() const;

  SceneMotion& motion_;
  RunStatus& status_;
  EventRecorder& events_;
  ModeWitnesses& witnesses_;
  ModeChange change_;
  std::vector<Guard> causes_;                 // per dof
  std::vector<FrictionMarks> contact_rests_;  // per active contact
  MotionState before_;
  DofModes modes_before_;
  std::vector<ActiveContact> contacts_before_;
  double work_ = 0.0;
};

}  // namespace pintle
