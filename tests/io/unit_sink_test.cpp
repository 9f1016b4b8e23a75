#include "pintle/io/recording/unit_sink.h"

#include <doctest/doctest.h>

#include <cmath>

#include "pintle/io/recording/recording_outline.h"

namespace pintle {
namespace {

const std::vector<Column> kColumns{{"t", "s"}, {"q.arm", "rad"}, {"tip.x", "m"}, {"tau.arm", "N m"}, {"n", "1"}};

TEST_CASE("unit sink: columns, rows and contacts are in the units, times and numbers as they were") {
  MemoryRecording recording;
  UnitSink sink(UnitSystem::read("mm, deg").value(), recording);
  REQUIRE(sink.begin(kColumns).ok());
  REQUIRE(sink.row(std::array{0.25, std::acos(-1.0) / 3, 0.012, 1.5, 7.0}).ok());
  REQUIRE(sink.contacts(std::array{ContactForceRecord{.body_b = 2,
                                                      .point = {0.001, 0, 0.002},
                                                      .normal = {0, 0, 1},
                                                      .normal_force = 3,
                                                      .friction = {1, 0, 0},
                                                      .moment = {0, 0, 0.004},
                                                      .slip = 0.5}})
              .ok());
  CHECK(recording.columns()[1] == Column{"q.arm", "deg"});
  CHECK(recording.columns()[3] == Column{"tau.arm", "N mm"});
  const std::span<const double> row = recording.row_at(0);
  CHECK(row[0] == 0.25);
  CHECK(row[1] == doctest::Approx(60.0).epsilon(1e-15));
  CHECK(row[2] == 12.0);
  CHECK(row[3] == 1500.0);
  CHECK(row[4] == 7.0);
  const ContactForceRecord contact = recording.contacts_at(0)[0];
  CHECK(contact.point.z == 2.0);
  CHECK(contact.normal.z == 1.0);
  CHECK(contact.normal_force == 3.0);
  CHECK(contact.moment.z == 4.0);
  CHECK(contact.slip == 500.0);
  CHECK(contact.body_b == 2);
}

TEST_CASE("an outline in other units is that of the rows in those units") {
  const UnitSystem units = UnitSystem::read("mm, deg").value();
  RecordingOutline outline(16), shown(16);
  UnitSink sink(units, shown);
  REQUIRE(outline.begin(kColumns).ok());
  REQUIRE(sink.begin(kColumns).ok());
  for (int i = 0; i < 1000; ++i) {
    const double x = std::sin(0.01 * i);
    const std::array row{0.01 * i, x, 0.25 * x, i == 500 ? std::nan("") : -x, 1.0 * i};
    REQUIRE(outline.row(row).ok());
    REQUIRE(sink.row(row).ok());
  }
  const RecordingOutline converted = outline.in_units(units);
  REQUIRE(converted.kept_rows() == shown.kept_rows());
  for (std::size_t i = 0; i < shown.kept_rows(); ++i)
    for (std::size_t c = 0; c < kColumns.size(); ++c)
      if (!std::isnan(shown.kept_row(i)[c])) CHECK(converted.kept_row(i)[c] == shown.kept_row(i)[c]);
  for (std::size_t c = 0; c < kColumns.size(); ++c) {
    CHECK(converted.columns()[c] == shown.columns()[c]);
    const std::vector<OutlinePoint> a = converted.line(c), b = shown.line(c);
    REQUIRE(a.size() == b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
      CHECK(a[k].t == b[k].t);
      if (!std::isnan(b[k].value)) CHECK(a[k].value == b[k].value);
    }
  }
}

}  // namespace
}  // namespace pintle
