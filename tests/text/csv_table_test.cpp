#include "pintle/text/csv_table.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

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

TEST_CASE("quoted names may hold separators, quotes, brackets and line feeds") {
  const CsvTable table =
      *read_csv("t [s],\"q.a,b [rad]\",\"q.\"\"c\"\" [1]\",q.d[2] [m], \"e\nf\"\n0,1,2,3,4\n", "a.csv");
  REQUIRE(table.columns.size() == 5);
  CHECK(table.columns[1].name == "q.a,b");
  CHECK(table.columns[1].unit == "rad");
  CHECK(table.columns[2].name == "q.\"c\"");
  CHECK(table.columns[3].name == "q.d[2]");
  CHECK(table.columns[3].unit == "m");
  CHECK(table.columns[4].name == "e\nf");
  CHECK(table.lines == std::vector<int>{3});
  CHECK(read_csv("t, 5\" pipe, x\n0,1,2\n", "a.csv")->columns[1].name == "5\" pipe");
  CHECK(read_csv("t, \"pipe, x\n0,1\n", "a.csv")->columns[1].name == "\"pipe, x");
}

TEST_CASE("places are those of the file, behind line feeds in names and byte order marks too") {
  const auto place = [](const std::string& text) {
    const Origin origin = read_csv(text, "a.csv").diagnostics().at(0).origin;
    return std::to_string(origin.line) + ":" + std::to_string(origin.column);
  };
  CHECK(place("t,x,t\n0,0,0\n") == "1:5");
  CHECK(place("t,\"x\ny\",\"z\", t\n0,0,0,0\n") == "2:9");
  CHECK(place("\"x\n\ny\",z\n0,one\n") == "4:3");
  CHECK(place("\xEF\xBB\xBFt,x,t\n0,0,0\n") == "1:8");
  CHECK(place("\xEF\xBB\xBFt,x\n0,one\n") == "2:3");
  CHECK(read_csv("t [s]\n0\n", "a.csv")->columns[0].unit_column == 4);
  CHECK(read_csv("\xEF\xBB\xBFt [s]\n0\n", "a.csv")->columns[0].unit_column == 7);
  CHECK(read_csv("\"t [s]\",x\n0,0\n", "a.csv")->columns[0].unit_column == 0);
}

TEST_CASE("of very many names and problems only the first are looked at") {
  const std::string commas(1000000, ',');
  CHECK(read_csv(commas, "a.csv").diagnostics().size() <= 11);
  std::string names = "t", numbers = "0";
  for (int i = 0; i < 50000; ++i) {
    names += ",x" + std::to_string(i);
    numbers += ",0";
  }
  CHECK(read_csv(names + "\n" + numbers + "\n", "a.csv")->columns.size() == 50001);  // in no time
  CHECK(read_csv(names + "\n" + commas.substr(0, 50000) + "\n", "a.csv").diagnostics().size() == 10);
}

TEST_CASE("numbers that are not finite are read where they are allowed") {
  const std::string text = "t [s],x\n0,nan\n1,inf\n2,-inf\n3,-0\n4,5e-324\n";
  CHECK(read_csv(text, "a.csv").diagnostics().size() == 3);
  const CsvTable table = *read_csv(text, "a.csv", CsvNumbers::any);
  CHECK(std::isnan(table.at(0, 1)));
  CHECK(table.at(1, 1) == std::numeric_limits<double>::infinity());
  CHECK(table.at(2, 1) == -std::numeric_limits<double>::infinity());
  CHECK(std::signbit(table.at(3, 1)));
  CHECK(table.at(4, 1) == std::numeric_limits<double>::denorm_min());
  CHECK(!read_csv("t,x\n0,NaN\n", "a.csv", CsvNumbers::any));
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
