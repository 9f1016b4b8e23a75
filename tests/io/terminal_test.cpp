#include "pintle/io/report/terminal.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "io/sample_run.h"
#include "pintle/io/report/sparkline.h"
#include "pintle/text/utf8.h"

namespace pintle {
namespace {

const double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST_CASE("a sparkline has the width asked for and shows the course") {
  const std::vector<double> ramp{0, 1, 2, 3, 4, 5, 6, 7};
  CHECK(sparkline(ramp, 8) == "▁▂▃▄▅▆▇█");
  CHECK(sparkline(ramp, 4) == "▁▃▆█");
  CHECK(sparkline(ramp, 16) == "▁▁▂▂▃▃▄▄▅▅▆▆▇▇██");
  CHECK(sparkline(ramp, 0).empty());
  CHECK(sparkline(std::vector<double>{}, 3) == "   ");
  CHECK(sparkline(std::vector<double>{kNaN, 1, HUGE_VAL, 2}, 4) == " ▁ █");
  CHECK(sparkline(std::vector<double>{3, 3, 3}, 3) == "▄▄▄");
  CHECK(sparkline(std::vector<double>{3, 3 + 1e-13, 3}, 3) == "▄▄▄");
  CHECK(sparkline(std::vector<double>{-1.7e308, 1.7e308}, 2) == "▁█");
  std::vector<double> spike(1000, 0.0);
  spike[503] = -1.0;
  CHECK(sparkline(spike, 10) == "█████▁████");
}

TEST_CASE("a smooth curve is no square wave, and a fast one shows its middle") {
  std::vector<double> slow, fast;
  for (int i = 0; i < 400; ++i) {
    slow.push_back(std::sin(2.0 * 3.14159265358979 * i / 100.0));
    fast.push_back(std::sin(2.0 * 3.14159265358979 * i / 4.0));
  }
  CHECK(sparkline(slow, 40) == "▆███▆▃▁▁▁▃▆███▆▃▁▁▁▃▆███▆▃▁▁▁▃▆███▆▃▁▁▁▃");
  fast[0] = 1.5;  // the middle is not on the border of two blocks
  CHECK(sparkline(fast, 10) == "▄▄▄▄▄▄▄▄▄▄");
}

RecordingOutline outline_of(const SceneSpec& spec) {
  Simulation simulation(compile(spec).value());
  RecordingOutline outline;
  REQUIRE(simulation.run({.sink = &outline}).ok());
  return outline;
}

TEST_CASE("tables fit their width, with rows at round times and aligned numbers") {
  const RecordingOutline outline = outline_of(sample_spec());
  const std::vector<std::size_t> columns = main_columns(outline, 20);
  CHECK(columns.size() == 7);  // not q.flight.y, which only rounding moves
  std::size_t left_out_at_80 = 0;
  for (const int width : {80, 140}) {
    const RecordingTable table = recording_table(outline, columns, width);
    const std::vector<std::string> lines = lines_of(table.text);
    CHECK(lines.size() == 3 + 21);  // 0, 0.1, ..., 2
    CHECK(lines[3].find(" 0.0 ") != std::string::npos);
    CHECK(lines[4].find(" 0.1 ") != std::string::npos);
    CHECK(lines.back().find(" 2.0 ") != std::string::npos);
    CHECK(lines[0].find("q.shoulder") != std::string::npos);
    CHECK(lines[1].find("[rad]") != std::string::npos);
    for (const std::string& line : lines) {
      CHECK(count_characters(line) == count_characters(lines[0]));
      CHECK(count_characters(line) <= static_cast<std::size_t>(width));
    }
    if (width == 80) left_out_at_80 = table.columns_left_out;
    if (width == 140) CHECK(table.columns_left_out < left_out_at_80);
  }
  const std::vector<std::string> narrow = lines_of(recording_table(outline, columns, 10).text);
  CHECK(narrow[0] == "    t");
}

TEST_CASE("the rows of a table are those of the run") {
  RecordingOutline outline;
  REQUIRE(outline.begin(std::vector<Column>{{"t", "s"}, {"x", "m"}}).ok());
  REQUIRE(outline.row(std::vector<double>{0.0, 1e-5}).ok());
  REQUIRE(outline.row(std::vector<double>{0.25, -2.5e-5}).ok());
  REQUIRE(outline.row(std::vector<double>{1.0, kNaN}).ok());
  const std::vector<std::size_t> columns{1};
  CHECK(recording_table(outline, columns, 80).text ==
        "       t         x\n"
        "     [s]  [10⁻⁶ m]\n"
        "  ────────────────\n"
        "  0.0000   10.0000\n"
        "  0.2500  -25.0000\n"
        "  1.0000       nan\n");
  RecordingOutline nothing;
  CHECK(recording_table(nothing, {}, 80).text.empty());
}

TEST_CASE("tables have 12 to 36 rows whatever the duration") {
  for (const double duration : {0.3, 0.7, 1.0, 1.3, 2.5, 4.9, 5.1, 9.99, 3600.0}) {
    RecordingOutline outline;
    REQUIRE(outline.begin(std::vector<Column>{{"t", "s"}, {"x", "m"}}).ok());
    for (int i = 0; i <= 1000; ++i) REQUIRE(outline.row(std::vector<double>{duration * i / 1000, 1.0 * i}).ok());
    const std::size_t rows = lines_of(recording_table(outline, std::vector<std::size_t>{1}, 80).text).size() - 3;
    CAPTURE(duration);
    CHECK(rows >= 12);
    CHECK(rows <= 36);
  }
}

TEST_CASE("sparklines of columns fit their width") {
  const RecordingOutline outline = outline_of(sample_spec());
  for (const int width : {80, 140}) {
    const std::vector<std::string> lines = lines_of(sparkline_lines(outline, main_columns(outline), width));
    REQUIRE(lines.size() == 7);
    for (const std::string& line : lines) CHECK(count_characters(line) <= static_cast<std::size_t>(width));
    CHECK(lines[0].starts_with("  q.shoulder      "));
    CHECK(lines[0].ends_with("rad"));
  }
}

TEST_CASE("the columns to look at first are named numbers, coordinates that change, and energies") {
  const std::vector<Column> columns{
      {"t", "s"},           {"q.base.x", "m"},       {"q.base.qx", "1"},    {"q.elbow", "rad"},
      {"v.elbow", "rad/s"}, {"energy.kinetic", "J"}, {"energy.total", "J"}, {"lean", "deg"},
      {"tip.x", "m"},       {"certificate", "1"}};
  RecordingOutline outline;
  REQUIRE(outline.begin(columns).ok());
  for (const double t : {0.0, 1.0}) REQUIRE(outline.row(std::vector<double>{t, 7.0, t, t, t, t, t, t, t, t}).ok());
  CHECK(main_columns(outline) == std::vector<std::size_t>{7, 3, 5, 6});
  CHECK(main_columns(outline, 1) == std::vector<std::size_t>{7, 5, 6});
  const std::vector<Column> ball{{"t", "s"}, {"q.ball.qx", "1"}, {"q.ball.qw", "1"}};
  REQUIRE(outline.begin(ball).ok());
  for (const double t : {0.0, 1.0}) REQUIRE(outline.row(std::vector<double>{t, t, 0.0}).ok());
  CHECK(main_columns(outline) == std::vector<std::size_t>{1, 2});
}

TEST_CASE("noise is not shown as data: energies are on the scale of the energy that flows") {
  RecordingOutline outline;
  const std::vector<Column> columns{{"t", "s"},          {"q.a.x", "m"}, {"q.a.y", "m"}, {"energy.kinetic", "J"},
                                    {"energy.total", "J"}};
  REQUIRE(outline.begin(columns).ok());
  for (int i = 0; i <= 4; ++i)
    REQUIRE(outline.row(std::vector<double>{0.25 * i, 1.0 * i, 1e-17 * i, 2.0 * i, -3e-16 * (i % 2)}).ok());
  const std::vector<std::size_t> all{1, 2, 3, 4};
  CHECK(main_columns(outline) == std::vector<std::size_t>{1, 3, 4});  // y does not move
  const std::vector<std::string> table = lines_of(recording_table(outline, all, 80).text);
  CHECK(table[1].find("10⁻") == std::string::npos);
  CHECK(table[4] == "  0.2500  1.00000  0.00000         2.00000       0.00000");
  const std::vector<std::string> lines = lines_of(sparkline_lines(outline, all, 80));
  CHECK(lines[1].find("▄▄▄▄") != std::string::npos);
  CHECK(lines[1].ends_with("0.000 … 0.000 m"));
  CHECK(lines[3].find("▄▄▄▄") != std::string::npos);
  CHECK(lines[3].ends_with("0.000 … 0.000 J"));
}

TEST_CASE("the characters of a column's sparkline are equal parts of time") {
  RecordingOutline outline;
  REQUIRE(outline.begin(std::vector<Column>{{"t", "s"}, {"x", "m"}}).ok());
  for (int i = 0; i <= 100; ++i) REQUIRE(outline.row(std::vector<double>{0.01 * i, 0.0}).ok());
  REQUIRE(outline.row(std::vector<double>{2.0, 7.0}).ok());
  const std::vector<std::size_t> columns{1};
  CHECK(sparkline_lines(outline, columns, 31) == "  x  ▁▁▁▁▁▂▄▆█  0.000 … 7.000 m\n");
  REQUIRE(outline.begin(std::vector<Column>{{"t", "s"}, {"x", "m"}}).ok());
  CHECK(sparkline_lines(outline, columns, 31) == "  x  " + std::string(13, ' ') + "  nan … nan m\n");
}

TEST_CASE("the quality of a run is wrapped, and nothing of it is left out") {
  RunQuality quality{.energy_balance = true,
                     .energy_start = 12.5,
                     .energy_end = 12.25,
                     .work = -0.25,
                     .residual = 2.22e-15,
                     .residual_relative = 1.3e-16,
                     .momentum_relative = 4e-16,
                     .certificate = true,
                     .worst = 4.44e-16,
                     .worst_time = 1.25,
                     .worst_where = "the forces on 'nut'"};
  CHECK(quality_lines(quality, 80) ==
        "  energy balance  residual 2.2e-15 J (relative 1.3e-16)  energy 12.5 → 12.25 J\n"
        "                  work -0.25 J  momentum residual 4e-16\n"
        "  certificate     worst residual 4.4e-16  at t = 1.25 s  in the forces on 'nut'\n");
  CHECK(quality_lines(quality, 140) ==
        "  energy balance  residual 2.2e-15 J (relative 1.3e-16)  energy 12.5 → 12.25 J  work -0.25 J  momentum "
        "residual 4e-16\n"
        "  certificate     worst residual 4.4e-16  at t = 1.25 s  in the forces on 'nut'\n");
  quality.energy_balance = quality.certificate = false;
  CHECK(quality_lines(quality, 80).empty());
  quality.contacts = true;
  CHECK(quality_lines(quality, 80) == "  contacts        worst residual 0\n");
  quality.contact_worst = 2.5e-15;
  quality.contact_time = 0.5;
  quality.contact_where = "the impact of 'ball' and 'world'";
  CHECK(quality_lines(quality, 80) ==
        "  contacts        worst residual 2.5e-15  at t = 0.5 s\n"
        "                  in the impact of 'ball' and 'world'\n");
  quality.time_stepped = 0.125;
  quality.time_stepping_spans = 2;
  quality.time_stepping_from = 0.75;
  quality.penetration = 2e-6;
  CHECK(quality_lines(quality, 100) ==
        "  contacts        worst residual 2.5e-15  at t = 0.5 s  in the impact of 'ball' and 'world'\n"
        "  time stepping   0.125 s in 2 spans, first at t = 0.75 s  penetration up to 2e-06 m\n");
  quality.time_stepping_spans = 1;
  CHECK(quality_lines(quality, 100).find("0.125 s in one span from t = 0.75 s") != std::string::npos);

  Simulation simulation(compile(sample_spec()).value());
  REQUIRE(simulation.run().ok());
  const RunQuality found = run_quality(simulation);
  CHECK(found.energy_balance);
  CHECK(std::abs(found.energy_end - found.energy_start - found.work - found.residual) < 1e-12);
  CHECK(found.residual_relative == simulation.energy_balance().energy().relative());
}

TEST_CASE("checks that are not ok are told in full, failures first; others in one line") {
  RunChecks checks{{{CheckKind::energy, 1e-5, CheckVerdict::ok, "fine"},
                    {CheckKind::contact, 2e-6, CheckVerdict::warning, "a contact law is violated by 2e-06 (limit 1e-06)"},
                    {CheckKind::impacts, 0.07, CheckVerdict::failed, "an impact gains 0.107 J (limit 1 %)"}}};
  CHECK(checks.verdict() == CheckVerdict::failed);
  std::vector<CheckLine> lines = check_lines(checks, 80);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].verdict == CheckVerdict::failed);
  CHECK(lines[0].text == "  CHECK FAILED    an impact gains 0.107 J (limit 1 %)\n");
  CHECK(lines[1].verdict == CheckVerdict::warning);
  CHECK(lines[1].text == "  check warning   a contact law is violated by 2e-06 (limit 1e-06)\n");
  lines = check_lines(checks, 40);
  CHECK(lines[0].text == "  CHECK FAILED    an impact gains 0.107\n                  J (limit 1 %)\n");
  checks.list.resize(1);
  lines = check_lines(checks, 80);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].verdict == CheckVerdict::ok);
  CHECK(lines[0].text == "  checks          ok: energy\n");
}

TEST_CASE("texts are cut by characters") {
  CHECK(count_characters("größe") == 5);
  CHECK(shortened("größe", 5) == "größe");
  CHECK(shortened("größer", 5) == "größ…");
  CHECK(valid_utf8("a\xff\xc3") == "a\ufffd\ufffd");
  CHECK(valid_utf8("\xed\xa0\x80") == "\ufffd");  // half of a pair
  CHECK(valid_utf8("\xc0\x80") == "\ufffd\ufffd");
  CHECK(valid_utf8("€😀") == "€😀");
}

}  // namespace
}  // namespace pintle
