#include "pintle/io/report/run_plots.h"

#include <array>

#include "pintle/io/recording/column_group.h"
#include "pintle/io/report/svg_plot.h"

namespace pintle {
namespace {

struct Plotted {
  std::string_view file, title;
  bool zeros;  // also shows columns that are always zero
};

constexpr std::array<Plotted, 7> kPlots{{
    {"coordinates.svg", "Coordinates", true},
    {"speeds.svg", "Speeds", true},
    {"efforts.svg", "Efforts", false},
    {"energies.svg", "Energies", false},
    {"work.svg", "Work", false},
    {"energy_balance.svg", "Residuals of the energy and momentum balances", true},
    {"sensors.svg", "Sensors", true},
}};

/// The plot of a group of columns, or none.
int plot_of(ColumnGroup group) {
  switch (group) {
    case ColumnGroup::coordinates:
      return 0;
    case ColumnGroup::speeds:
      return 1;
    case ColumnGroup::efforts:
      return 2;
    case ColumnGroup::energies:
      return 3;
    case ColumnGroup::work:
      return 4;
    case ColumnGroup::energy_balance:
    case ColumnGroup::certificate:
      return 5;
    case ColumnGroup::sensors:
      return 6;
    case ColumnGroup::time:
    case ColumnGroup::accelerations:
    case ColumnGroup::momentum:
      return -1;
  }
  return -1;
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
  std::array<Plot, kPlots.size()> plots;
  const std::span<const Column> columns = outline.columns();
  for (std::size_t c = 1; c < columns.size(); ++c) {
    const GroupedColumn column = grouped(columns[c].name);
    const int number = plot_of(column.group);
    if (number < 0) continue;
    const std::size_t p = static_cast<std::size_t>(number);
    std::vector<OutlinePoint> line = outline.line(c);
    if (!kPlots[p].zeros && all_zero(line)) continue;
    panel_of(plots[p], columns[c].unit).lines.push_back({std::string(column.rest), std::move(line)});
  }
  std::vector<PlotFile> files;
  for (std::size_t p = 0; p < plots.size(); ++p) {
    if (plots[p].panels.empty()) continue;
    plots[p].title = kPlots[p].title;
    plots[p].subtitle = scene;
    files.push_back({std::string(kPlots[p].file), svg_plot(plots[p])});
  }
  return files;
}

}  // namespace pintle
