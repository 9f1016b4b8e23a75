#include "pintle/simulation/recording/recording.h"

#include <doctest/doctest.h>

#include <string>

#include "pintle/base/usage_error.h"

using namespace pintle;

namespace {

const std::vector<Column> kColumns{{"t", "s"}, {"elbow", "rad"}, {"tip.x", "m"}};

}  // namespace

TEST_CASE("recording: memory keeps rows by column and events with their names") {
  MemoryRecording memory;
  REQUIRE(memory.begin(kColumns).ok());
  for (int i = 0; i < 5; ++i) {
    const double row[3] = {0.1 * i, 1.0 * i, -1.0 * i};
    REQUIRE(memory.row(row).ok());
  }
  {
    const std::string name = "elbow at its upper limit, a name too long to be stored in place";
    EventRecord event{.t = 0.25, .kind = EventKind::limit_impact, .name = name, .joint = 3, .dof = 2};
    event.values = {1.5, 0.2, -3.0};
    REQUIRE(memory.event(event).ok());
  }
  REQUIRE(memory.end().ok());
  CHECK(memory.rows() == 5);
  CHECK(memory.columns().size() == 3);
  CHECK(label(memory.columns()[2]) == "tip.x [m]");
  CHECK(memory.column("tip.x") == std::vector<double>{0.0, -1.0, -2.0, -3.0, -4.0});
  CHECK(memory.row_at(2)[1] == 2.0);
  REQUIRE(memory.events().size() == 1);
  CHECK(memory.events()[0].name == "elbow at its upper limit, a name too long to be stored in place");
  CHECK(memory.events()[0].event.values[1] == 0.2);
  CHECK(memory.events()[0].event.joint == 3);
  CHECK_THROWS_WITH_AS((void)memory.column("tip.y"), doctest::Contains("did you mean 'tip.x'?"), UsageError);
  CHECK_THROWS_AS((void)memory.row_at(5), UsageError);
  const double two[2] = {};
  CHECK_THROWS_AS((void)memory.row(two), UsageError);
  // A new beginning.
  REQUIRE(memory.begin(std::span(kColumns).first(1)).ok());
  CHECK(memory.rows() == 0);
  CHECK(memory.events().empty());
  const std::vector<Column> twice{{"a", "m"}, {"b", "m"}, {"a", "s"}};
  CHECK_THROWS_AS((void)memory.begin(twice), UsageError);
}

TEST_CASE("recording: a bounded memory says that it is full, with the reason, and keeps what it has") {
  MemoryRecording memory({.rows = 2, .events = 1});
  REQUIRE(memory.begin(kColumns).ok());
  const double row[3] = {1, 2, 3};
  CHECK(memory.row(row).ok());
  CHECK(memory.row(row).ok());
  const RecordReport full = memory.row(row);
  CHECK(full.outcome == RecordOutcome::full);
  CHECK(full.reason.find("rows") != std::string_view::npos);
  CHECK(memory.rows() == 2);
  CHECK(memory.event({.t = 1.0, .name = "a"}).ok());
  CHECK(memory.event({.t = 2.0, .name = "b"}).outcome == RecordOutcome::full);
  CHECK(memory.events().size() == 1);
  // No rows at all are a limit too.
  MemoryRecording none({.rows = 0});
  REQUIRE(none.begin(kColumns).ok());
  CHECK(none.row(row).outcome == RecordOutcome::full);
}

TEST_CASE("recording: the table of events is in the order of its kinds, with a name for every number") {
  for (int kind = 0; kind < kEventKinds; ++kind) {
    const EventFacts& row = kEventFacts[kind];
    CHECK(static_cast<int>(row.kind) == kind);
    for (std::size_t i = 0; i < row.values.size(); ++i)
      CHECK(row.values[i].empty() == (i >= static_cast<std::size_t>(row.count)));
  }
}
