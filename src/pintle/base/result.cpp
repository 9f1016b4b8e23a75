#include "pintle/base/result.h"

#include <algorithm>
#include <string>

#include "pintle/base/usage_error.h"

namespace pintle {
namespace detail {

Diagnostics checked_failure(Diagnostics diagnostics) {
  require(has_errors(diagnostics), "Result", "diagnostics", "a failure needs at least one error");
  return diagnostics;
}

Diagnostics checked_success(Diagnostics diagnostics) {
  require(!has_errors(diagnostics), "Result", "warnings", "a success can carry warnings and notes, but no error");
  return diagnostics;
}

Diagnostics checked_failure(Diagnostic diagnostic) {
  Diagnostics diagnostics;
  diagnostics.push_back(std::move(diagnostic));
  return checked_failure(std::move(diagnostics));
}

void throw_no_value(const Diagnostics& diagnostics) {
  const auto error = std::find_if(diagnostics.begin(), diagnostics.end(),
                                  [](const Diagnostic& d) { return d.severity == Severity::error; });
  // Only a moved-from Result has neither a value nor an error.
  const std::string reason = error == diagnostics.end() ? "it was moved from" : format(*error);
  throw UsageError("Result::value: there is no value: " + reason);
}

}  // namespace detail

Result<void>::Result(Diagnostics diagnostics)
    : ok_(false), diagnostics_(detail::checked_failure(std::move(diagnostics))) {}

Result<void>::Result(Diagnostic diagnostic)
    : ok_(false), diagnostics_(detail::checked_failure(std::move(diagnostic))) {}

Result<void> Result<void>::success(Diagnostics warnings) {
  Result result;
  result.diagnostics_ = detail::checked_success(std::move(warnings));
  return result;
}

}  // namespace pintle
