// Failing writes, and the problems they report.
#pragma once

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <string>

#include "pintle/base/result.h"

namespace pintle {

/// No file of this process may grow beyond this number of bytes, as on a full disk.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

/// The code of the only problem of a failure.
inline std::string code_of(const Result<void>& result) {
  REQUIRE(!result.ok());
  REQUIRE(result.diagnostics().size() == 1);
  CHECK(!result.diagnostics()[0].why.empty());
  return result.diagnostics()[0].code;
}

}  // namespace pintle
