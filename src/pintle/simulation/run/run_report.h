// RunReport: how a run ended, and why.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pintle {

enum class RunOutcome : unsigned char {
  reached,           ///< the time asked for
  handler_stopped,   ///< the step handler stopped the run
  event_stopped,     ///< a terminal event
  recording_ended,   ///< the sink accepted no more
  over_certificate,  ///< a certificate was worse than its limit
  no_acceleration,   ///< a joint moves no inertia, or a force has no value
  not_finite,        ///< a value became infinite or NaN
  not_converged,     ///< an implicit step or an impact did not converge
  step_too_small,    ///< error control needs a step that time cannot resolve, or that is not allowed
  chattering,        ///< modes keep changing at one instant
};

struct RunOutcomeFacts {
  RunOutcome outcome;
  std::string_view name;
  bool failed;  ///< the run could not continue
};

inline constexpr int kRunOutcomes = 10;
inline constexpr RunOutcomeFacts kRunOutcomeFacts[kRunOutcomes] = {
    {RunOutcome::reached, "reached", false},
    {RunOutcome::handler_stopped, "interrupted", false},
    {RunOutcome::event_stopped, "event-stopped", false},
    {RunOutcome::recording_ended, "recording-ended", true},
    {RunOutcome::over_certificate, "over-certificate", true},
    {RunOutcome::no_acceleration, "no-acceleration", true},
    {RunOutcome::not_finite, "not-finite", true},
    {RunOutcome::not_converged, "not-converged", true},
    {RunOutcome::step_too_small, "step-too-small", true},
    {RunOutcome::chattering, "chattering", true},
};

constexpr const RunOutcomeFacts& facts(RunOutcome outcome) {
  return kRunOutcomeFacts[static_cast<int>(outcome)];
}

struct [[nodiscard]] RunReport {
  RunOutcome outcome = RunOutcome::reached;
  double t = 0.0;             ///< [s] the end; everything before it is kept
  std::int64_t steps = 0;     ///< since the start
  std::int64_t rejected = 0;  ///< steps that error control repeated
  std::int64_t events = 0;
  int joint = -1;         ///< the cause of a failure (Model::joints), if it is known
  int body = -1;          ///< likewise (Model::bodies)
  std::string text{};     ///< what happened, with names; empty if the end time was reached
  std::string element{};  ///< the force element that caused a failure, if it is known; checkpoints do not store it

  bool ok() const { return !facts(outcome).failed; }
};

}  // namespace pintle
