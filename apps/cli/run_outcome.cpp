#include "run_outcome.h"

#include <signal.h>

#include "interrupt.h"
#include "pintle/math/number_text.h"

namespace pintle::cli {

RunFacts facts_before(const ReadScene& scene) {
  RunFacts facts;
  facts.scene = scene.name;
  facts.sources = scene.sources;
  facts.overrides = scene.settings;
  return facts;
}

RunReport run_watched(Simulation& simulation, RunRecorder& recorder, RunWatcher& watcher, RunFacts& facts) {
  note_interrupts();
  RunReport report = simulation.run({.sink = &recorder, .handler = &watcher});
  watcher.clear();
  if (report.outcome == RunOutcome::handler_stopped) report.text = "t = " + number_text(report.t) + " s: interrupted";
  facts.wall_time = watcher.seconds();
  facts.events = recorder.events().events();
  facts.events_left_out = recorder.events().left_out();
  facts.impacts = recorder.events().impacts();
  facts.impacts_left_out = recorder.events().impacts_left_out();
  facts.contacts = recorder.contact_sum();
  return report;
}

ExitCode code_of(const RunReport& report) {
  if (report.outcome == RunOutcome::handler_stopped)
    return interrupting_signal() == SIGTERM ? ExitCode::terminated : ExitCode::interrupted;
  if (report.ok()) return ExitCode::ok;
  return report.outcome == RunOutcome::recording_ended ? ExitCode::io : ExitCode::diverged;
}

}  // namespace pintle::cli
