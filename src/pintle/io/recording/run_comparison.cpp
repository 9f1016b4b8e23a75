#include "pintle/io/recording/run_comparison.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <tuple>

#include "pintle/base/usage_error.h"
#include "pintle/math/scalar.h"
#include "pintle/model/links/joint_parts.h"

namespace pintle {
namespace {

/// Maps doubles to integers in numerical order: neighbours differ by one, and both zeros are 0.
std::int64_t rank(double x) {
  const std::int64_t bits = std::bit_cast<std::int64_t>(x);
  return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
}

bool within(const NumberPair& pair, double scale, const CompareOptions& options) {
  if (pair.same() || pair.first == pair.second) return true;
  return pair.difference() <= options.relative * scale + options.absolute;
}

/// A row of each table with the same time.
struct RowPair {
  std::size_t first, second;
};

/// Pairs rows by their times and records those that only one run has.
std::vector<RowPair> pair_rows(const CsvTable& a, const CsvTable& b, const CompareOptions& options,
                               RunComparison& result) {
  const double longest = std::max(std::max(std::abs(a.at(0, 0)), std::abs(a.at(a.rows() - 1, 0))),
                                  std::max(std::abs(b.at(0, 0)), std::abs(b.at(b.rows() - 1, 0))));
  const double room = options.within ? std::min(options.relative, 1e-9) * longest : 0.0;
  std::vector<RowPair> pairs;
  std::size_t i = 0, j = 0;
  const auto alone = [&](std::int64_t& count, double t) {
    if (result.rows_only_first + result.rows_only_second == 0) result.first_unpaired_time = t;
    ++count;
  };
  while (i < a.rows() || j < b.rows()) {
    const double t_a = i < a.rows() ? a.at(i, 0) : kInfinity<double>,
                 t_b = j < b.rows() ? b.at(j, 0) : kInfinity<double>;
    if (i < a.rows() && j < b.rows() && std::abs(t_a - t_b) <= room) {
      pairs.push_back({i++, j++});
    } else if (t_a < t_b) {
      alone(result.rows_only_first, t_a);
      ++i;
    } else {
      alone(result.rows_only_second, t_b);
      ++j;
    }
  }
  result.rows = static_cast<std::int64_t>(pairs.size());
  return pairs;
}

/// A column of each table with the same name and unit.
struct ColumnPair {
  std::size_t first, second;
};

std::vector<ColumnPair> pair_columns(const CsvTable& a, const CsvTable& b, RunComparison& result) {
  const auto key = [](const CsvTable::Column& column) { return column.name + " [" + column.unit + "]"; };
  std::map<std::string, std::size_t> places;
  for (std::size_t j = 1; j < b.columns.size(); ++j) places[key(b.columns[j])] = j;
  std::vector<ColumnPair> pairs;
  for (std::size_t i = 1; i < a.columns.size(); ++i) {
    const auto found = places.find(key(a.columns[i]));
    if (found == places.end()) {
      result.columns_only_first.push_back(key(a.columns[i]));
      continue;
    }
    pairs.push_back({i, found->second});
    places.erase(found);
  }
  for (std::size_t j = 1; j < b.columns.size(); ++j)
    if (places.contains(key(b.columns[j]))) result.columns_only_second.push_back(key(b.columns[j]));
  result.columns = pairs.size();
  return pairs;
}

/// The differences of one column, and the index of the first pair of rows whose difference counts.
struct ComparedColumn {
  ColumnDifference difference;
  std::size_t first_pair = std::numeric_limits<std::size_t>::max();
};

ComparedColumn compare_column(const CsvTable& a, const CsvTable& b, const ColumnPair& column,
                              std::span<const RowPair> rows, const CompareOptions& options) {
  ComparedColumn result;
  ColumnDifference& difference = result.difference;
  difference.name = a.columns[column.first].name;
  difference.unit = a.columns[column.first].unit;
  difference.position = column.first;
  const auto numbers = [&](const RowPair& row) {
    return NumberPair{a.at(row.first, column.first), b.at(row.second, column.second)};
  };
  for (const RowPair& row : rows) {
    const NumberPair pair = numbers(row);
    for (const double x : {pair.first, pair.second})
      if (std::isfinite(x)) difference.scale = std::max(difference.scale, std::abs(x));
  }
  const bool judged = !options.within || !residual_column(difference.name);
  double largest = -1.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const NumberPair pair = numbers(rows[i]);
    if (pair.same()) continue;
    const double t = a.at(rows[i].first, 0);
    if (difference.rows++ == 0) difference.first_time = t;
    if (pair.difference() > largest) {
      largest = pair.difference();
      difference.largest = pair;
      difference.largest_time = t;
    }
    const bool counts = judged && (!options.within || !within(pair, difference.scale, options));
    if (counts && !difference.counts) result.first_pair = i;
    difference.counts = difference.counts || counts;
  }
  return result;
}

void compare_tables(const CsvTable& a, const CsvTable& b, const CompareOptions& options, RunComparison& result) {
  result.tables = true;
  const std::vector<RowPair> rows = pair_rows(a, b, options, result);
  const std::vector<ColumnPair> columns = pair_columns(a, b, result);
  std::vector<ComparedColumn> compared;
  for (const ColumnPair& column : columns) compared.push_back(compare_column(a, b, column, rows, options));

  const auto order = [](const ComparedColumn& column) {
    return std::tuple(!column.difference.counts, residual_column(column.difference.name), column.first_pair);
  };
  const auto first = std::min_element(compared.begin(), compared.end(),
                                      [&](const auto& x, const auto& y) { return order(x) < order(y); });
  if (first != compared.end() && first->difference.counts) {
    const ColumnPair& column = columns[static_cast<std::size_t>(first - compared.begin())];
    const RowPair& row = rows[first->first_pair];
    result.has_first = true;
    result.first.t = a.at(row.first, 0);
    result.first.column = first->difference.name;
    result.first.unit = first->difference.unit;
    result.first.numbers = {a.at(row.first, column.first), b.at(row.second, column.second)};
    result.first.scale = first->difference.scale;
    result.first.line_first = static_cast<std::size_t>(a.lines[row.first]);
    result.first.line_second = static_cast<std::size_t>(b.lines[row.second]);
    for (const ColumnPair& other : columns) {
      const NumberPair pair{a.at(row.first, other.first), b.at(row.second, other.second)};
      result.first.with_it += other.first != column.first && !pair.same() ? 1 : 0;
    }
  }
  for (ComparedColumn& column : compared)
    if (column.difference.rows > 0) result.differences.push_back(std::move(column.difference));
  std::stable_sort(result.differences.begin(), result.differences.end(), [](const auto& x, const auto& y) {
    const bool x_residual = residual_column(x.name), y_residual = residual_column(y.name);
    return x_residual != y_residual ? y_residual : x.relative() > y.relative();
  });

  const bool unpaired = result.rows_only_first + result.rows_only_second > 0 || !result.columns_only_first.empty() ||
                        !result.columns_only_second.empty();
  if (unpaired || !result.differences.empty()) result.identical = false;
  if (result.has_first || result.rows == 0 || (unpaired && !options.within)) result.equal = false;
}

bool begins_with_any(std::string_view key, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view beginning) {
    return key.substr(0, beginning.size()) == beginning &&
           (key.size() == beginning.size() || key[beginning.size()] == '.' || key[beginning.size()] == '[');
  });
}

