#include "pintle/io/recording/sink_error.h"

namespace pintle {

RecordReport SinkError::report(const Result<void>& done) {
  if (!done && problems_.empty()) {
    problems_ = done.diagnostics();
    reason_ = problems_[0].what + ": " + problems_[0].why;
  }
  return report();
}

RecordReport SinkError::report() const {
  if (problems_.empty()) return {};
  return {problems_[0].code == "write-full" ? RecordOutcome::full : RecordOutcome::failed, reason_};
}

void SinkError::clear() {
  problems_.clear();
  reason_.clear();
}

}  // namespace pintle
