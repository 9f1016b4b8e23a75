#include "pintle/simulation/elements/drive.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "pintle/base/usage_error.h"
#include "pintle/expression/expression_impl.h"
#include "pintle/math/number_text.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// How far outside a table a time may be because it is a sum of steps: relative to the larger end.
constexpr double kTableSlack = 1e-12;

class TableChecker {
 public:
  explicit TableChecker(const DriveTable& table) : table_(table) {}

  Diagnostics check() {
    const std::vector<DriveRow>& rows = table_.rows;
    if (rows.size() < 2) {
      add("drive-table-rows", 0, "the table has " + std::to_string(rows.size()) + (rows.size() == 1 ? " row" : " rows"),
          "a spline needs two or more", "add rows, or use a constant");
    }
    for (std::size_t i = 0; i < rows.size(); ++i) check_row(i);
    if (!std::isfinite(table_.first_rate) || !std::isfinite(table_.last_rate)) {
      add("drive-table-rate", 0, "an end slope of the table is not finite", "", "give a number");
    }
    if (table_.ends == SplineEnds::periodic && rows.size() >= 2 && rows.front().value != rows.back().value) {
      add("drive-table-periodic", rows.size(),
          "row " + std::to_string(rows.size()) + " has the value " + number_text(rows.back().value) + ", row 1 has " +
              number_text(rows.front().value),
          "the first and the last value of a periodic table are equal", "make the two values equal");
    }
    return std::move(problems_);
  }

 private:
  void check_row(std::size_t i) {
    const DriveRow& row = table_.rows[i];
    const std::string name = "row " + std::to_string(i + 1);
    if (!std::isfinite(row.time) || !std::isfinite(row.value)) {
      add("drive-table-not-finite", i + 1, name + " is (" + number_text(row.time) + ", " + number_text(row.value) + ")",
          "both must be finite numbers", "correct or remove the row");
    } else if (i > 0 && row.time <= table_.rows[i - 1].time) {
      add("drive-table-order", i + 1,
          name + " has the time " + number_text(row.time) + " s, the previous row " +
              number_text(table_.rows[i - 1].time) + " s",
          "times must increase", "sort the rows and remove repeated times");
    }
  }

  /// A problem of a row, counted from 1, or of the whole table (0).
  void add(const char* code, std::size_t row, std::string what, const char* why, const char* fix) {
    Origin origin = table_.origin;
    if (row > 0 && table_.rows[row - 1].line > 0) {
      origin.line = table_.rows[row - 1].line;
      origin.column = 0;
    }
    problems_.push_back(make_error(code, std::move(origin), std::move(what), why, fix));
  }

  const DriveTable& table_;
  Diagnostics problems_;
};

bool is_finite(const SplinePiece& piece) {
  return std::all_of(std::begin(piece.values), std::end(piece.values), [](double x) { return std::isfinite(x); });
}

}  // namespace

Drive::Drive() = default;
Drive::Drive(const Drive&) = default;
Drive::Drive(Drive&&) noexcept = default;
Drive& Drive::operator=(const Drive&) = default;
Drive& Drive::operator=(Drive&&) noexcept = default;
Drive::~Drive() = default;

std::span<const SplinePiece> Drive::pieces() const {
  return pieces_;
}

double Drive::first_time() const {
  return kind_ == Kind::table && !periodic_ ? pieces_.front().begin : -kInfinity<double>;
}

double Drive::last_time() const {
  return kind_ == Kind::table && !periodic_ ? end_ : kInfinity<double>;
}

bool Drive::covers(double t) const {
  if (kind_ != Kind::table || periodic_ || outside_ == OutsideTable::hold) return true;
  const double begin = pieces_.front().begin;
  const double slack = kTableSlack * std::max(std::fabs(begin), std::fabs(end_));
  return t >= begin - slack && t <= end_ + slack;
}

Drive constant_drive(double value) {
  require(std::isfinite(value), "constant_drive", "value", "is not finite");
  Drive drive;
  drive.constant_ = value;
  return drive;
}

Result<Drive> table_drive(const DriveTable& table) {
  Diagnostics problems = TableChecker(table).check();
  if (!problems.empty()) return problems;
  std::vector<double> times, values;
  for (const DriveRow& row : table.rows) {
    times.push_back(row.time);
    values.push_back(row.value);
  }
  Drive drive;
  drive.kind_ = Drive::Kind::table;
  drive.pieces_ = spline_pieces(times, values, table.ends, table.first_rate, table.last_rate);
  drive.end_ = times.back();
  drive.last_value_ = values.back();
  drive.periodic_ = table.ends == SplineEnds::periodic;
  drive.outside_ = table.outside;
  drive.origin_ = table.origin;
  drive.table_ = {{}, table.ends, table.first_rate, table.last_rate, table.outside, table.origin, table.source};
  const bool finite = std::all_of(drive.pieces_.begin(), drive.pieces_.end(),
                                  [](const SplinePiece& piece) { return is_finite(piece); });
  if (!finite || !std::isfinite(times.back() - times.front())) {
    return make_error("drive-table-range", table.origin, "the curve through the table overflows",
                      "its slopes are too large for a double", "check the units of times and values");
  }
  return drive;
}

Result<Drive> expression_drive(std::string_view text, const Origin& origin) {
  ExpressionOptions options;
  options.variables = {"t"};
  options.origin = origin;
  Result<Expression> expression = parse_expression(text, options);
  if (!expression) return expression.diagnostics();
  Drive drive;
  drive.kind_ = Drive::Kind::expression;
  drive.expression_ = *std::move(expression);
  drive.origin_ = origin;
  return drive;
}

DriveValue Drive::at_table(double t) const {
  const double begin = pieces_.front().begin;
  if (periodic_) {
    const double period = end_ - begin;
    t = begin + std::clamp((t - begin) - period * pintle::floor((t - begin) / period), 0.0, period);
  } else {
    if (!covers(t)) return {kNan, kNan, kNan};
    const bool hold = outside_ == OutsideTable::hold;
    if (hold && t < begin) return {pieces_.front().values[0], 0.0, 0.0};
    if (hold && t > end_) return {last_value_, 0.0, 0.0};
  }
  const auto after = std::upper_bound(pieces_.begin() + 1, pieces_.end(), t,
                                      [](double x, const SplinePiece& p) { return x < p.begin; });
  const SplinePiece& piece = *(after - 1);
  const double s = t - piece.begin;
  const double* const c = piece.values;
  return {fma(s, fma(s, fma(s, c[3], c[2]), c[1]), c[0]), fma(s, fma(s, 3.0 * c[3], 2.0 * c[2]), c[1]),
          fma(s, 6.0 * c[3], 2.0 * c[2])};
}

DriveValue evaluate(const Drive& drive, double t) {
  switch (drive.kind_) {
    case Drive::Kind::table:
      return drive.at_table(t);
    case Drive::Kind::expression: {
      using D = Dual<double, 1>;
      using D2 = Dual<D, 1>;
      const std::array<D2, 1> time = {D2::variable(D::variable(t, 0), 0)};
      const D2 f = evaluate_expression<D2>(drive.expression_, time);
      return {f.value.value, f.derivative[0].value, f.derivative[0].derivative[0]};
    }
    case Drive::Kind::constant:
      break;
  }
  return {drive.constant_, 0.0, 0.0};
}

double drive_value(const Drive& drive, double t) {
  if (drive.kind() != Drive::Kind::expression) return evaluate(drive, t).value;
  const std::array<double, 1> time = {t};
  return evaluate(drive.expression(), time);
}

}  // namespace pintle
