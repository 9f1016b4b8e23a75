// How a run ended, for those commands that make one.
#pragma once

#include "exit_code.h"
#include "pintle/io/run_json.h"
#include "run_folder.h"
#include "run_watcher.h"
#include "scene_input.h"

namespace pintle::cli {

/// What is known of a run before it begins. The scene must outlive it.
RunFacts facts_before(const ReadScene& scene);

/// Runs to the end, heeding Ctrl-C, and adds what was recorded to `facts`; the recorder must outlive them. An
/// interruption is told in the run's own words.
RunReport run_watched(Simulation& simulation, RunRecorder& recorder, RunWatcher& watcher, RunFacts& facts);

ExitCode code_of(const RunReport& report);

}  // namespace pintle::cli
