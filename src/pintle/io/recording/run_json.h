// run.json: what a run was, how it ended and how good it is; enough to repeat it bit for bit. docs/formats/run.md
// describes every key.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "pintle/io/recording/events_kept.h"
#include "pintle/simulation/run/simulation.h"

namespace pintle {

/// A file that a scene was read from.
struct SceneSource {
  std::string name{};  ///< relative to the folder of the scene
  std::int64_t bytes = 0;
  std::uint64_t hash = 0;  ///< StateHash of its bytes, as one string
  bool has_text = false;   ///< false: it is too large, or no text
  std::string text{};
};

/// A source with its text when it is UTF-8 of up to 64 KiB.
SceneSource scene_source(std::string name, std::string_view bytes);

/// What a simulation does not know of its own run. The spans must be valid during the call.
struct RunFacts {
  std::string scene{};                       ///< as the user named it: a file or an embedded scene
  std::span<const SceneSource> sources{};    ///< the files it was read from, itself first
  std::span<const std::string> overrides{};  ///< "run.step=1e-4": what was set besides the scene
  bool has_seed = false;                     ///< was chance involved?
  std::uint64_t seed = 0;
  double resumed_at = __builtin_nan("");  ///< [s] the time of the checkpoint it went on from; NaN: none
  double wall_time = __builtin_nan("");   ///< [s] that it took; NaN: not told
  std::span<const RecordedEvent> events{};
  std::int64_t events_left_out = 0;  ///< beyond those
  std::span<const ImpactRecord> impacts{};
  std::int64_t impacts_left_out = 0;     ///< beyond those
  const ContactSum* contacts = nullptr;  ///< of all rows; null: none were recorded
  std::span<const std::string> files{};  ///< that were written, beside run.json
};

/// The text of run.json for the present state of a simulation and the report of its run. All numbers read back as the
/// same doubles; numbers that are not finite are null.
std::string run_json(Simulation& simulation, const RunReport& report, const RunFacts& run = {});

/// "g++ 12.2.0": what this library was compiled by.
std::string compiler_name();

}  // namespace pintle
