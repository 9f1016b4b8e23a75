#include "pintle/io/run_plots.h"

#include <array>

#include "pintle/io/svg_plot.h"

namespace pintle {
namespace {

struct Group {
  std::string_view file, title;
  bool zeros;  // also shows what is zero all the time
};

enum GroupNumber { kCoordinates, kSpeeds, kEfforts, kEnergies, kWork, kLedger, kSensors, kNoGroup };

constexpr std::array<Group, kNoGroup> kGroups{{
    {"coordinates.svg", "Coordinates", true},
    {"speeds.svg", "Speeds", true},
    {"efforts.svg", "Efforts", false},
    {"energies.svg", "Energies", false},
    {"work.svg", "Work", false},
    {"ledger.svg", "What the ledgers cannot explain", true},
    {"sensors.svg", "Sensors", true},
}};

struct Place {
  GroupNumber group;
  std::size_t prefix;  // letters of the name that the group says already
};

Place place_of(const std::string& name) {
  struct Rule {
    std::string_view start;
    GroupNumber group;
    std::size_t prefix;
  };
  static constexpr Rule kRules[] = {
      {"energy.unexplained", kLedger, 0},
      {"momentum.unexplained.", kLedger, 0},
      {"momentum.", kNoGroup, 0},
      {"energy.", kEnergies, 7},
      {"q.", kCoordinates, 2},
      {"v.", kSpeeds, 2},
      {"a.", kNoGroup, 0},
      {"tau.", kEfforts, 4},
      {"work.", kWork, 5},
      {"clipped.", kWork, 0},
  };
  if (name == "certificate") return {kLedger, 0};
  for (const Rule& rule : kRules)
    if (name.starts_with(rule.start)) return {rule.group, rule.prefix};
  return {kSensors, 0};
}

bool all_zero(const std::vector<OutlinePoint>& line) {
  for (const OutlinePoint& point : line)
    if (point.value != 0.0) return false;
  return true;
}

PlotPanel& panel_of(Plot& plot, const std::string& unit) {
  for (PlotPanel& panel : plot.panels)
    if (panel.unit == unit) return panel;
  plot.panels.push_back({unit, {}});
  return plot.panels.back();
}

}  // namespace

std::vector<PlotFile> run_plots(const RecordingOutline& outline, std::string_view scene) {
  std::array<Plot, kNoGroup> plots;
  const std::span<const Column> columns = outline.columns();
  for (std::size_t c = 1; c < columns.size(); ++c) {
    const Place place = place_of(columns[c].name);
    if (place.group == kNoGroup) continue;
    std::vector<OutlinePoint> line = outline.line(c);
    if (!kGroups[place.group].zeros && all_zero(line)) continue;
    panel_of(plots[place.group], columns[c].unit)
        .lines.push_back({columns[c].name.substr(place.prefix), std::move(line)});
  }
  std::vector<PlotFile> files;
  for (std::size_t g = 0; g < plots.size(); ++g) {
    if (plots[g].panels.empty()) continue;
    plots[g].title = kGroups[g].title;
    plots[g].subtitle = scene;
    files.push_back({std::string(kGroups[g].file), svg_plot(plots[g])});
  }
  return files;
}

}  // namespace pintle
