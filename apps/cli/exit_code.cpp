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

void require_checks(const RunChecks& checks) {
  if (checks.verdict() != CheckVerdict::failed) return;
  std::string names;
  for (const RunCheck& check : checks.list)
    if (check.verdict == CheckVerdict::failed)
      names += (names.empty() ? "" : ", ") + std::string(facts(check.kind).name);
  throw CommandError(ExitCode::failed_checks, "checks failed (--strict): " + names);
}

void check_files(const Diagnostics& problems) {
  const Diagnostic& problem = problems[0];
  const bool wrong = problem.code.starts_with("checkpoint-") || problem.code.starts_with("log-");
  throw CommandError(wrong ? ExitCode::bad_model : ExitCode::io, format(problem));
}

}  // namespace pintle::cli
