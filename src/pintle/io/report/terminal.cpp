#include "pintle/io/report/terminal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "pintle/base/usage_error.h"
#include "pintle/io/report/axis.h"
#include "pintle/simulation/contact/contact_setup.h"
#include "pintle/text/utf8.h"

namespace pintle {
namespace {

constexpr const char* kBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr int kBlockCount = 8;
constexpr std::size_t kMaxNameCells = 18, kMaxIntervals = 30, kMaxRows = 36;
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr double kFlat = 1e-9;  // relative to the values: below the precision of the printed values

std::string spaces(std::size_t count) {
  return std::string(count, ' ');
}

std::string left_aligned(const std::string& text, std::size_t width) {
  const std::size_t length = count_characters(text);
  return length < width ? text + spaces(width - length) : text;
}

std::string right_aligned(const std::string& text, std::size_t width) {
  const std::size_t length = count_characters(text);
  return length < width ? spaces(width - length) + text : text;
}

/// With up to `digits` significant digits: "12.3457", "-4.4e-16".
std::string short_text(double x, int digits) {
  if (std::isnan(x)) return "nan";
  char text[40];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, x, std::chars_format::general, digits);
  return {text, end.ptr};
}

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

  bool empty() const { return !(low <= high); }
  double size() const { return empty() ? 0.0 : std::max(std::abs(low), std::abs(high)); }
  void take(double x) {
    if (!std::isfinite(x)) return;
    low = std::min(low, x);
    high = std::max(high, x);
  }
};

/// The number format of a column: power of ten and number of decimals.
struct NumberStyle {
  int exponent = 0, decimals = 0;

  std::string text(double x) const {
    if (!std::isfinite(x)) return std::isnan(x) ? "nan" : x > 0.0 ? "inf" : "-inf";
    return fixed_text(x / power_of_ten(exponent), decimals);
  }
};

NumberStyle style_of(const Extent& extent, int digits) {
  const double largest = extent.size();
  if (!(largest > 0.0)) return {0, digits - 1};
  const int exponent = readable_exponent(largest);
  const int before = decimal_exponent(largest) - exponent;
  return {exponent, std::max(0, digits - 1 - std::max(before, -2))};
}

/// With as many digits, up to 9, as distinguish the minimum from the maximum.
NumberStyle style_of_range(const Extent& extent, int digits) {
  const bool flat = extent.empty() || extent.high - extent.low <= kFlat * extent.size();
  NumberStyle style = style_of(extent, digits);
  for (int more = digits + 1; !flat && more <= 9 && style.text(extent.low) == style.text(extent.high); ++more)
    style = style_of(extent, more);
  return style;
}

/// Rows at round times, and the last; all, if there are few.
struct PickedRows {
  std::vector<std::size_t> rows;
  int time_decimals = 3;
};

/// A time step whose every multiple is the time of a row, so that the table has 12 to 36 rows; the roundest such step,
/// or 0 if there is none.
double step_of_rows(const RecordingOutline& outline) {
  const std::size_t count = outline.kept_rows();
  const double start = outline.kept_row(0)[0], duration = outline.kept_row(count - 1)[0] - start;
  std::vector<double> times;
  for (std::size_t i = 0; i < count; ++i) times.push_back(outline.kept_row(i)[0]);
  const auto has_rows = [&](double step) {
    const double tolerance = 1e-6 * step;
    for (double k = std::ceil(start / step - 1e-9); k * step < start + duration - tolerance; ++k) {
      const auto at = std::lower_bound(times.begin(), times.end(), k * step - tolerance);
      if (at == times.end() || *at > k * step + tolerance) return false;
    }
    return true;
  };
  for (const double digits : {1.0, 2.0, 5.0, 2.5, 3.0, 4.0, 6.0, 1.5, 8.0}) {
    for (int exponent = decimal_exponent(duration) - 3; exponent <= decimal_exponent(duration); ++exponent) {
      const double step = digits * power_of_ten(exponent), intervals = duration / step;
      if (intervals >= 12.0 && intervals <= static_cast<double>(kMaxIntervals) && has_rows(step)) return step;
    }
  }
  return 0.0;
}

