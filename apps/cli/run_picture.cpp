#include "run_picture.h"

#include <fmt/core.h>

#include <algorithm>

#include "counted.h"
#include "scene_tree.h"
#include "pintle/io/report/terminal.h"
#include "pintle/simulation/recording/joint_columns.h"
#include "pintle/text/shell_word.h"
#include "pintle/text/utf8.h"
#include "pintle/text/wrapped.h"
#include "standard_streams.h"

namespace pintle::cli {
namespace {

constexpr std::size_t kMaxEvents = 12, kMaxImpacts = 6, kLongestName = 24;

std::string trimmed(std::string line) {
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

std::string header(const RunPicture& run, const Colors& colors, int width) {
  const Scene& scene = run.simulation.scene();
  const Model& model = scene.model();
  const std::string name = shortened(model.name().empty() ? run.scene : model.name(), 30);
  const double run_time = run.report.t - scene.run().t0;
  std::vector<std::string> parts{counted(model.bodies().size(), "body", "bodies"), counted(model.nv(), "dof", "dofs"),
                                 std::string(facts(scene.run().method).name),
                                 counted(run.report.steps, "step", "steps"), fmt::format("{:.2g} s", run.wall_time)};
  if (run.wall_time > 0.0) parts.push_back(fmt::format("{:.3g} x real time", run_time / run.wall_time));
  std::string text;
  for (const std::string& part : parts) {
    const std::string longer = text.empty() ? "  " + part : text + ", " + part;
    if (count_characters(name + longer) > static_cast<std::size_t>(width)) break;
    text = longer;
  }
  return colors.strong(name) + text + "\n";
}

/// The table, with faint headers.
std::string table(const RunPicture& run, const RecordingOutline& outline, std::span<const std::size_t> columns,
                  const Colors& colors, int width) {
  const RecordingTable table = recording_table(outline, columns, width);
  std::size_t at = 0;
  std::string text;
  for (int line = 0; line < 3 && at < table.text.size(); ++line) {
    const std::size_t end = table.text.find('\n', at);
    const std::string_view head = std::string_view(table.text).substr(at, end - at);
    text += (line == 0 ? std::string(head) : colors.faint(head)) + "\n";
    at = end + 1;
  }
  text += table.text.substr(at);
  if (table.columns_left_out > 0) {
    text += "  " +
            colors.faint(counted(table.columns_left_out, "more column does not fit", "more columns do not fit") +
                         (run.folder.empty() ? "; --out DIR writes all" : "; run.csv has all")) +
            "\n";
  }
  return text;
}

/// The SI unit of a value of an event, which depends on whether the dof translates or rotates; "1" if it has none.
std::string unit_of(std::string_view label, bool turns) {
  const std::size_t bracket = label.find(" [");
  if (bracket == std::string_view::npos) return "1";
  const std::string unit(label.substr(bracket + 2, label.size() - bracket - 3));
  static constexpr std::pair<std::string_view, const char*> kTurning[] = {
      {"N s", "N m s"}, {"N", "N m"}, {"m/s", "rad/s"}, {"m", "rad"}};
  for (const auto& [sliding, turning] : kTurning)
    if (turns && unit == sliding) return turning;
  return unit;
}

/// The values of an event, as far as they fit.
std::string event_values(const EventRecord& event, std::span<const Column> speeds, const UnitSystem& units,
                         std::size_t room) {
  if (event.kind == EventKind::user) return "";
  const EventFacts& kind = facts(event.kind);
  const bool turns = event.dof >= 0 && speeds[static_cast<std::size_t>(event.dof)].unit == "rad/s";
  std::string text;
  for (std::size_t k = 0; k < static_cast<std::size_t>(kind.count); ++k) {
    const std::string_view label = kind.values[k];
    const std::string more = fmt::format("  {} {}", label.substr(0, label.find(" [")),
                                         quantity_text(units, event.values[k], unit_of(label, turns), 4));
    if (count_characters(text + more) > room) break;
    text += more;
  }
  return text;
}

std::string events(const RunPicture& run, const Colors& colors, int width) {
  const std::span<const RecordedEvent> all = run.recorder.events().events();
  if (all.empty()) return "";
  const std::int64_t count = static_cast<std::int64_t>(all.size()) + run.recorder.events().left_out();
  const std::span<const RecordedEvent> first = all.first(std::min(all.size(), kMaxEvents));
  std::size_t time = 0, name = 0, kind = 12;
  for (const RecordedEvent& event : first) {
    time = std::max(time, fmt::format("{:.9g}", event.event.t).size());
    kind = std::max(kind, facts(event.event.kind).name.size());
    name = std::max(name, count_characters(shortened(event.name, kLongestName)));
  }
  const std::vector<Column> speeds = velocity_columns(run.simulation.scene().model());
  std::string text = "\n" + colors.strong(counted(count, "event", "events")) + "\n";
  for (const RecordedEvent& event : first) {
    const std::string who = shortened(event.name, kLongestName);
    const std::string line =
        fmt::format("  t = {:<{}.9g} s  {:<{}}  {}{}", event.event.t, time, facts(event.event.kind).name, kind, who,
                    std::string(name - count_characters(who), ' '));
    const std::size_t used = count_characters(line);
    const std::size_t room = used < static_cast<std::size_t>(width) ? static_cast<std::size_t>(width) - used : 0;
    text += trimmed(line + event_values(event.event, speeds, run.recorder.units(), room)) + "\n";
  }
  if (count > static_cast<std::int64_t>(first.size()))
    text += "  " + colors.faint(fmt::format("{} more", count - static_cast<std::int64_t>(first.size()))) + "\n";
  return text;
}

/// The values of an impact, as far as they fit: the most important first.
std::string impact_values(const ImpactRecord& impact, const UnitSystem& units, std::size_t room) {
  std::vector<std::string> parts{"  " + quantity_text(units, impact.approach, "m/s", 4),
                                 fmt::format("  e {:.4g}", impact.restitution),
                                 "  lost " + quantity_text(units, impact.energy, "J", 4),
                                 "  impulse " + quantity_text(units, impact.normal_impulse, "N s", 4)};
  if (impact.gains_energy) {
    parts.erase(parts.begin() + 2);
    parts.insert(parts.begin(), "  GAINS " + quantity_text(units, -impact.energy, "J", 4));
  }
  if (impact.tangential_impulse != 0.0)
    parts.push_back("  tangential " + quantity_text(units, impact.tangential_impulse, "N s", 4));
  std::string text;
  for (const std::string& part : parts) {
    if (count_characters(text + part) > room) break;
    text += part;
  }
  return text;
}

/// The first impacts between bodies, and the energy that all of them dissipate.
std::string impacts(const RunPicture& run, const Colors& colors, int width) {
  const ImpactSum& sum = run.recorder.events().impact_sum();
  if (sum.count == 0) return "";
  const std::span<const ImpactRecord> all = run.recorder.events().impacts();
  const std::span<const ImpactRecord> first = all.first(std::min(all.size(), kMaxImpacts));
  const std::int64_t more = sum.count - static_cast<std::int64_t>(first.size());
  const Model& model = run.simulation.scene().model();
  const auto name_of = [&](int i) {
    return i < 0 ? std::string(kWorld) : model.bodies()[static_cast<std::size_t>(i)].name;
  };
  std::vector<std::string> names;
  std::size_t time = 0, name = 0;
  for (const ImpactRecord& impact : first) {
    names.push_back(shortened(name_of(impact.body_a) + " / " + name_of(impact.body_b), kLongestName));
    time = std::max(time, fmt::format("{:.9g}", impact.t).size());
    name = std::max(name, count_characters(names.back()));
  }
  std::string text = "\n" + colors.strong(counted(sum.count, "impact", "impacts")) +
                     (more > 0 ? fmt::format(", the first {}:", first.size()) : "") + "\n";
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::string line = fmt::format("  t = {:<{}.9g} s  {}{}", first[i].t, time, names[i],
                                         std::string(name - count_characters(names[i]), ' '));
    const std::size_t used = count_characters(line);
    const std::size_t room = used < static_cast<std::size_t>(width) ? static_cast<std::size_t>(width) - used : 0;
    const std::string whole = trimmed(line + impact_values(first[i], run.recorder.units(), room));
    text += (first[i].gains_energy ? colors.alarming(whole) : whole) + "\n";
  }
  if (more > 0)
    text +=
        "  " +
        colors.faint(fmt::format("{} more until t = {:.9g} s; all dissipated {}", more, sum.last,
                                 quantity_text(run.recorder.units(), sum.energy, "J", 4))) +
        "\n";
  return text;
}

/// The contact points at the recorded rows.
std::string contacts(const RunPicture& run, const Colors& colors, int width) {
  const ContactSum* const sum = run.recorder.contact_sum();
  if (sum == nullptr || sum->points == 0) return "";
  const Model& model = run.simulation.scene().model();
  const auto name_of = [&](int i) {
    return shortened(i < 0 ? std::string(kWorld) : model.bodies()[static_cast<std::size_t>(i)].name, kLongestName);
  };
  std::vector<std::string> words{"at", "most", counted(sum->max_points, "point", "points") + " at once"};
  if (sum->largest > 0.0) {
    words.back() += ",";
    words.emplace_back("normal force");
    words.push_back("up to " + quantity_text(run.recorder.units(), sum->largest, "N", 5));
    words.push_back("(" + name_of(sum->body_a) + " / " + name_of(sum->body_b) + ",");
    words.push_back(fmt::format("t = {:.6g} s)", sum->t));
  }
  return "\n" + colors.strong("resting contacts") + "\n  " + wrapped(words, 2, width);
}

/// Whether the results can be trusted.
std::string checks(const RunPicture& run, const Colors& colors, int width) {
  return checks_text(run_checks(run.simulation), colors, width);
}

std::string outcome(const RunPicture& run, const Colors& colors) {
  if (run.report.outcome == RunOutcome::reached) return "";
  const std::string name(facts(run.report.outcome).name);
  return fmt::format("\n{}  {}\n", run.report.ok() ? colors.strong(name) : colors.bad(name), run.report.text);
}

std::string written(const RunPicture& run, const Colors& colors, int width) {
  if (run.folder.empty()) return "";
  std::vector<std::string> words{"written to", run.folder + ":"};
  for (const std::string& file : run.recorder.files()) words.push_back(file);
  std::string text = "\n" + wrapped(words, 2, width);
  if (!colors.wanted()) return text;
  const std::size_t colon = text.find(run.folder + ":");
  return text.substr(0, colon) + colors.strong(run.folder) + text.substr(colon + run.folder.size());
}

std::string next_steps(const RunPicture& run, const Colors& colors, int width) {
  const std::string run_it = "pintle run " + shell_word(run.scene);
  const RunSpec& settings = run.simulation.scene().run();
  std::vector<std::pair<std::string, std::string>> ways;
  if (run.folder.empty()) ways.emplace_back(run_it + " --out DIR", "a report to open, tables, plots");
  if (run.report.ok() && settings.method != Method::dormand_prince)
    ways.emplace_back(run_it + " --integrator dormand-prince", "with error control");
  if (run.report.outcome == RunOutcome::not_finite || run.report.outcome == RunOutcome::over_certificate)
    ways.emplace_back(fmt::format("{} --step {:.3g}", run_it, 0.5 * run.simulation.step_length()), "half the step");
  std::string text;
  std::size_t longest = 0;
  for (const auto& way : ways) longest = std::max(longest, count_characters(way.first));
  for (const auto& [words, what] : ways) {
    const std::string lead = text.empty() ? "next  " : "      ";
    const std::string padded = words + std::string(longest - count_characters(words) + 2, ' ');
    const bool fits = count_characters(lead + padded + what) <= static_cast<std::size_t>(width);
    text += colors.faint(lead) + (fits ? padded + colors.faint(what) : words) + "\n";
  }
  return text.empty() ? "" : "\n" + text;
}

}  // namespace

std::string checks_text(const RunChecks& checks, const Colors& colors, int width) {
  std::string text;
  for (const CheckLine& line : check_lines(checks, width)) {
    switch (line.verdict) {
      case CheckVerdict::ok:
        text += colors.good(line.text);
        break;
      case CheckVerdict::warning:
        text += colors.doubtful(line.text);
        break;
      case CheckVerdict::failed:
        text += colors.alarming(line.text);
        break;
    }
  }
  return text;
}

void report_failed_checks(const RunChecks& checks) {
  if (checks.verdict() != CheckVerdict::failed) return;
  say(checks_text(checks, Colors(stderr), terminal_width(stderr)));
}

std::string picture_text(const RunPicture& run, const Colors& colors, int width) {
  const RecordingOutline outline = run.recorder.outline().in_units(run.recorder.units());
  const std::vector<std::size_t> columns = main_columns(outline);
  std::string text = header(run, colors, width);
  text += "\n" + table(run, outline, columns, colors, width);
  text += "\n" + colors.sparklines(sparkline_lines(outline, columns, width));
  text += events(run, colors, width) + impacts(run, colors, width) + contacts(run, colors, width);
  text += "\n" + quality_lines(run_quality(run.simulation), width, run.recorder.units()) + checks(run, colors, width);
  text += outcome(run, colors) + written(run, colors, width) + next_steps(run, colors, width);
  return text;
}

}  // namespace pintle::cli
