#include "pintle/io/recording/sink_trouble.h"

namespace pintle {

RecordReport SinkTrouble::report(const Result<void>& done) {
  if (!done && problems_.empty()) {
    problems_ = done.diagnostics();
    reason_ = problems_[0].what + ": " + problems_[0].why;
  }
  return report();
}

RecordReport SinkTrouble::report() const {
  if (problems_.empty()) return {};
  return {problems_[0].code == "write-full" ? RecordOutcome::full : RecordOutcome::failed, reason_};
}

void SinkTrouble::clear() {
  problems_.clear();
  reason_.clear();
}

}  // namespace pintle