PickedRows pick_rows(const RecordingOutline& outline) {
  const std::size_t count = outline.kept_rows();
  PickedRows picked;
  const double start = count > 0 ? outline.kept_row(0)[0] : 0.0, end = count > 0 ? outline.kept_row(count - 1)[0] : 0.0;
  double step = end > start ? round_up_to_step((end - start) / kMaxIntervals) : 0.0;
  if (step > 0.0 && count > kMaxRows)
    if (const double whole = step_of_rows(outline); whole > 0.0) step = whole;
  if (step > 0.0) {
    picked.time_decimals = decimals_of_step(step);
    const double last_digit = step * power_of_ten(picked.time_decimals);  // 2.5 needs one more
    if (std::abs(last_digit - std::round(last_digit)) > 1e-6) ++picked.time_decimals;
  }
  if (count <= kMaxRows || !(step > 0.0)) {
    for (std::size_t i = 0; i < std::min(count, kMaxRows); ++i) picked.rows.push_back(i);
    picked.time_decimals += 2;
    return picked;
  }
  const double first = std::ceil(start / step - 1e-9);
  bool round = true;
  picked.rows.push_back(0);
  for (double k = first; k * step < end + 0.5 * step; ++k) {
    const double wanted = std::min(k * step, end);
    std::size_t row = picked.rows.back();
    while (row + 1 < count &&
           std::abs(outline.kept_row(row + 1)[0] - wanted) <= std::abs(outline.kept_row(row)[0] - wanted))
      ++row;
    if (row != picked.rows.back()) picked.rows.push_back(row);
  }
  if (picked.rows.back() != count - 1) picked.rows.push_back(count - 1);
  for (const std::size_t row : picked.rows) {
    const double t = outline.kept_row(row)[0];
    round = round && std::abs(t - std::round(t / step) * step) <= 1e-6 * step;
  }
  if (!round) picked.time_decimals += 2;
  return picked;
}

/// The cells of one column, all of one width.
struct TableColumn {
  std::vector<std::string> cells;  // name, unit, values
  std::size_t width = 0;
};

TableColumn column_texts(const RecordingOutline& outline, std::size_t column, const PickedRows& picked) {
  NumberStyle style{0, picked.time_decimals};
  if (column != 0) {
    Extent extent;
    for (const std::size_t row : picked.rows) extent.take(outline.kept_row(row)[column]);
    style = style_of(extent, 6);
  }
  const Column& named = outline.columns()[column];
  TableColumn texts;
  texts.cells = {shortened(named.name, kMaxNameCells), "[" + scaled_unit(named.unit, style.exponent) + "]"};
  for (const std::size_t row : picked.rows) texts.cells.push_back(style.text(outline.kept_row(row)[column]));
  for (const std::string& cell : texts.cells) texts.width = std::max(texts.width, count_characters(cell));
  return texts;
}

/// A unit as written after a number; nothing if it is dimensionless.
std::string after_number(std::string unit) {
  return unit == "1" ? std::string() : " " + std::move(unit);
}

/// Joins parts side by side, as many as fit.
std::string joined(const std::vector<std::string>& parts, int width) {
  std::string line;
  for (const std::string& part : parts) {
    const std::string longer = line.empty() ? part : line + "  " + part;
    if (!line.empty() && count_characters(longer) > static_cast<std::size_t>(width)) break;
    line = longer;
  }
  return line + "\n";
}

double mean_of(std::span<const double> values) {
  double mean = 0.0, count = 0.0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    count += 1.0;
    mean += value / count - mean / count;  // a sum could overflow
  }
  return mean;
}

Extent extent_of(std::span<const double> values) {
  Extent extent;
  for (const double value : values) extent.take(value);
  return extent;
}

/// Makes a cell show a value that is farther from the mean than the present one.
void show(double& shown, double value, double mean) {
  if (!std::isfinite(value)) return;
  if (std::isnan(shown) || std::abs(value - mean) > std::abs(shown - mean)) shown = value;
}

std::string blocks(std::span<const double> shown, const Extent& extent) {
  const double low = 0.5 * extent.low, height = 0.5 * extent.high - low;  // halved, because the difference may overflow
  const bool flat = extent.empty() || height <= 0.5 * kFlat * extent.size();
  std::string line;
  for (const double value : shown) {
    const double part = flat ? 0.45 : (0.5 * value - low) / height;
    line += std::isnan(value) ? " " : kBlocks[std::min(kBlockCount - 1, static_cast<int>(part * kBlockCount))];
  }
  return line;
}

