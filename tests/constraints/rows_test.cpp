#include "pintle/constraints/rows.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "pintle/constraints/delassus.h"
#include "properties/dynamics_of.h"

using namespace test;

TEST_CASE("rows: what they read of velocities and give to efforts, and wrong sizes") {
  RandomStream stream(512);
  DynamicsOf dynamics(random_spec(stream, {.links = 6}));
  const std::size_t nv = size(dynamics.model.nv());
  ConstraintRows rows(3);
  rows.add(2, -1.0, 1.0);
  rows.add(0, 0.0, __builtin_inf());
  rows.add(2, 0.0, 1.0);
  Numbers v(nv), values(3), tau(nv, 1.0);
  for (std::size_t i = 0; i < nv; ++i) v[i] = static_cast<double>(i + 1);
  along_rows(rows, v, values);
  CHECK(values == Numbers{3, 1, 3});
  add_row_efforts(rows, Numbers{10, 20, 30}, tau);
  CHECK(tau[0] == 21.0);
  CHECK(tau[1] == 1.0);
  CHECK(tau[2] == 41.0);
  CHECK_THROWS_WITH_AS(along_rows(rows, v, tau), doctest::Contains("'values'"), UsageError);
  CHECK_THROWS_WITH_AS(along_rows(rows, Numbers{1, 2}, values), doctest::Contains("'v'"), UsageError);
  CHECK_THROWS_WITH_AS(add_row_efforts(rows, Numbers{1}, tau), doctest::Contains("'multipliers'"), UsageError);
  ResponseWorkspace response(dynamics.model);
  DelassusWorkspace work(dynamics.model, 2);
  Numbers A(9);
  CHECK_THROWS_WITH_AS(delassus(dynamics.model, rows, response, work, A), doctest::Contains("'work'"), UsageError);
  DelassusWorkspace enough(dynamics.model, 3);
  CHECK_THROWS_WITH_AS(delassus(dynamics.model, rows, response, enough, values), doctest::Contains("'A'"), UsageError);
  rows.clear();
  CHECK(rows.count() == 0);
}
