#include "pintle/io/recording/run_json.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>

#include "io/sample_run.h"
#include "pintle/base/hash.h"
#include "pintle/io/recording/events_kept.h"
#include "pintle/io/recording/sink_group.h"
#include "pintle/text/json.h"

namespace pintle {
namespace {

TEST_CASE("run.json says what the run says, to the bit") {
  const Scene scene = compile(sample_spec()).value();
  Simulation simulation(scene);
  EventsKept events;
  const RunReport report = simulation.run({.sink = &events});
  REQUIRE(report.ok());
  REQUIRE(!events.events().empty());
  const std::vector<std::string> files{"run.csv", "coordinates.svg"}, overrides{"run.step=1 ms"};
  const std::string text = run_json(simulation, report,
                                    {.scene = "sample",
                                     .overrides = overrides,
                                     .has_seed = true,
                                     .seed = 18446744073709551615u,
                                     .events = events.events(),
                                     .files = files});
  const Json json = Json::parse(text).value();
  CHECK(json["format"] == "pintle-run");
  CHECK(json["pintle"]["isa"] == name(active_isa()));
  CHECK(json["scene"]["name"] == "sample");
  CHECK(json["scene"]["overrides"][0] == "run.step=1 ms");
  CHECK(json["scene"]["hash"] == to_hex(simulation.scene_id()));
  CHECK(json["seed"] == 18446744073709551615u);
  CHECK(json["settings"]["method"] == "rk4");
  CHECK(json["settings"]["step"] == 1e-3);
  CHECK(json["settings"]["fixed_step"] == true);
  CHECK(json["settings"]["largest_step"].is_null());
  CHECK(json["outcome"] == "reached");
  CHECK(json["ok"] == true);
  CHECK(json["text"].is_null());
  CHECK(json["time"] == 2.0);
  CHECK(json["steps"] == report.steps);
  CHECK(json["state_hash"] == to_hex(simulation.state_hash()));
  const MotionState& state = simulation.state();
  CHECK(json["final"]["q"].size() == state.q.size());
  CHECK(json["final"]["v"].size() == state.v.size());
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  const std::vector<std::string> names{"shoulder", "elbow",     "slide",     "flight.x",  "flight.y",
                                       "flight.z", "flight.qx", "flight.qy", "flight.qz", "flight.qw"};
  for (std::size_t i = 0; i < names.size(); ++i)
    CHECK(bits(json["final"]["q"][names[i]].as_number()) == bits(state.q[i]));
  CHECK(bits(json["final"]["v"]["elbow"].as_number()) == bits(state.v[1]));

  const EnergyBalance& energy_balance = simulation.energy_balance();
  CHECK(json["energy_balance"]["energy"]["start"]["total"] == energy_balance.start().total());
  CHECK(json["energy_balance"]["energy"]["end"]["kinetic"] == energy_balance.now().kinetic);
  CHECK(json["energy_balance"]["residual"] == energy_balance.energy().rest);
  CHECK(json["energy_balance"]["residual_relative"] == energy_balance.energy().relative());
  REQUIRE(json["energy_balance"]["accounts"].size() == simulation.accounts().size());
  double work = 0.0;
  for (const Json& account : json["energy_balance"]["accounts"]) work += account["work"].as_number();
  const double gained = energy_balance.now().total() - energy_balance.start().total();
  CHECK(std::abs(gained - work - energy_balance.energy().rest) <= 1e-12 * energy_balance.energy().size);
  CHECK(json["energy_balance"]["accounts"][0]["name"] == "drive");
  CHECK(json["energy_balance"]["accounts"][0]["kind"] == "element");
  CHECK(json["energy_balance"]["momentum"]["linear"]["end"][2] == energy_balance.momentum().linear.z);
  CHECK(json["certificate"]["worst"] == simulation.worst_certificate().certificate.worst());
  CHECK(json["certificate"]["time"] == simulation.worst_certificate().t);

  REQUIRE(json["events"].size() == events.events().size());
  const Json& first = json["events"][0];
  CHECK(first["time"] == events.events()[0].event.t);
  CHECK(first["kind"] == "limit-impact");
  CHECK(first["name"] == "elbow");
  CHECK(first["impulse"] == events.events()[0].event.values[0]);
  CHECK(first.contains("energy_lost"));
  CHECK(first.contains("speed_before"));
  CHECK(json["impacts"] == Json::array());
  CHECK(json["files"] == Json(files));
  CHECK(text.back() == '\n');
  CHECK(text == run_json(simulation, report,
                         {.scene = "sample",
                          .overrides = overrides,
                          .has_seed = true,
                          .seed = 18446744073709551615u,
                          .events = events.events(),
                          .files = files}));
}

TEST_CASE("impacts are listed with the names of the bodies, up to a bound") {
  SceneSpec spec = sample_spec();
  Simulation simulation(compile(spec).value());
  EventsKept kept(2);
  REQUIRE(kept.begin(simulation.columns()).ok());
  for (int i = 0; i < 5; ++i) {
    ImpactRecord impact;
    impact.t = 0.1 * i;
    impact.body_b = 3;
    impact.point = {1.0, 2.0, 3.0};
    impact.normal = {0.0, 0.0, 1.0};
    impact.penetration = 1e-15;
    impact.approach = 2.5;
    impact.slip = 0.5;
    impact.slip_before = {0.3, -0.4, 0.0};
    impact.slip_after = {0.1, 0.0, 0.0};
    impact.normal_impulse = 4.0;
    impact.tangential_impulse = 0.7;
    impact.restitution = 0.6;
    impact.energy = 3.0;
    impact.scale = 0.9;
    impact.gains_energy = true;
    impact.certificate = {1e-16, 2e-16, 3e-16, 4e-16, 5e-16, 6e-16};
    REQUIRE(kept.impact(impact).ok());
  }
  CHECK(kept.impact_sum().count == 5);
  CHECK(kept.impact_sum().energy == 15.0);
  CHECK(kept.impact_sum().last == 0.4);
  const Json json = Json::parse(run_json(simulation, simulation.run(),
                                         {.impacts = kept.impacts(), .impacts_left_out = kept.impacts_left_out()}))
                        .value();
  CHECK(json["impacts_left_out"] == 3);
  REQUIRE(json["impacts"].size() == 2);
  const Json expected{{"time", 0.1},
                      {"bodies", {"world", "stone"}},
                      {"point", {1.0, 2.0, 3.0}},
                      {"normal", {0.0, 0.0, 1.0}},
                      {"normal_impulse", 4.0},
                      {"tangential_impulse", 0.7},
                      {"restitution", 0.6},
                      {"energy", 3.0},
                      {"approach_speed", 2.5},
                      {"slip_speed", 0.5},
                      {"slip_before", {0.3, -0.4, 0.0}},
                      {"slip_after", {0.1, 0.0, 0.0}},
                      {"penetration", 1e-15},
                      {"scale", 0.9},
                      {"gains_energy", true},
                      {"certificate",
                       {{"worst", 6e-16},
                        {"momentum", 1e-16},
                        {"energy", 2e-16},
                        {"complementarity", 3e-16},
                        {"cone", 4e-16},
                        {"dissipation", 5e-16},
                        {"restitution", 6e-16}}}};
  CHECK(json["impacts"][1] == expected);
}

TEST_CASE("contacts of rows are counted, with the hardest of them") {
  Simulation simulation(compile(sample_spec()).value());
  EventsKept kept;
  REQUIRE(kept.begin(simulation.columns()).ok());
  std::vector<double> row(simulation.columns().size());
  ContactForceRecord contact;
  contact.body_b = 3;
  for (int i = 0; i < 3; ++i) {
    row[0] = 0.1 * i;
    contact.normal_force = i == 1 ? 9.0 : 2.0;
    REQUIRE(kept.row(row).ok());
    REQUIRE(kept.contacts(std::vector(static_cast<std::size_t>(1 + i), contact)).ok());
  }
  const Json json = Json::parse(run_json(simulation, simulation.run(), {.contacts = &kept.contact_sum()})).value();
  const Json expected{{"points", 6},
                      {"max_at_once", 3},
                      {"largest", {{"normal_force", 9.0}, {"time", 0.1}, {"bodies", {"world", "stone"}}}}};
  CHECK(json["contact_forces"] == expected);
  CHECK(Json::parse(run_json(simulation, simulation.run())).value()["contact_forces"].is_null());
  CHECK(json["settings"]["contact_forces"] == true);
}

TEST_CASE("what is off is null, and so is what is not finite") {
  SceneSpec spec = sample_spec();
  spec.run.energy_balance = spec.run.certificate = false;
  spec.run.duration = 0.01;
  Simulation simulation(compile(spec).value());
  const RunReport report = simulation.run();
  const Json json = Json::parse(run_json(simulation, report, {.scene = "\xff"})).value();
  CHECK(json["certificate"].is_null());
  CHECK(json["energy_balance"]["residual"].is_null());
  CHECK(json["energy_balance"]["momentum"].is_null());
  CHECK(json["energy_balance"]["accounts"].empty());
  CHECK(json["energy_balance"]["energy"]["end"]["total"].is_number());
  CHECK(json["seed"].is_null());
  CHECK(json["wall_time"].is_null());
  CHECK(json["resumed_at"].is_null());
  CHECK(json["settings"]["certificate_limit"].is_null());
  CHECK(json["scene"]["name"] == "\ufffd");
}

TEST_CASE("events beyond those that are kept are counted") {
  EventsKept events(2);
  REQUIRE(events.begin({}).ok());
  for (int i = 0; i < 5; ++i) REQUIRE(events.event({.t = 1.0 * i, .name = "a"}).ok());
  CHECK(events.events().size() == 2);
  CHECK(events.left_out() == 3);
}

/// Counts its calls, and takes a number of rows.
struct CountingSink : RecordSink {
  explicit CountingSink(int max_rows) : most(max_rows) {}
  RecordReport begin(std::span<const Column>) override {
    ++begins;
    return {};
  }
  RecordReport row(std::span<const double>) override {
    if (rows == most) return {RecordOutcome::full, "enough"};
    ++rows;
    return {};
  }
  RecordReport event(const EventRecord&) override { return {}; }
  RecordReport end() override {
    ++ends;
    return ends > 0 && fails_at_end ? RecordReport{RecordOutcome::failed, "late"} : RecordReport{};
  }
  int most, begins = 0, rows = 0, ends = 0;
  bool fails_at_end = false;
};

TEST_CASE("a group hands everything to its sinks, and ends them all") {
  CountingSink a(10), b(3), c(10);
  RecordSink* const sinks[] = {&a, &b, &c};
  SinkGroup group(sinks);
  REQUIRE(group.begin({}).ok());
  int taken = 0;
  RecordReport report;
  while ((report = group.row({})).ok()) ++taken;
  CHECK(taken == 3);
  CHECK(report.reason == "enough");
  a.fails_at_end = true;
  CHECK(group.end().reason == "late");
  for (const CountingSink* sink : {&a, &b, &c}) CHECK((sink->begins == 1 && sink->ends == 1));
  CHECK(c.rows == 3);
}

}  // namespace
}  // namespace pintle