/// A sparkline whose characters are equal time intervals; an interval without a point shows the line between its
/// neighbours.
std::string sparkline_of(std::span<const OutlinePoint> line, std::size_t width) {
  std::vector<double> values;
  for (const OutlinePoint& point : line) values.push_back(point.value);
  std::vector<double> shown(width, kNothing);
  if (line.empty() || width == 0) return blocks(shown, {});
  const double mean = mean_of(values), start = line.front().t, duration = line.back().t - start;
  const auto cell_of = [&](double t) {
    const double part = duration > 0.0 ? (t - start) / duration : 0.0;
    return std::min(width - 1, static_cast<std::size_t>(part * static_cast<double>(width)));
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::size_t cell = cell_of(line[i].t);
    show(shown[cell], values[i], mean);
    if (i == 0) continue;
    const std::size_t before = cell_of(line[i - 1].t);
    for (std::size_t between = before + 1; between < cell; ++between) {
      const double part = static_cast<double>(between - before) / static_cast<double>(cell - before);
      show(shown[between], (1.0 - part) * values[i - 1] + part * values[i], mean);
    }
  }
  return blocks(shown, extent_of(values));
}

/// Whether a column is constant up to rounding.
bool is_flat(const RecordingOutline& outline, std::size_t column) {
  Extent extent;
  for (const OutlinePoint& point : outline.line(column)) extent.take(point.value);
  return extent.empty() || 0.5 * extent.high - 0.5 * extent.low <= 0.5 * kFlat * extent.size();
}

}  // namespace

std::string sparkline(std::span<const double> values, int width) {
  require(width >= 0, "sparkline", "width", "it is not negative");
  const std::size_t cells = static_cast<std::size_t>(width);
  const double mean = mean_of(values);
  std::vector<double> shown(cells, kNothing);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const std::size_t first = cell * values.size() / cells;
    const std::size_t last = std::max(first + 1, (cell + 1) * values.size() / cells);
    for (std::size_t i = first; i < std::min(last, values.size()); ++i) show(shown[cell], values[i], mean);
  }
  return blocks(shown, extent_of(values));
}

std::vector<std::size_t> main_columns(const RecordingOutline& outline, std::size_t max_columns) {
  std::vector<std::size_t> named, moving, coordinates;
  const std::span<const Column> all = outline.columns();
  for (std::size_t c = 1; c < all.size(); ++c) {
    const std::string& name = all[c].name;
    if (name.find('.') == std::string::npos && name != "certificate") named.push_back(c);
    if (!name.starts_with("q.")) continue;
    coordinates.push_back(c);
    if (all[c].unit != "1" && !is_flat(outline, c)) moving.push_back(c);
  }
  std::vector<std::size_t> columns = named;
  columns.insert(columns.end(), moving.begin(), moving.end());
  if (columns.empty()) columns = coordinates;
  columns.resize(std::min(columns.size(), max_columns));
  for (const char* const name : {"energy.kinetic", "energy.total"})
    if (const int c = outline.column_number(name); c >= 0) columns.push_back(static_cast<std::size_t>(c));
  return columns;
}

std::string sparkline_lines(const RecordingOutline& outline, std::span<const std::size_t> columns, int width) {
  struct Line {
    std::string name, low, high, unit;
    std::vector<OutlinePoint> points;
  };
  std::vector<Line> lines;
  std::size_t name = 0, low = 0, high = 0, unit = 0;
  for (const std::size_t column : columns) {
    require(column < outline.columns().size(), "sparkline_lines", "columns", "there is no such column");
    std::vector<OutlinePoint> points = outline.line(column);
    Extent extent;
    for (const OutlinePoint& point : points) extent.take(point.value);
    const NumberStyle style = style_of_range(extent, 4);
    Line line{shortened(outline.columns()[column].name, kMaxNameCells),
              style.text(extent.empty() ? kNothing : extent.low), style.text(extent.empty() ? kNothing : extent.high),
              after_number(scaled_unit(outline.columns()[column].unit, style.exponent)), std::move(points)};
    name = std::max(name, count_characters(line.name));
    low = std::max(low, count_characters(line.low));
    high = std::max(high, count_characters(line.high));
    unit = std::max(unit, count_characters(line.unit));
    lines.push_back(std::move(line));
  }
  const int room = width - static_cast<int>(name + low + high + unit + 9);  // "  " + "  " + "  " + "…" and its spaces
  const std::size_t cells = static_cast<std::size_t>(std::clamp(room, 8, 80));
  std::string text;
  for (const Line& line : lines) {
    text += "  " + left_aligned(line.name, name) + "  " + sparkline_of(line.points, cells) + "  " +
            right_aligned(line.low, low) + " … " + right_aligned(line.high, high) + line.unit + "\n";
  }
  return text;
}

