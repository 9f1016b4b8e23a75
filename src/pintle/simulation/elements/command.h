// Command: a function of time that may also depend on the joint coordinate that it acts on.
#pragma once

#include <string_view>

#include "pintle/simulation/elements/drive.h"

namespace pintle {

/// A function of t [s] and of the position q and speed qd of one joint coordinate: an effort or an acceleration.
/// Immutable; copies are independent.
class Command {
 public:
  /// The constant 0.
  Command();
  /// A function of time alone; a table is used with its own settings.
  Command(const Drive& drive);
  /// A constant. Throws UsageError if it is not finite.
  Command(double value);
  Command(const Command&);
  Command(Command&&) noexcept;
  Command& operator=(const Command&);
  Command& operator=(Command&&) noexcept;
  ~Command();

  /// Whether it depends on q; then it cannot act on dofs of spherical and free joints, which have none.
  bool uses_position() const;

  /// What it is: a formula of t, q and qd, or the drive that it was made of.
  bool by_expression() const { return by_expression_; }
  const Expression& expression() const { return expression_; }
  const Drive& drive() const { return drive_; }

  /// Origin of the q in it, in the user's file.
  Origin position_origin() const;

 private:
  friend Result<Command> command_expression(std::string_view, const Origin&);
  friend double evaluate(const Command&, double, double, double);

  Drive drive_;
  Expression expression_;
  bool by_expression_ = false;
};

/// A command by an expression of t, q and qd (also called v); `origin` is that of the first byte of the text.
Result<Command> command_expression(std::string_view text, const Origin& origin = {});

/// Its value at the time t [s], with the position q [rad or m] and the speed qd [rad/s or m/s]; NaN where it has none.
/// Allocates nothing.
double evaluate(const Command& command, double t, double q, double qd);

}  // namespace pintle
