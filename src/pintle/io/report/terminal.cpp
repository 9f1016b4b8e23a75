#include "pintle/io/report/terminal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "pintle/base/usage_error.h"
#include "pintle/io/recording/column_group.h"
#include "pintle/io/report/axis.h"
#include "pintle/io/report/sparkline.h"
#include "pintle/simulation/contact/contact_setup.h"
#include "pintle/text/utf8.h"
#include "pintle/text/wrapped.h"

namespace pintle {
namespace {

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

/// A unit as written after a number; nothing if it is dimensionless.
std::string after_number(std::string unit) {
  return unit == "1" ? std::string() : " " + std::move(unit);
}

constexpr std::size_t kLabel = 18;  // characters of "  energy balance  "

/// A label and parts side by side, on as many lines as they need: what a run has to tell is never cut off.
std::string labelled(const char* label, std::vector<std::string> parts, int width) {
  parts[0] = left_aligned(std::string("  ") + label, kLabel) + parts[0];
  return wrapped(parts, kLabel, width, "  ");
}

/// The extents of all columns of a recording, and which of their values are noise: a value says something only on the
/// scale of what flows.
class ColumnScales {
 public:
  explicit ColumnScales(const RecordingOutline& outline) : outline_(outline), extents_(outline.columns().size()) {
    for (std::size_t c = 0; c < extents_.size(); ++c)
      for (const OutlinePoint& point : outline.line(c)) extents_[c].take(point.value);
  }

  const Extent& extent(std::size_t column) const { return extents_[column]; }

  /// A difference that is noise in a column. Of energies: what does not show in the digits of the energy that flows
  /// between them and the accounts. Of others: rounding in the largest value of the group with the same unit.
  double noise(std::size_t column) const {
    const ColumnGroup group = group_of(column);
    if (group == ColumnGroup::energies || group == ColumnGroup::work) return kEnergyNoise * energy_flow();
    double largest = 0.0;
    for (std::size_t c = 1; c < extents_.size(); ++c)
      if (group_of(c) == group && outline_.columns()[c].unit == outline_.columns()[column].unit)
        largest = std::max(largest, extents_[c].size());
    return group == ColumnGroup::sensors || group == ColumnGroup::energy_balance ? 0.0 : kNoise * largest;
  }

  /// The extent by which the values of a column are printed: with as many decimals as tell its values from noise.
  Extent printed(std::size_t column, Extent extent) const {
    const double noise_size = noise(column);
    const ColumnGroup group = group_of(column);
    const double digits = group == ColumnGroup::energies || group == ColumnGroup::work ? kEnergyNoise : kNoise;
    if (noise_size > 0.0 && extent.size() < noise_size) extent.take(noise_size / digits);
    return extent;
  }

  /// Whether a column is constant up to noise.
  bool is_flat(std::size_t column) const {
    const Extent& extent = extents_[column];
    return extent.empty() ||
           0.5 * extent.high - 0.5 * extent.low <= 0.5 * std::max(kFlat * extent.size(), noise(column));
  }

 private:
  static constexpr double kEnergyNoise = 1e-6, kNoise = 1e-12;

  ColumnGroup group_of(std::size_t column) const { return grouped(outline_.columns()[column].name).group; }

  /// The largest change of an energy or of the work of an account.
  double energy_flow() const {
    double flow = 0.0;
    for (std::size_t c = 1; c < extents_.size(); ++c) {
      const ColumnGroup group = group_of(c);
      if ((group == ColumnGroup::energies || group == ColumnGroup::work) && !extents_[c].empty())
        flow = std::max(flow, extents_[c].high - extents_[c].low);
    }
    return flow;
  }