RecordingTable recording_table(const RecordingOutline& outline, std::span<const std::size_t> columns, int width) {
  RecordingTable table;
  const PickedRows picked = pick_rows(outline);
  if (outline.columns().empty()) return table;
  std::vector<TableColumn> shown{column_texts(outline, 0, picked)};
  std::size_t used = 2 + shown[0].width;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    require(columns[i] < outline.columns().size(), "recording_table", "columns", "there is no such column");
    if (columns[i] == 0) continue;
    TableColumn next = column_texts(outline, columns[i], picked);
    if (used + 2 + next.width > static_cast<std::size_t>(std::max(width, 0))) {
      ++table.columns_left_out;
      continue;
    }
    used += 2 + next.width;
    shown.push_back(std::move(next));
  }
  for (std::size_t line = 0; line < shown[0].cells.size(); ++line) {
    for (const TableColumn& column : shown) table.text += "  " + right_aligned(column.cells[line], column.width);
    table.text += '\n';
    if (line != 1) continue;
    table.text += "  ";
    for (std::size_t i = 2; i < used; ++i) table.text += "─";
    table.text += '\n';
  }
  return table;
}

RunQuality run_quality(Simulation& simulation) {
  RunQuality quality;
  const Model& model = simulation.scene().model();
  const RunSpec& run = simulation.scene().run();
  const EnergyBalance& energy_balance = simulation.energy_balance();
  quality.energy_balance = run.energy_balance;
  quality.energy_start = energy_balance.start().total();
  quality.energy_end = energy_balance.now().total();
  if (run.energy_balance) {
    for (const double work : energy_balance.work()) quality.work += work;
    quality.residual = energy_balance.energy().rest;
    quality.residual_relative = energy_balance.energy().relative();
    const double linear = energy_balance.linear().relative(), angular = energy_balance.angular().relative();
    quality.momentum_relative = linear > angular || std::isnan(linear) ? linear : angular;
  }
  quality.certificate = run.certificate;
  if (!run.certificate) return quality;
  const Certificate& c = simulation.worst_certificate().certificate;
  quality.worst = c.worst();
  quality.worst_time = simulation.worst_certificate().t;
  if (c.worst() == c.power_balance_relative) {
    quality.worst_where = "the power";
  } else if (c.worst() == c.joint_balance_relative && c.worst_joint >= 0) {
    quality.worst_where = "the effort of '" + model.joints()[static_cast<std::size_t>(c.worst_joint)].name + "'";
  } else if (c.worst_body >= 0) {
    quality.worst_where = "the forces on '" + model.bodies()[static_cast<std::size_t>(c.worst_body)].name + "'";
  }
  quality.contacts = !simulation.scene().contacts().pairs.empty();
  const ContactRecord& touched = simulation.contact_record();
  const auto body = [&](int i) {
    return "'" + (i < 0 ? std::string(kWorld) : model.bodies()[static_cast<std::size_t>(i)].name) + "'";
  };
  quality.contact_worst = touched.residuals.worst();
  quality.contact_time = touched.t;
  quality.contact_where = std::string(touched.at_impact ? "the impact of " : "the contact of ") + body(touched.body_a) +
                          " and " + body(touched.body_b);
  quality.energy_gains = touched.gains;
  quality.time_stepped = touched.time_stepped;
  return quality;
}

std::string quality_lines(const RunQuality& quality, int width) {
  std::string text;
  if (quality.energy_balance) {
    const std::string rest = "  energy balance  residual " + short_text(quality.residual, 2) + " J (relative " +
                             short_text(quality.residual_relative, 2) + ")";
    text += joined(
        {rest, "energy " + short_text(quality.energy_start, 6) + " → " + short_text(quality.energy_end, 6) + " J",
         "work " + short_text(quality.work, 6) + " J", "momentum residual " + short_text(quality.momentum_relative, 2)},
        width);
  }
  if (quality.certificate) {
    std::vector<std::string> parts{"  certificate     worst residual " + short_text(quality.worst, 2)};
    if (quality.worst > 0.0) parts.push_back("at t = " + short_text(quality.worst_time, 6) + " s");
    if (quality.worst > 0.0 && !quality.worst_where.empty()) parts.push_back("in " + quality.worst_where);
    text += joined(parts, width);
  }
  if (quality.contacts) {
    std::vector<std::string> parts{"  contacts        worst residual " + short_text(quality.contact_worst, 2)};
    if (quality.contact_worst > 0.0) parts.push_back("at t = " + short_text(quality.contact_time, 6) + " s");
    if (quality.energy_gains > 0)
      parts.push_back(std::to_string(quality.energy_gains) +
                      (quality.energy_gains == 1 ? " impact gains energy" : " impacts gain energy"));
    if (quality.time_stepped > 0.0) parts.push_back(short_text(quality.time_stepped, 3) + " s by time-stepping");
    if (quality.contact_worst > 0.0) parts.push_back("in " + quality.contact_where);
    text += joined(parts, width);
  }
  return text;
}

}  // namespace pintle
