// The error report of a sink that cannot write its file.
#pragma once

#include <string>

#include "pintle/base/result.h"
#include "pintle/simulation/recording/recording.h"

namespace pintle {

/// Keeps the first problem of a file and converts it to a RecordReport: `full` if the disk is full, otherwise `failed`.
class SinkError {
 public:
  RecordReport report(const Result<void>& done);
  /// The report of the first problem; `done` if there is none.
  RecordReport report() const;
  const Diagnostics& problems() const { return problems_; }
  void clear();

 private:
  Diagnostics problems_;
  std::string reason_;
};

}  // namespace pintle
