// What a sink that writes a file reports when it cannot.
#pragma once

#include <string>

#include "pintle/base/result.h"
#include "pintle/simulation/recording/recording.h"

namespace pintle {

/// Keeps the first problem of a file, and says it as a RecordReport: `full` without room, else `failed`.
class SinkError {
 public:
  RecordReport report(const Result<void>& done);
  /// What is the matter already; done when nothing is.
  RecordReport report() const;
  const Diagnostics& problems() const { return problems_; }
  void clear();

 private:
  Diagnostics problems_;
  std::string reason_;
};

}  // namespace pintle
