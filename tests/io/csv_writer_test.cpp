#include "pintle/io/recording/csv_writer.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "pintle/base/random.h"
#include "pintle/base/usage_error.h"
#include "pintle/text/csv_table.h"
#include "support/scratch_folder.h"

namespace pintle {
namespace {

const std::vector<Column> kColumns{{"t", "s"}, {"q.elbow", "rad"}, {"tau.elbow", "N m"}};

/// Any finite double with equal chance of each pattern of bits.
double any_number(RandomStream& stream) {
  for (;;) {
    const double number = std::bit_cast<double>(stream.bits());
    if (std::isfinite(number)) return number;
  }
}

TEST_CASE("a table that was written reads back with the same bits") {
  const ScratchFolder folder;
  RandomStream stream(0, 1);
  std::vector<double> numbers;
  CsvWriter writer(folder / "run.csv");
  REQUIRE(writer.begin(kColumns).ok());
  for (int i = 0; i < 3000; ++i) {
    std::array<double, 3> row{0.001 * i, any_number(stream), stream.uniform(-1.0, 1.0)};
    if (i == 0) row = {-0.0, std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max()};
    numbers.insert(numbers.end(), row.begin(), row.end());
    REQUIRE(writer.row(row).ok());
  }
  CHECK(folder.read("run.csv").empty());
  REQUIRE(writer.end().ok());
  CHECK(writer.rows() == 3000);
  const std::string text = folder.read("run.csv");
  CHECK(text.starts_with("t [s],q.elbow [rad],tau.elbow [N m]\n"));
  const Result<CsvTable> table = read_csv(text, "run.csv");
  REQUIRE(table);
  REQUIRE(table->numbers.size() == numbers.size());
  std::size_t differences = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (std::bit_cast<std::uint64_t>(table->numbers[i]) != std::bit_cast<std::uint64_t>(numbers[i])) ++differences;
  CHECK(differences == 0);
  CHECK(table->columns[2].name == "tau.elbow");
  CHECK(table->columns[2].unit == "N m");
}

TEST_CASE("numbers are the shortest that read back, and what is not finite has a word") {
  const ScratchFolder folder;
  const double inf = std::numeric_limits<double>::infinity();
  CsvWriter writer(folder / "run.csv");
  REQUIRE(writer.begin(kColumns).ok());
  REQUIRE(writer.row(std::array{0.1, 1e-7, 3.0}).ok());
  REQUIRE(writer.row(std::array{std::copysign(std::nan(""), -1.0), inf, -inf}).ok());
  REQUIRE(writer.event({}).ok());
  REQUIRE(writer.end().ok());
  CHECK(folder.read("run.csv") == "t [s],q.elbow [rad],tau.elbow [N m]\n0.1,1e-07,3\nnan,inf,-inf\n");
}

TEST_CASE("names that would break a table are quoted") {
  const ScratchFolder folder;
  CsvWriter writer(folder / "run.csv");
  const std::vector<Column> columns{{"t", "s"}, {"q.a,b", "rad"}, {"q.\"c\"", "rad"}};
  REQUIRE(writer.begin(columns).ok());
  REQUIRE(writer.end().ok());
  CHECK(folder.read("run.csv") == "t [s],\"q.a,b [rad]\",\"q.\"\"c\"\" [rad]\"\n");
}

TEST_CASE("without an end there is no table, and a new begin starts anew") {
  const ScratchFolder folder;
  {
    CsvWriter writer(folder / "run.csv");
    REQUIRE(writer.begin(kColumns).ok());
    REQUIRE(writer.row(std::array{1.0, 2.0, 3.0}).ok());
  }
  CHECK(folder.files().empty());
  CsvWriter writer(folder / "run.csv");
  REQUIRE(writer.begin(kColumns).ok());
  REQUIRE(writer.row(std::array{1.0, 2.0, 3.0}).ok());
  REQUIRE(writer.begin(kColumns).ok());
  REQUIRE(writer.end().ok());
  CHECK(folder.read("run.csv") == "t [s],q.elbow [rad],tau.elbow [N m]\n");
  CHECK_THROWS_AS((void)writer.row(std::array{1.0, 2.0, 3.0}), UsageError);
  REQUIRE(writer.begin(kColumns).ok());
  CHECK_THROWS_AS((void)writer.row(std::array{1.0}), UsageError);
}

TEST_CASE("a table that cannot be written says why and leaves nothing") {
  const ScratchFolder folder;
  CsvWriter nowhere(folder / "none/run.csv");
  const RecordReport begun = nowhere.begin(kColumns);
  CHECK(begun.outcome == RecordOutcome::failed);
  CHECK(begun.reason == "cannot write '" + (folder / "none/run.csv") + "': No such file or directory");
  CHECK(nowhere.row(std::array{1.0, 2.0, 3.0}).outcome == RecordOutcome::failed);
  CHECK(nowhere.end().outcome == RecordOutcome::failed);
  CHECK(nowhere.problems().at(0).code == "write-path");

  CsvWriter full("/dev/full");
  REQUIRE(full.begin(kColumns).ok());
  RecordReport report;
  std::int64_t rows = 0;
  for (; report.ok() && rows < 100000; ++rows) report = full.row(std::array{0.1, 0.2, 0.3});
  CHECK(report.outcome == RecordOutcome::full);
  CHECK(report.reason == "cannot write '/dev/full': No space left on device");
  CHECK(full.end().outcome == RecordOutcome::full);
}

TEST_CASE("memory does not grow with the rows") {
  const auto largest_kilobytes = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  CsvWriter writer("/dev/null");
  REQUIRE(writer.begin(kColumns).ok());
  for (int i = 0; i < 1000; ++i) REQUIRE(writer.row(std::array{0.1 * i, 0.2, 0.3}).ok());
  const long before = largest_kilobytes();
  bool ok = true;
  for (int i = 0; i < 2000000; ++i) ok = ok && writer.row(std::array{0.1 * i, 1.0 / 3.0, 1e-5 * i}).ok();
  CHECK(ok);
  CHECK(writer.end().ok());
  CHECK(largest_kilobytes() - before < 1000);  // the text has 90 MB; none was seen
}

}  // namespace
}  // namespace pintle
