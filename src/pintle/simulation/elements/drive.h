// Drive: a prescribed position or velocity as a function of time alone, with its exact first and second derivative.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/expression/expression.h"
#include "pintle/simulation/elements/cubic_spline.h"

namespace pintle {

/// A drive at one time: its value [rad or m, or per second], and its first and second time derivative.
struct DriveValue {
  double value = 0.0;
  double rate = 0.0;
  double second = 0.0;
};

/// One row of a table: the value of a drive at a time [s].
struct DriveRow {
  double time = 0.0;
  double value = 0.0;
  int line = 0;  ///< its line in the table's file, for errors; 0 if unknown
};

/// The behaviour of a table drive before its first and after its last row.
enum class OutsideTable : unsigned char {
  refuse,  ///< `check_smooth` refuses a run that gets there; `evaluate` returns NaN
  hold,    ///< keeps the first and the last value, at rest
};

/// The file that the rows of a table were read from.
struct TableSource {
  std::string file{};           ///< a path that can be opened; empty: the rows are not from a file
  std::string time{}, value{};  ///< the names of its columns; empty: the first, the second
};

/// A table that a drive interpolates.
struct DriveTable {
  std::vector<DriveRow> rows{};
  SplineEnds ends = SplineEnds::natural;
  double first_rate = 0.0;                      ///< at the first row, for clamped ends
  double last_rate = 0.0;                       ///< at the last row, for clamped ends
  OutsideTable outside = OutsideTable::refuse;  ///< not for periodic ends: those repeat for ever
  Origin origin{};                              ///< origin of the table
  TableSource source{};
};

/// A function of time. Immutable; copies are independent.
class Drive {
 public:
  enum class Kind : unsigned char { constant, table, expression };

  /// The constant 0.
  Drive();
  Drive(const Drive&);
  Drive(Drive&&) noexcept;
  Drive& operator=(const Drive&);
  Drive& operator=(Drive&&) noexcept;
  ~Drive();

  Kind kind() const { return kind_; }

  /// The formula of an expression drive.
  const Expression& expression() const { return expression_; }

  /// The cubics of a table drive.
  std::span<const SplinePiece> pieces() const;

  /// Whether it is a table that repeats for ever, and the time of a table's last row [s].
  bool repeats() const { return periodic_; }
  double last_row_time() const { return end_; }

  /// First and last time of a table [s]; infinite for other drives and for periodic tables.
  double first_time() const;
  double last_time() const;

  /// Whether it has a value at time t [s]: always, except outside a table that refuses. A few roundings of time are
  /// tolerated, so that a run may end on the last row.
  bool covers(double t) const;

  /// The behaviour outside a table.
  OutsideTable outside() const { return outside_; }

  /// Its origin in the user's file.
  const Origin& origin() const { return origin_; }

  /// The table that it was made of, without its rows; empty for other drives.
  const DriveTable& table() const { return table_; }

 private:
  friend Drive constant_drive(double);
  friend Result<Drive> table_drive(const DriveTable&);
  friend Result<Drive> expression_drive(std::string_view, const Origin&);
  friend DriveValue evaluate(const Drive&, double);

  DriveValue at_table(double t) const;

  Kind kind_ = Kind::constant;
  double constant_ = 0.0;
  Expression expression_;
  std::vector<SplinePiece> pieces_;
  double end_ = 0.0;         // time of the last row
  double last_value_ = 0.0;  // value of the last row
  bool periodic_ = false;
  OutsideTable outside_ = OutsideTable::refuse;
  Origin origin_;
  DriveTable table_;  // without its rows
};

/// A constant drive. Throws UsageError if the value is not finite.
Drive constant_drive(double value);

/// The twice continuously differentiable cubic spline through a table. Every invalid row is reported: values that are
/// not finite, times that do not increase, fewer than two rows, periodic ends that differ, values that overflow. [eq.
/// spline]
Result<Drive> table_drive(const DriveTable& table);

/// A drive by an expression of t [s]; `origin` is that of the first byte of the text.
Result<Drive> expression_drive(std::string_view text, const Origin& origin = {});

/// Value, first and second derivative at time t [s]; an expression is differentiated by dual numbers, so all three are
/// exact up to rounding. NaN where the drive does not cover t. Allocates nothing.
DriveValue evaluate(const Drive& drive, double t);

/// The value alone, for which an expression needs no derivatives.
double drive_value(const Drive& drive, double t);

}  // namespace pintle
