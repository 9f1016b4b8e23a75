// run.json: what was run, how it ended and how accurate it is; enough to repeat it bit for bit. docs/formats/run.md
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
  bool has_text = false;   ///< false: it is too large, or not text
  std::string text{};
};

/// A source, with its text if that is UTF-8 of up to 64 KiB.
SceneSource scene_source(std::string name, std::string_view bytes);

/// Facts about a run that the simulation does not have. The spans must be valid during the call.
struct RunFacts {
  std::string scene{};                       ///< as the user named it: a file or an embedded scene
  std::span<const SceneSource> sources{};    ///< the files it was read from, itself first
  std::span<const std::string> overrides{};  ///< "run.step=1e-4": overrides of the scene
  std::string units = "si";                  ///< of tables and plots (UnitSystem::text)
  bool has_seed = false;                     ///< whether random numbers were used
  std::uint64_t seed = 0;
  double resumed_at = __builtin_nan("");  ///< [s] time of the checkpoint that it resumed from; NaN: none
  double wall_time = __builtin_nan("");   ///< [s] duration of the computation; NaN: not reported
  std::span<const RecordedEvent> events{};
  std::int64_t events_left_out = 0;  ///< number of events not in the list
  std::span<const ImpactRecord> impacts{};
  std::int64_t impacts_left_out = 0;     ///< number of impacts not in the list
  const ContactSum* contacts = nullptr;  ///< over all rows; null: none were recorded
  std::span<const std::string> files{};  ///< files written, besides run.json
};

/// The text of run.json for the present state of a simulation and the report of its run. All values read back as the
/// same doubles; non-finite values are null.
std::string run_json(Simulation& simulation, const RunReport& report, const RunFacts& run = {});

/// The compiler that built this library: "g++ 12.2.0".
std::string compiler_name();

}  // namespace pintle
