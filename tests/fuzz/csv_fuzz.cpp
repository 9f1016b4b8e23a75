// Any text is a table of finite numbers or is refused; a table becomes a drive or is refused.
#include <cmath>

#include "fuzz/properties.h"
#include "pintle/simulation/elements/drive.h"
#include "pintle/text/csv_table.h"

namespace pintle::fuzz {
namespace {

/// The first two columns as a drive with every kind of ends.
void test_drive(const CsvTable& table, const Texts& texts) {
  DriveTable rows;
  rows.origin = Origin("f.csv", table.lines[0]);
  for (std::size_t i = 0; i < table.rows(); ++i) rows.rows.push_back({table.at(i, 0), table.at(i, 1), table.lines[i]});
  for (const SplineEnds ends : {SplineEnds::natural, SplineEnds::clamped, SplineEnds::periodic}) {
    rows.ends = ends;
    rows.outside = OutsideTable::hold;
    const Result<Drive> drive = table_drive(rows);
    require_good(drive.diagnostics(), drive.ok(), texts);
    if (!drive) continue;
    for (const DriveRow& row : rows.rows)
      require(std::isfinite(evaluate(*drive, row.time).value), "a drive is finite on its rows");
  }
}

void test(std::string_view text) {
  const Texts texts{{"f.csv", std::string(text)}};
  const Result<CsvTable> table = read_csv(text, "f.csv");
  require_good(table.diagnostics(), table.ok(), texts);
  if (!table) return;
  require(table->numbers.size() == table->rows() * table->columns.size(), "a table is full");
  for (const double number : table->numbers) require(std::isfinite(number), "numbers are finite");
  for (std::size_t i = 0; i < table->columns.size(); ++i)
    require(table->column(table->columns[i].name) == static_cast<int>(i), "columns are found by name");
  if (table->columns.size() >= 2) test_drive(*table, texts);
}

}  // namespace
}  // namespace pintle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  pintle::fuzz::test({reinterpret_cast<const char*>(data), size});
  return 0;
}
