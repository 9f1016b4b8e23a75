#include "pintle/base/usage_error.h"

#include <doctest/doctest.h>

namespace pintle {
namespace {

TEST_CASE("a check that holds does nothing") {
  CHECK_NOTHROW(require_size("forward_dynamics", "q", 7, 7));
  CHECK_NOTHROW(require_size("forward_dynamics", "q", 0, 0));
  CHECK_NOTHROW(require(true, "step", "dt", "must be positive"));
}

TEST_CASE("a wrong size names the function, the argument and both sizes") {
  CHECK_THROWS_WITH_AS(require_size("forward_dynamics", "q", 6, 7),
                       "forward_dynamics: argument 'q' has size 6, expected 7", UsageError);
  CHECK_THROWS_WITH_AS(require_size("f", "v", 0, static_cast<std::size_t>(-1)),
                       "f: argument 'v' has size 0, expected 18446744073709551615", UsageError);
}

TEST_CASE("a condition that fails names the function, the argument and the reason") {
  CHECK_THROWS_WITH_AS(require(false, "step", "dt", "must be positive"), "step: argument 'dt': must be positive",
                       UsageError);
}

}  // namespace
}  // namespace pintle