/// Values that do not describe the motion, or that a hash next to them covers.
bool of_no_interest(std::string_view key) {
  if (begins_with_any(key, {"scene.sources"}) && !key.ends_with(".hash")) return true;
  return begins_with_any(key, {"wall_time", "files", "format", "format_version"});
}

/// How a run was made, not its result.
bool how_made(std::string_view key) {
  return begins_with_any(key, {"pintle", "scene", "seed", "settings", "resumed_at"});
}

/// The group of a value, whose largest value scales the tolerance; empty if no tolerance applies.
std::string_view group_of(std::string_view key) {
  for (const std::string_view group : {"final.q", "final.v", "time"})
    if (begins_with_any(key, {group})) return group;
  const bool work = begins_with_any(key, {"energy_balance.accounts"}) && key.ends_with(".work");
  return work || begins_with_any(key, {"energy_balance.energy"}) ? "energy_balance" : "";
}

/// Decides whether a value that differs counts within a tolerance.
class ValueJudge {
 public:
  ValueJudge(const StoredRun& first, const StoredRun& second, const CompareOptions& options, bool tables)
      : options_(options), tables_(tables) {
    for (const StoredRun* const run : {&first, &second})
      for (const RunValue& value : run->values)
        if (value.kind == RunValue::Kind::number && std::isfinite(value.number))
          scales_[group_of(value.key)] = std::max(scales_[group_of(value.key)], std::abs(value.number));
  }

