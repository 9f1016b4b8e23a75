#include "pintle/io/recording/recording_outline.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "pintle/base/random.h"

namespace pintle {
namespace {

const std::vector<Column> kColumns{{"t", "s"}, {"x", "m"}};
const double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST_CASE("few rows are kept as they are") {
  RecordingOutline outline(8);
  REQUIRE(outline.begin(kColumns).ok());
  for (int i = 0; i < 8; ++i) REQUIRE(outline.row(std::array{0.5 * i, 1.0 * i * i}).ok());
  const std::vector<OutlinePoint> line = outline.line(1);
  REQUIRE(line.size() == 8);
  for (int i = 0; i < 8; ++i) CHECK(line[static_cast<std::size_t>(i)].value == i * i);
  CHECK(outline.kept_rows() == 8);
  CHECK(outline.column_number("x") == 1);
  CHECK(outline.column_number("y") == -1);
}

TEST_CASE("of many rows no extreme is lost, and memory is bounded") {
  RandomStream stream(0, 3);
  for (const int rows : {9, 16, 17, 100, 1023, 5000}) {
    RecordingOutline outline(16);
    REQUIRE(outline.begin(kColumns).ok());
    std::vector<double> values;
    for (int i = 0; i < rows; ++i) {
      values.push_back(stream.uniform(-1.0, 1.0));
      REQUIRE(outline.row(std::array{1.0 * i, values.back()}).ok());
    }
    const std::vector<OutlinePoint> line = outline.line(1);
    CHECK(line.size() <= 4 * 16);
    double low = 1.0, high = -1.0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      CHECK(values[static_cast<std::size_t>(line[i].t)] == line[i].value);  // all are points of the run
      if (i > 0) CHECK(line[i].t > line[i - 1].t);
      low = std::min(low, line[i].value);
      high = std::max(high, line[i].value);
    }
    CHECK(low == *std::min_element(values.begin(), values.end()));
    CHECK(high == *std::max_element(values.begin(), values.end()));
    CHECK(line.front().t == 0.0);
    CHECK(line.back().t == rows - 1);

    CHECK(outline.rows() == rows);
    CHECK(outline.kept_rows() <= 17);
    CHECK(outline.kept_rows() >= 8);
    for (std::size_t i = 0; i < outline.kept_rows(); ++i) {
      const std::span<const double> row = outline.kept_row(i);
      CHECK(values[static_cast<std::size_t>(row[0])] == row[1]);
      if (i > 1 && i + 1 < outline.kept_rows()) CHECK(row[0] == static_cast<double>(i) * outline.kept_row(1)[0]);
    }
    CHECK(outline.kept_row(0)[0] == 0.0);
    CHECK(outline.kept_row(outline.kept_rows() - 1)[0] == rows - 1);
  }
}

TEST_CASE("more rows are kept when their numbers are few") {
  for (const int rows : {99, 100, 101, 5000}) {
    RecordingOutline outline(16, 200);  // of two columns
    REQUIRE(outline.begin(kColumns).ok());
    for (int i = 0; i < rows; ++i) REQUIRE(outline.row(std::array{1.0 * i, 0.5 * i}).ok());
    CHECK(outline.kept_rows() >= (rows <= 100 ? static_cast<std::size_t>(rows) : 50));
    CHECK(outline.kept_rows() <= 101);
    CHECK(outline.kept_row(outline.kept_rows() - 1)[0] == rows - 1);
    CHECK(outline.line(1).size() <= 4 * 16);
  }
  RecordingOutline few(16, 2);
  REQUIRE(few.begin(kColumns).ok());
  for (int i = 0; i < 16; ++i) REQUIRE(few.row(std::array{1.0 * i, 0.0}).ok());
  CHECK(few.kept_rows() == 16);
}

TEST_CASE("contacts stay with the rows that are kept, and count among their numbers") {
  for (const int rows : {1, 16, 17, 100, 1001}) {
    for (const std::size_t kept : {0u, 400u, 100000u}) {
      RecordingOutline outline(16, kept);
      REQUIRE(outline.begin(kColumns).ok());
      const auto count_at = [](int row) { return static_cast<std::size_t>(row % 3); };
      for (int i = 0; i < rows; ++i) {
        REQUIRE(outline.row(std::array{1.0 * i, 0.0}).ok());
        std::vector<ContactForceRecord> contacts(count_at(i));
        for (ContactForceRecord& contact : contacts) contact.body_b = i;
        if (!contacts.empty()) REQUIRE(outline.contacts(contacts).ok());
      }
      if (kept == 400) CHECK(outline.kept_rows() <= 33);
      if (kept == 100000) CHECK(outline.kept_rows() == static_cast<std::size_t>(rows));
      CHECK(outline.kept_rows() >= std::min(static_cast<std::size_t>(rows), std::size_t{8}));
      CHECK(outline.kept_row(outline.kept_rows() - 1)[0] == rows - 1);
      for (std::size_t k = 0; k < outline.kept_rows(); ++k) {
        const int row = static_cast<int>(outline.kept_row(k)[0]);
        REQUIRE(outline.kept_contacts(k).size() == count_at(row));
        for (const ContactForceRecord& contact : outline.kept_contacts(k)) CHECK(contact.body_b == row);
      }
    }
  }
}

TEST_CASE("numbers that are not finite are gaps") {
  for (const int rows : {6, 600}) {
    RecordingOutline outline(8);
    REQUIRE(outline.begin(kColumns).ok());
    for (int i = 0; i < rows; ++i)
      REQUIRE(outline.row(std::array{1.0 * i, i < rows / 2 ? kNaN : i == rows - 1 ? HUGE_VAL : 2.0}).ok());
    const std::vector<OutlinePoint> line = outline.line(1);
    CHECK(std::isnan(line.front().value));
    CHECK(std::isnan(line.back().value));
    std::size_t numbers = 0;
    for (const OutlinePoint& point : line) {
      CHECK(!std::isinf(point.value));
      if (!std::isnan(point.value)) {
        ++numbers;
        CHECK(point.value == 2.0);
      }
    }
    CHECK(numbers >= 2);
  }
}

TEST_CASE("a new begin forgets the rows before, and no rows are no outline") {
  RecordingOutline outline;
  REQUIRE(outline.begin(kColumns).ok());
  CHECK(outline.kept_rows() == 0);
  CHECK(outline.line(1).empty());
  REQUIRE(outline.row(std::array{0.0, 1.0}).ok());
  REQUIRE(outline.begin(kColumns).ok());
  CHECK(outline.rows() == 0);
  CHECK(outline.line(1).empty());
}

}  // namespace
}  // namespace pintle
