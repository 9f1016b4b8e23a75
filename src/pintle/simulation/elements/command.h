// Command: a function of time that may also depend on the motion: of the joint that it acts on, and of others.
#pragma once

#include <string_view>
#include <vector>

#include "pintle/simulation/elements/drive.h"
#include "pintle/simulation/recording/state_values.h"

namespace pintle {

/// Which names a formula may use besides t, and q and qd of its own joint.
enum class CommandScope : unsigned char {
  joint,  ///< none
  scene,  ///< those of all joints, sensors and event counts (state_values.h)
};

/// A function of t [s] and of the position q and speed qd of one joint coordinate: an effort or an acceleration. With
/// CommandScope::scene it may depend on other joints, sensors and event counts, by names that BoundCommand looks
/// up. Immutable; copies are independent.
class Command {
 public:
  /// The first variables of a formula: t, q, qd and v, which is qd too. Then come the others.
  static constexpr std::size_t kOwn = 4;

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

  /// The names in it that are not its own joint's, with their places; empty without a scene.
  std::vector<NameUse> others() const;

  /// Whether it is a formula that depends on more than the time.
  bool uses_motion() const;

  /// Origin of the q in it, in the user's file.
  Origin position_origin() const;

 private:
  friend Result<Command> command_expression(std::string_view, const Origin&, CommandScope);
  friend double evaluate(const Command&, double, double, double);

  Drive drive_;
  Expression expression_;
  bool by_expression_ = false;
};

/// A command by an expression of t, q and qd (also called v); `origin` is that of the first byte of the text. Other
/// names are errors at once, or with CommandScope::scene left to `bind`.
Result<Command> command_expression(std::string_view text, const Origin& origin = {},
                                   CommandScope scope = CommandScope::joint);

/// Its value at the time t [s], with the position q [rad or m] and the speed qd [rad/s or m/s]; NaN where it has none.
/// Allocates nothing. UsageError if it depends on other names: see BoundCommand.
double evaluate(const Command& command, double t, double q, double qd);

}  // namespace pintle