  bool counts(const RunValue& first, const RunValue& second) const {
    if (how_made(first.key)) return false;
    if (!options_.within) return true;
    if (begins_with_any(first.key, {"outcome", "ok"})) return true;
    const std::string_view group = group_of(first.key);
    if (tables_ || group.empty()) return false;  // the tables contain all of them
    if (first.kind != RunValue::Kind::number || second.kind != RunValue::Kind::number) return true;
    return !within({first.number, second.number}, scales_.at(group), options_);
  }

 private:
  const CompareOptions& options_;
  bool tables_;
  std::map<std::string_view, double> scales_;
};

void compare_values(const StoredRun& a, const StoredRun& b, const CompareOptions& options, RunComparison& result) {
  const ValueJudge judge(a, b, options, result.tables);
  std::map<std::string_view, const RunValue*> others;
  for (const RunValue& value : b.values) others[value.key] = &value;
  const auto add = [&](const RunValue& first, const RunValue& second) {
    if (of_no_interest(first.key)) return;
    ValueDifference difference{first, second, !how_made(first.key), judge.counts(first, second)};
    if (difference.result) result.identical = false;
    if (difference.counts) result.equal = false;
    result.value_differences.push_back(std::move(difference));
  };
  const auto none = [](const std::string& key) { return RunValue{.key = key, .text = "-"}; };
  for (const RunValue& value : a.values) {
    const auto found = others.find(value.key);
    if (found == others.end()) {
      add(value, none(value.key));
      continue;
    }
    if (!(value == *found->second)) add(value, *found->second);
    others.erase(found);
  }
  for (const RunValue& value : b.values)
    if (others.contains(value.key)) add(none(value.key), value);
}

/// Whether two events are equal, bit for bit or within a tolerance.
bool same_event(const StoredEvent& a, const StoredEvent& b, double longest, const CompareOptions& options) {
  if (a.kind != b.kind || a.name != b.name || a.numbers.size() != b.numbers.size()) return false;
  const NumberPair times{a.time, b.time};
  if (!(options.within ? within(times, longest, options) : times.same())) return false;
  for (std::size_t i = 0; i < a.numbers.size(); ++i) {
    if (a.numbers[i].key != b.numbers[i].key) return false;
    if (a.numbers[i] == b.numbers[i]) continue;
    if (options.within && a.numbers[i].key == "value") continue;  // the residual at the crossing
    const NumberPair pair{a.numbers[i].number, b.numbers[i].number};
    const bool numbers = a.numbers[i].kind == RunValue::Kind::number && b.numbers[i].kind == RunValue::Kind::number;
    if (!options.within || !numbers) return false;
    if (!within(pair, std::max(std::abs(pair.first), std::abs(pair.second)), options)) return false;
  }
  return true;
}

/// The indices of the events to compare: within a tolerance, those in the time that both runs cover, and `room` [s].
std::vector<std::size_t> compared_events(const StoredRun& run, const StoredRun& other, double room,
                                         const CompareOptions& options) {
  double from = -kInfinity<double>, to = kInfinity<double>;
  for (const StoredRun* const one : {&run, &other}) {
    const RunValue *const resumed = one->value("resumed_at"), *const end = one->value("time");
    if (resumed != nullptr && resumed->kind == RunValue::Kind::number) from = std::max(from, resumed->number);
    if (end != nullptr && end->kind == RunValue::Kind::number) to = std::min(to, end->number);
  }
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    const double t = run.events[i].time;
    if (!options.within || (t > from && t <= to + room)) numbers.push_back(i);
  }
  return numbers;
}

