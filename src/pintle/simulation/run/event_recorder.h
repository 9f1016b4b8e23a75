// EventRecorder: records the events of a run: crossings of the user's witness functions and of speed limits, and how
// dofs and contacts change at mode transitions.
#pragma once

#include <span>

#include "pintle/simulation/events/event_finder.h"
#include "pintle/simulation/hybrid/mode_change.h"
#include "pintle/simulation/hybrid/mode_witnesses.h"
#include "pintle/simulation/run/recorder.h"
#include "pintle/simulation/run/user_events.h"

namespace pintle {

/// Everything is recorded at the present state. If a function returns false the run has ended, and its status says why.
class EventRecorder {
 public:
  EventRecorder(SceneMotion& motion, RunStatus& status, const UserEvents& users, const ModeWitnesses& witnesses,
                Recorder& recorder);

  /// The user's event of a witness function.
  const UserEvent& user_event(int witness) const { return users_[witnesses_.roles()[size(witness)].number]; }

  bool record_user_event(const EventHit& hit);
  /// Counts the user's events among these, for formulas of efforts. Whether efforts may have changed.
  bool count(std::span<const EventHit> hits);
  /// The speed of a witness function has exceeded its limit, or is within it again.
  bool record_speed(std::size_t witness, bool over);
  /// The speeds that jumped across their limits since `before`.
  bool record_speed_jumps(const MotionState& before);
  /// The user's events between `before` and the present state, with a row for each. A terminal one ends the run.
  bool record_passed_events(const MotionState& before);
  /// A terminal event ends the run.
  void end_run();

  /// The transitions of each dof since `before`, when its modes were `was`, with the impulses of its limit.
  bool record_dofs(const DofModes& was, const MotionState& before, const ModeChange& change);
  bool record_impact(const ImpactRecord& impact) { return recorder_.record_impact(impact); }
  /// The transitions of each contact of `was`, and the new contacts; `jumped`: at an impact, where a slip that goes
  /// backwards is no reversal.
  bool record_contacts(std::span<const ActiveContact> was, bool jumped);
  /// The contacts have no lawful forces (Painleve): an impact without collision.
  bool record_painleve_impact();

 private:
  bool has_reversed(const ActiveContact& before, const ActiveContact& now) const;
  bool record_contact(EventKind kind, const ActiveContact& contact);

  SceneMotion& motion_;
  RunStatus& status_;
  const UserEvents& users_;
  const ModeWitnesses& witnesses_;
  Recorder& recorder_;
};

}  // namespace pintle
