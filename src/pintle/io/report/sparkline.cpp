#include "pintle/io/report/sparkline.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

constexpr const char* kBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr int kBlockCount = 8;
constexpr double kRounding = 1e-9;  // relative to the values: below the precision of the printed values
constexpr double kPeak = 3.0;       // a mean this much nearer to one extreme than to the other hides a peak

/// What one character stands for: its mean by weight, and its extremes.
struct Cell {
  double mean = 0.0, weight = 0.0;
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

  void take(double value, double with_weight) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
    if (!(with_weight > 0.0)) return;
    weight += with_weight;
    const double part = with_weight / weight;
    mean += part * value - part * mean;  // a sum could overflow
  }

  double shown() const {
    if (!(low <= high)) return std::numeric_limits<double>::quiet_NaN();
    if (!(weight > 0.0)) return 0.5 * low + 0.5 * high;
    const double above = 0.5 * high - 0.5 * mean, below = 0.5 * mean - 0.5 * low;
    return above > kPeak * below ? high : below > kPeak * above ? low : mean;
  }
};

std::string blocks(std::span<const Cell> cells, double flat) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Cell& cell : cells) {
    low = std::min(low, cell.low);
    high = std::max(high, cell.high);
  }
  const double size = std::max(std::abs(low), std::abs(high));
  const double height = 0.5 * high - 0.5 * low;  // halved, because the difference may overflow
  const bool is_flat = !(height > 0.5 * std::max(flat, kRounding * size));
  std::string line;
  for (const Cell& cell : cells) {
    const double part = is_flat ? 0.45 : (0.5 * cell.shown() - 0.5 * low) / height;
    const bool empty = std::isnan(cell.shown());
    line += empty ? " " : kBlocks[std::clamp(static_cast<int>(part * kBlockCount), 0, kBlockCount - 1)];
  }
  return line;
}

/// The straight line between two points, cut at the borders of cells.
void take_segment(std::span<Cell> cells, const OutlinePoint& from, const OutlinePoint& to, double start,
                  double duration) {
  if (!std::isfinite(from.value) || !std::isfinite(to.value) || !(to.t > from.t)) return;
  const double width = static_cast<double>(cells.size());
  const auto place = [&](double t) { return std::clamp((t - start) / duration * width, 0.0, width); };
  const double begin = place(from.t), end = place(to.t);
  const auto value_at = [&](double x) {
    const double part = end > begin ? (x - begin) / (end - begin) : 0.0;
    return (1.0 - part) * from.value + part * to.value;
  };
  const std::size_t first = std::min(static_cast<std::size_t>(begin), cells.size() - 1);
  for (std::size_t c = first; c < cells.size() && static_cast<double>(c) < end; ++c) {
    const double a = std::max(begin, static_cast<double>(c)), b = std::min(end, static_cast<double>(c + 1));
    cells[c].take(value_at(a), 0.5 * (b - a));
    cells[c].take(value_at(b), 0.5 * (b - a));
  }
}

}  // namespace

std::string sparkline(std::span<const double> values, int width, double flat) {
  require(width >= 0, "sparkline", "width", "it is not negative");
  std::vector<Cell> cells(static_cast<std::size_t>(width));
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const std::size_t first = c * values.size() / cells.size();
    const std::size_t end = std::max(first + 1, (c + 1) * values.size() / cells.size());
    for (std::size_t i = first; i < std::min(end, values.size()); ++i) cells[c].take(values[i], 1.0);
  }
  return blocks(cells, flat);
}

std::string sparkline(std::span<const OutlinePoint> line, int width, double flat) {
  require(width >= 0, "sparkline", "width", "it is not negative");
  std::vector<Cell> cells(static_cast<std::size_t>(width));
  if (line.empty() || cells.empty()) return blocks(cells, flat);
  const double start = line.front().t, duration = line.back().t - start;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const double part = duration > 0.0 ? (line[i].t - start) / duration : 0.0;
    const std::size_t cell = static_cast<std::size_t>(part * static_cast<double>(width));
    cells[std::min(cell, cells.size() - 1)].take(line[i].value, 0.0);
    if (i > 0 && duration > 0.0) take_segment(cells, line[i - 1], line[i], start, duration);
  }
  return blocks(cells, flat);
}

}  // namespace pintle