/// Whether an event differs, or only one run has it; then its index in each run.
bool find_differing_event(const StoredRun& a, const StoredRun& b, const CompareOptions& options,
                          RunComparison& result) {
  double longest = 0.0;
  for (const StoredRun* const run : {&a, &b})
    for (const StoredEvent& event : run->events) longest = std::max(longest, std::abs(event.time));
  const double room = std::min(options.relative, 1e-9) * longest;
  const std::vector<std::size_t> of_a = compared_events(a, b, room, options);
  const std::vector<std::size_t> of_b = compared_events(b, a, room, options);
  result.events = static_cast<std::int64_t>(std::min(of_a.size(), of_b.size()));
  for (std::size_t i = 0; i < std::max(of_a.size(), of_b.size()); ++i) {
    const bool both = i < of_a.size() && i < of_b.size();
    if (both && same_event(a.events[of_a[i]], b.events[of_b[i]], longest, options)) continue;
    result.event_first = i < of_a.size() ? static_cast<std::int64_t>(of_a[i]) : -1;
    result.event_second = i < of_b.size() ? static_cast<std::int64_t>(of_b[i]) : -1;
    return true;
  }
  result.event_first = result.event_second = -1;
  return false;
}

void compare_events(const StoredRun& a, const StoredRun& b, const CompareOptions& options, RunComparison& result) {
  result.events_first = static_cast<std::int64_t>(a.events.size());
  result.events_second = static_cast<std::int64_t>(b.events.size());
  if (find_differing_event(a, b, {}, result)) result.identical = false;
  result.event_differs = find_differing_event(a, b, options, result);
  if (result.event_differs) result.equal = false;
}

}  // namespace

double NumberPair::difference() const {
  if (same()) return 0.0;
  const double distance = std::abs(first - second);
  return std::isnan(distance) ? kInfinity<double> : distance;
}

std::uint64_t NumberPair::ulps() const {
  if (std::isnan(first) || std::isnan(second)) return 0;
  const std::int64_t low = std::min(rank(first), rank(second)), high = std::max(rank(first), rank(second));
  return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
}

bool NumberPair::same() const {
  if (std::isnan(first) || std::isnan(second)) return std::isnan(first) && std::isnan(second);
  return std::bit_cast<std::uint64_t>(first) == std::bit_cast<std::uint64_t>(second);
}

double ColumnDifference::relative() const {
  if (largest.difference() == 0.0) return 0.0;
  return largest.difference() / scale;
}

RunComparison compare_runs(const StoredRun& first, const StoredRun& second, const CompareOptions& options) {
  require((first.has_table && second.has_table) || (first.has_values && second.has_values), "compare_runs", "second",
          "one run has a table only, the other one a run.json only");
  require(options.relative >= 0.0 && options.absolute >= 0.0, "compare_runs", "options",
          "tolerances must not be negative");
  RunComparison result;
  if (first.has_table && second.has_table) compare_tables(first.table, second.table, options, result);
  if (!first.has_values || !second.has_values) return result;
  result.values = true;
  compare_values(first, second, options, result);
  compare_events(first, second, options, result);
  return result;
}

bool residual_column(std::string_view name) {
  return name == "certificate" || name == "certificate.contact" || name == "energy.residual" ||
         name.substr(0, 21) == "momentum.residual.";
}

ColumnSubject column_subject(std::string_view name) {
  struct Group {
    std::string_view beginning, quantity;
    JointPart (*part)(JointKind, int);
  };
  static constexpr Group kGroups[] = {{"q.", "position", position_part},
                                      {"v.", "velocity", velocity_part},
                                      {"a.", "acceleration", acceleration_part},
                                      {"tau.", "effort", effort_part}};
  for (const Group& group : kGroups) {
    if (name.substr(0, group.beginning.size()) != group.beginning) continue;
    ColumnSubject subject;
    subject.quantity = group.quantity;
    subject.joint = std::string(name.substr(group.beginning.size()));
    const std::size_t point = subject.joint.rfind('.');
    if (point == std::string::npos) return subject;
    const std::string part = subject.joint.substr(point + 1);
    for (const JointFacts& joint : kJointFacts) {
      const int count = group.part == position_part ? joint.nq : joint.nv;
      for (int i = 0; count > 1 && i < count; ++i) {
        if (group.part(joint.kind, i).name != part) continue;
        subject.part = part;
        subject.joint.resize(point);
        return subject;
      }
    }
    return subject;
  }
  return {};
}

}  // namespace pintle
