#include "pintle/io/csv_table.h"

#include <doctest/doctest.h>

namespace pintle {
namespace {

TEST_CASE("commas, semicolons or spaces separate numbers") {
  for (const char* const text :
       {"t [s],x [N m]\n0,1\n2,3\n", "t [s] ; x [N m]\n 0 ; 1 \n2;3", "t [s] x [N m]\n0 1\n2\t3\n",
        "\xEF\xBB\xBF# comment\r\n\r\nt [s], x [N m]\r\n0, 1\r\n# more\r\n2, 3\r\n"}) {
    const CsvTable table = *read_csv(text, "a.csv");
    REQUIRE(table.columns.size() == 2);
    CHECK(table.columns[0].name == "t");
    CHECK(table.columns[0].unit == "s");
    CHECK(table.columns[1].unit == "N m");
    CHECK(table.rows() == 2);
    CHECK(table.at(1, 0) == 2.0);
    CHECK(table.at(1, 1) == 3.0);
    CHECK(table.column("x") == 1);
    CHECK(table.column("y") == -1);
  }
}

TEST_CASE("every wrong cell is told with its place, up to ten") {
  const Result<CsvTable> table = read_csv("t, x\n0, 1\n1, x\n2,\n3\ninf, 1e999\n", "a.csv");
  REQUIRE(!table.ok());
  const auto place = [&](std::size_t i) {
    const Diagnostic& problem = table.diagnostics().at(i);
    return problem.code + ":" + std::to_string(problem.origin.line) + ":" + std::to_string(problem.origin.column);
  };
  CHECK(place(0) == "csv-number:3:4");
  CHECK(place(1) == "csv-number:4:3");
  CHECK(place(2) == "csv-count:5:1");
  CHECK(place(3) == "csv-number:6:1");
  CHECK(place(4) == "csv-number:6:6");
  std::string many = "t, x\n";
  for (int i = 0; i < 100; ++i) many += "a, 1\n";
  CHECK(read_csv(many, "a.csv").diagnostics().size() == 10);
}

TEST_CASE("a table has names and rows") {
  const auto code = [](const char* text) { return read_csv(text, "a.csv").diagnostics().at(0).code; };
  CHECK(code("") == "csv-empty");
  CHECK(code("t, x\n") == "csv-empty");
  CHECK(code("t, t\n0, 0\n") == "csv-name");
  CHECK(code("0, 1\n2, 3\n") == "csv-name");
  CHECK(code("t, [s]\n2, 3\n") == "csv-name");
}

}  // namespace
}  // namespace pintle
