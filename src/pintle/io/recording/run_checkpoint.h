// RunCheckpoint: a run to go on with, as a file. docs/formats/run.md describes how it is used.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/io/recording/row_log.h"
#include "pintle/simulation/run/simulation.h"

namespace pintle {

/// The checkpoint of a simulation, with what else a run is made of: the scene by its name, the settings from outside,
/// how much of the log of its rows belongs to it. The bytes are those of simulation/run/checkpoint.h.
struct RunCheckpoint {
  std::string scene{};                  ///< as the user named it: a file or an embedded scene
  std::string path{};                   ///< of the file, absolute; empty for an embedded scene
  std::vector<std::string> settings{};  ///< "run.step=1e-4": what was set besides the scene
  std::string bit_family{};
  std::uint64_t recording_id = 0;
  double every = 0.0;  ///< [s] of the run, between checkpoints
  double t = 0.0;      ///< [s]
  LogMark log{};
  std::string simulation{};  ///< Simulation::checkpoint
};

/// The bytes of the file.
std::string run_checkpoint_bytes(const RunCheckpoint& checkpoint);

/// Reads them. Problems as those of open_checkpoint; `checkpoint-kind` when it is one of a simulation alone.
Result<RunCheckpoint> read_run_checkpoint(std::string_view bytes, const Origin& origin = {});

/// Of what a run records besides its motion: how long, how many rows, which sensors. A run is gone on with only where
/// it is the same, so that the results are those of one run.
std::uint64_t recording_id(const Scene& scene);

/// Goes on from a checkpoint in a simulation of the same scene, the same recording and the same bit family, so that all
/// results become those of a run that was never interrupted; otherwise a problem (`checkpoint-scene`,
/// `checkpoint-recording`, `checkpoint-bits`).
Result<void> resume(Simulation& simulation, const RunCheckpoint& checkpoint, const Origin& origin = {});

}  // namespace pintle
