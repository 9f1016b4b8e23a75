#include <doctest/doctest.h>

#include <bit>
#include <cmath>

#include "pintle/base/random.h"
#include "pintle/simulation/checkpoint.h"
#include "pintle/simulation/simulation.h"
#include "support/scenes.h"

using namespace test;

namespace {

constexpr double kEnd = 1.0;

/// Takes checkpoints after chosen steps.
class Saver : public StepHandler {
 public:
  explicit Saver(Simulation& simulation, std::vector<std::int64_t> at) : simulation_(simulation), at_(std::move(at)) {}
  bool after_step(std::int64_t step, double, const MotionState&) override {
    for (const std::int64_t wanted : at_)
      if (step == wanted) saved.push_back(simulation_.checkpoint());
    return true;
  }
  std::vector<std::string> saved;

 private:
  Simulation& simulation_;
  std::vector<std::int64_t> at_;
};

std::uint64_t bits(double x) {
  return std::bit_cast<std::uint64_t>(x);
}

std::vector<std::uint64_t> bits(std::span<const double> numbers) {
  std::vector<std::uint64_t> all;
  for (const double x : numbers) all.push_back(bits(x));
  return all;
}

/// Everything a ledger says.
std::vector<double> numbers_of(const Ledger& ledger) {
  std::vector<double> all{ledger.now().total(), ledger.energy().rest,  ledger.energy().size,  ledger.linear().rest,
                          ledger.linear().size, ledger.angular().rest, ledger.angular().size, ledger.start().total()};
  all.insert(all.end(), ledger.work().begin(), ledger.work().end());
  all.insert(all.end(), ledger.clipped().begin(), ledger.clipped().end());
  return all;
}

/// The end of a run, as far as it can be told.
struct End {
  explicit End(Simulation& simulation, const MemoryRecording& recording)
      : hash(simulation.state_hash()),
        ledger(bits(numbers_of(simulation.ledger()))),
        worst(bits(simulation.worst_certificate().certificate.worst())),
        worst_time(bits(simulation.worst_certificate().t)),
        rows(recording.rows()) {}
  bool operator==(const End&) const = default;
  std::uint64_t hash;
  std::vector<std::uint64_t> ledger;
  std::uint64_t worst, worst_time;
  std::size_t rows;
};

void check_same_tail(const MemoryRecording& whole, const MemoryRecording& tail) {
  REQUIRE(tail.rows() >= 1);
  const std::size_t after = tail.rows() - 1;  // the first shows where it goes on
  REQUIRE(whole.rows() >= after);
  for (std::size_t i = 0; i < after; ++i)
    REQUIRE(bits(whole.row_at(whole.rows() - after + i)) == bits(tail.row_at(i + 1)));
  REQUIRE(whole.events().size() >= tail.events().size());
  for (std::size_t i = 0; i < tail.events().size(); ++i) {
    const RecordedEvent& a = whole.events()[whole.events().size() - tail.events().size() + i];
    const RecordedEvent& b = tail.events()[i];
    CHECK(a.name == b.name);
    CHECK(a.event.kind == b.event.kind);
    CHECK(bits(a.event.t) == bits(b.event.t));
    CHECK(bits(std::span<const double>(a.event.numbers)) == bits(std::span<const double>(b.event.numbers)));
  }
}

}  // namespace

TEST_CASE("simulation checkpoints: a new simulation goes on bit for bit, whatever the scene and the method") {
  RandomStream stream(611);
  std::size_t events = 0;
  for (const NamedScene& named : all_scenes()) {
    CAPTURE(named.name);
    const Scene scene = compile(named.spec).value();
    std::int64_t steps = 0;
    {
      Simulation first(scene);
      const RunReport report = first.run({.until = kEnd});
      REQUIRE_MESSAGE(report.outcome == RunOutcome::reached, report.text);
      steps = report.steps;
    }
    std::vector<std::int64_t> at;
    for (int i = 0; i < 20; ++i)
      at.push_back(1 + static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(steps))));
    Simulation simulation(scene);
    MemoryRecording recording;
    Saver saver(simulation, at);
    const RunReport report = simulation.run({.until = kEnd, .sink = &recording, .handler = &saver});
    const End end(simulation, recording);
    events += recording.events().size();
    CHECK(report.events == static_cast<std::int64_t>(recording.events().size()));
    REQUIRE(saver.saved.size() == at.size());
    for (const std::string& bytes : saver.saved) {
      Simulation other(scene);
      REQUIRE(other.resume(bytes));
      const std::int64_t from = other.steps();
      CAPTURE(from);
      MemoryRecording tail;
      const RunReport again = other.run({.until = kEnd, .sink = &tail});
      CHECK(again.steps == report.steps);
      CHECK(again.rejected == report.rejected);
      CHECK(again.events == report.events);
      End reached(other, tail);
      reached.rows = end.rows;
      CHECK(reached == end);
      check_same_tail(recording, tail);
    }
  }
  CHECK(events > 100);
}