  const RecordingOutline& outline_;
  std::vector<Extent> extents_;
};

/// The cells of one column, all of one width.
struct TableColumn {
  std::vector<std::string> cells;  // name, unit, values
  std::size_t width = 0;
};

TableColumn column_texts(const RecordingOutline& outline, std::size_t column, const PickedRows& picked,
                         const ColumnScales& scales) {
  NumberStyle style{0, picked.time_decimals};
  if (column != 0) {
    Extent extent;
    for (const std::size_t row : picked.rows) extent.take(outline.kept_row(row)[column]);
    style = style_of(scales.printed(column, extent), 6);
  }
  const Column& named = outline.columns()[column];
  TableColumn texts;
  texts.cells = {shortened(named.name, kMaxNameCells), "[" + scaled_unit(named.unit, style.exponent) + "]"};
  for (const std::size_t row : picked.rows) texts.cells.push_back(style.text(outline.kept_row(row)[column]));
  for (const std::string& cell : texts.cells) texts.width = std::max(texts.width, count_characters(cell));
  return texts;
}

}  // namespace

std::vector<std::size_t> main_columns(const RecordingOutline& outline, std::size_t max_columns) {
  std::vector<std::size_t> named, moving, coordinates;
  const std::span<const Column> all = outline.columns();
  const ColumnScales scales(outline);
  for (std::size_t c = 1; c < all.size(); ++c) {
    const std::string& name = all[c].name;
    if (name.find('.') == std::string::npos && name != "certificate") named.push_back(c);
    if (!name.starts_with("q.")) continue;
    coordinates.push_back(c);
    if (all[c].unit != "1" && !scales.is_flat(c)) moving.push_back(c);
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
    double noise;
  };
  std::vector<Line> lines;
  const ColumnScales scales(outline);
  std::size_t name = 0, low = 0, high = 0, unit = 0;
  for (const std::size_t column : columns) {
    require(column < outline.columns().size(), "sparkline_lines", "columns", "there is no such column");
    const Extent& extent = scales.extent(column);
    const NumberStyle style = style_of_range(scales.printed(column, extent), 4);
    Line line{shortened(outline.columns()[column].name, kMaxNameCells),
              style.text(extent.empty() ? kNothing : extent.low), style.text(extent.empty() ? kNothing : extent.high),
              after_number(scaled_unit(outline.columns()[column].unit, style.exponent)), outline.line(column),
              scales.noise(column)};
    name = std::max(name, count_characters(line.name));
    low = std::max(low, count_characters(line.low));
    high = std::max(high, count_characters(line.high));
    unit = std::max(unit, count_characters(line.unit));
    lines.push_back(std::move(line));
  }
  const int room = width - static_cast<int>(name + low + high + unit + 9);  // "  " + "  " + "  " + "…" and its spaces
  const int cells = std::clamp(room, 8, 80);
  std::string text;
  for (const Line& line : lines) {
    text += "  " + left_aligned(line.name, name) + "  " + sparkline(line.points, cells, line.noise) + "  " +
            right_aligned(line.low, low) + " … " + right_aligned(line.high, high) + line.unit + "\n";
  }
  return text;
}

RecordingTable recording_table(const RecordingOutline& outline, std::span<const std::size_t> columns, int width) {
  RecordingTable table;
  const PickedRows picked = pick_rows(outline);
  if (outline.columns().empty()) return table;
  const ColumnScales scales(outline);
  std::vector<TableColumn> shown{column_texts(outline, 0, picked, scales)};
  std::size_t used = 2 + shown[0].width;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    require(columns[i] < outline.columns().size(), "recording_table", "columns", "there is no such column");
    if (columns[i] == 0) continue;
    TableColumn next = column_texts(outline, columns[i], picked, scales);
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
  quality.time_stepped = touched.time_stepped;
  quality.time_stepping_spans = touched.spans;
  quality.time_stepping_from = touched.first_span;
  quality.penetration = touched.penetration;
  return quality;
}

std::string quality_lines(const RunQuality& quality, int width, const UnitSystem& units) {
  const ShownUnit energy = units.shown("J");
  std::string text;
  if (quality.energy_balance) {
    text += labelled(
        "energy balance",
        {"residual " + short_text(energy(quality.residual), 2) + " " + energy.unit + " (relative " +
             short_text(quality.residual_relative, 2) + ")",
         "energy " + short_text(energy(quality.energy_start), 6) + " → " + short_text(energy(quality.energy_end), 6) +
             " " + energy.unit,
         "work " + short_text(energy(quality.work), 6) + " " + energy.unit, "momentum residual " + short_text(quality.momentum_relative, 2)},
        width);
  }
  if (quality.certificate) {
    std::vector<std::string> parts{"worst residual " + short_text(quality.worst, 2)};
    if (quality.worst > 0.0) parts.push_back("at t = " + short_text(quality.worst_time, 6) + " s");
    if (quality.worst > 0.0 && !quality.worst_where.empty()) parts.push_back("in " + quality.worst_where);
    text += labelled("certificate", std::move(parts), width);
  }
  if (quality.contacts) {
    std::vector<std::string> parts{"worst residual " + short_text(quality.contact_worst, 2)};
    if (quality.contact_worst > 0.0) parts.push_back("at t = " + short_text(quality.contact_time, 6) + " s");
    if (quality.contact_worst > 0.0) parts.push_back("in " + quality.contact_where);
    text += labelled("contacts", std::move(parts), width);
  }
  if (quality.time_stepped > 0.0) {
    const ShownUnit length = units.shown("m");
    const std::string from = "t = " + short_text(quality.time_stepping_from, 3) + " s";
    const std::string spans = quality.time_stepping_spans == 1
                                  ? "one span from " + from
                                  : std::to_string(quality.time_stepping_spans) + " spans, first at " + from;
    std::vector<std::string> parts{short_text(quality.time_stepped, 3) + " s in " + spans};
    if (quality.penetration > 0.0)
      parts.push_back("penetration up to " + short_text(length(quality.penetration), 2) + " " + length.unit);
    text += labelled("time stepping", std::move(parts), width);
  }
  return text;
}

std::vector<CheckLine> check_lines(const RunChecks& checks, int width) {
  const auto line = [&](CheckVerdict verdict, const char* label, const std::string& text) {
    std::vector<std::string> words = words_of(text);
    words[0] = left_aligned(std::string("  ") + label, kLabel) + words[0];
    return CheckLine{verdict, wrapped(words, kLabel, width)};
  };
  std::vector<CheckLine> lines;
  for (const CheckVerdict verdict : {CheckVerdict::failed, CheckVerdict::warning})
    for (const RunCheck& check : checks.list)
      if (check.verdict == verdict)
        lines.push_back(line(verdict, verdict == CheckVerdict::failed ? "CHECK FAILED" : "check warning", check.text));
  if (!lines.empty()) return lines;
  std::string names;
  for (const RunCheck& check : checks.list) names += (names.empty() ? "" : ", ") + std::string(facts(check.kind).name);
  return {line(CheckVerdict::ok, "checks", "ok: " + names)};
}

}  // namespace pintle
