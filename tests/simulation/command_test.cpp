#include "pintle/simulation/elements/command.h"

#include <doctest/doctest.h>

#include <cmath>

#include "pintle/base/usage_error.h"

using namespace pintle;

TEST_CASE("command: a number, a drive, or an expression of t, q and qd") {
  CHECK(evaluate(Command(), 1, 2, 3) == 0.0);
  CHECK(evaluate(Command(2.5), 1, 2, 3) == 2.5);
  CHECK(evaluate(Command(expression_drive("3*t").value()), 2, 0, 0) == 6.0);
  DriveTable table;
  table.rows = {{0.0, 1.0}, {1.0, 3.0}};
  const Command by_table = table_drive(table).value();
  CHECK(evaluate(by_table, 0.5, 0, 0) == 2.0);
  CHECK(std::isnan(evaluate(by_table, 2.0, 0, 0)));
  const Command law = command_expression("100*t + 10*q + qd").value();
  CHECK(evaluate(law, 1, 2, 3) == 123.0);
  CHECK(law.uses_position());
  CHECK(!command_expression("t + qd").value().uses_position());
  CHECK(!by_table.uses_position());
  CHECK_THROWS_AS((void)Command{__builtin_nan("")}, UsageError);
}

TEST_CASE("command: errors of its formula have their place") {
  const Result<Command> wrong = command_expression("2*x", Origin("scene.toml", 4, 9));
  REQUIRE(!wrong.ok());
  CHECK(wrong.diagnostics()[0].code == "expression-unknown-name");
  CHECK(wrong.diagnostics()[0].origin.column == 11);
  const Command law = command_expression("t + q", Origin("scene.toml", 4, 9)).value();
  CHECK(law.position_origin().column == 13);
}
