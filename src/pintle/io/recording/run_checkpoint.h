// RunCheckpoint: a file from which a run can be resumed. docs/formats/run.md describes its use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/io/recording/row_log.h"
#include "pintle/simulation/run/simulation.h"

namespace pintle {

/// The checkpoint of a simulation and the rest of the run: the name of the scene, the overridden settings, and how much
/// of the row log belongs to it. The byte format is that of simulation/run/checkpoint.h.
struct RunCheckpoint {
  std::string scene{};                  ///< as the user named it: a file or an embedded scene
  std::string path{};                   ///< of the file, absolute; empty for an embedded scene
  std::vector<std::string> settings{};  ///< "run.step=1e-4": overrides of the scene
  std::string bit_family{};
  std::uint64_t recording_id = 0;
  double every = 0.0;  ///< [s] simulated time between checkpoints
  double t = 0.0;      ///< [s]
  LogMark log{};
  std::string simulation{};  ///< Simulation::checkpoint
};

/// Serialises a checkpoint.
std::string run_checkpoint_bytes(const RunCheckpoint& checkpoint);

/// Reads a serialised checkpoint. Problems are those of open_checkpoint; `checkpoint-kind` if it is the checkpoint of a
/// simulation only.
Result<RunCheckpoint> read_run_checkpoint(std::string_view bytes, const Origin& origin = {});

/// Identifies what a run records besides its motion: duration, number of rows, sensors. A run can be resumed only if
/// this id is the same, so that the results equal those of one run.
std::uint64_t recording_id(const Scene& scene);

/// Resumes from a checkpoint in a simulation of the same scene, the same recording and the same bit family, so that all
/// results equal those of an uninterrupted run; otherwise reports a problem (`checkpoint-scene`,
/// `checkpoint-recording`, `checkpoint-bits`).
Result<void> resume(Simulation& simulation, const RunCheckpoint& checkpoint, const Origin& origin = {});

}  // namespace pintle
