// The exit codes of the program, and the exception by which a command chooses one.
#pragma once

#include <stdexcept>
#include <string>

#include "pintle/base/result.h"
#include "pintle/io/recording/run_checks.h"
#include "pintle/simulation/run/run_report.h"

namespace pintle::cli {

enum class ExitCode : int {
  ok = 0,
  internal = 1,       ///< a bug in Pintle itself
  usage = 2,          ///< invalid command line arguments
  bad_model = 3,      ///< the input was read and is invalid
  io = 4,             ///< a file cannot be read or written
  diverged = 5,       ///< the computation did not converge
  failed_checks = 6,  ///< with --strict: the run ended, but its checks failed
  interrupted = 130,  ///< stopped by the user (128 + SIGINT)
  terminated = 143,   ///< stopped by the system (128 + SIGTERM)
};

/// Ends the program with a message on stderr and the given exit code.
class CommandError : public std::runtime_error {
 public:
  CommandError(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// The exit code for the outcome of a run.
ExitCode code_of(const RunReport& report);

/// Throws CommandError (failed_checks) with their names if checks failed.
void require_checks(const RunChecks& checks);

/// Throws CommandError with the first problem if a file operation failed.
void check_files(const Diagnostics& problems);
template <class T>
void check_files(const Result<T>& done) {
  if (!done) check_files(done.diagnostics());
}

/// Ends the program with an exit code and no message: everything has been printed.
class CommandExit {
 public:
  explicit CommandExit(ExitCode code) : code_(code) {}

  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

}  // namespace pintle::cli
