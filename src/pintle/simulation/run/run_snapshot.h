// RunSnapshot: everything that a run depends on when it resumes, and its form as a checkpoint.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/simulation/hybrid/dof_modes.h"
#include "pintle/simulation/hybrid/energy_balance.h"
#include "pintle/simulation/run/recorder.h"
#include "pintle/simulation/run/run_status.h"
#include "pintle/simulation/run/step_clock.h"
#include "pintle/simulation/run/time_stepping_spans.h"
#include "pintle/simulation/run/work_budget.h"

namespace pintle {

struct RunSnapshot {
  MotionState state;
  StepClock::Memory clock;
  RunStatus::Memory status;
  WorkBudget::Memory budget;
  TimeSteppingSpans::Memory time_stepping;
  DofModes modes;
  std::vector<std::int64_t> fired;  ///< ModeWitnesses::saved_marks
  std::vector<ActiveContact> contacts;
  std::vector<std::vector<double>> elements;  ///< the memory of each force element
  std::vector<double> sample_times;           ///< [s] when each of them samples next
  std::vector<double> event_counts;           ///< SceneSystem::event_counts
  EnergyBalance::Memory energy_balance;
  Recorder::Memory records;
};

/// The bytes of a checkpoint of a scene, which is identified by its hash.
std::string write_snapshot(RunSnapshot& snapshot, std::uint64_t scene_id);

/// Reads them into a snapshot of the same scene, whose arrays have their sizes. `pairs`: how many pairs of shapes may
/// touch. After an error the snapshot must not be used.
Result<void> read_snapshot(std::string_view bytes, std::uint64_t scene_id, std::size_t pairs, const Origin& origin,
                           RunSnapshot& snapshot);

}  // namespace pintle
