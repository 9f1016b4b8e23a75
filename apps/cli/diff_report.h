// The output of `pintle diff`.
#pragma once

#include <string>

#include "pintle/io/recording/run_comparison.h"

namespace pintle::cli {

/// Two runs, how they were compared, and the outcome.
struct ComparedRuns {
  const StoredRun& first;
  const StoredRun& second;
  CompareOptions options;
  RunComparison comparison;
};

/// "identical", "equal" (within the tolerance) or "different".
const char* verdict(const ComparedRuns& runs);

/// For people, in lines of at most 80 characters except for paths; `all` lists every column and value that differs.
std::string diff_text(const ComparedRuns& runs, bool all);

/// For programs, with every column and value (docs/formats/commands.md).
std::string diff_json(const ComparedRuns& runs);

}  // namespace pintle::cli
