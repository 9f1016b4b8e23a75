#include "exit_code.h"

#include <signal.h>

#include "interrupt.h"

namespace pintle::cli {

ExitCode code_of(const RunReport& report) {
  if (report.outcome == RunOutcome::handler_stopped)
    return interrupting_signal() == SIGTERM ? ExitCode::terminated : ExitCode::interrupted;
  if (report.ok()) return ExitCode::ok;
  return report.outcome == RunOutcome::recording_ended ? ExitCode::io : ExitCode::diverged;
}

void check_files(const Diagnostics& problems) {
  const Diagnostic& problem = problems[0];
  const bool wrong = problem.code.starts_with("checkpoint-") || problem.code.starts_with("log-");
  throw CommandError(wrong ? ExitCode::bad_model : ExitCode::io, format(problem));
}

}  // namespace pintle::cli
