// The contact problem: forces that keep bodies apart and obey Coulomb's law of friction, itself and not a relaxation of
// it, together with joints that stick or rest at joint limits.
#pragma once

#include <array>
#include <span>

#include "pintle/base/buffer.h"
#include "pintle/constraints/min_norm.h"

namespace pintle {

/// What one point of contact demands of its three rows: normal first, then two tangents at right angles.
struct ContactLaw {
  double static_friction = 0.0;   ///< the most that tangential may be of normal where the point holds
  double kinetic_friction = 0.0;  ///< what it is where it slides; not more than static_friction
  /// The direction, a unit vector in the tangents, in which the point slides already. Zeros: it is at rest.
  std::array<double, 2> slip{};
  double least = 0.0;  ///< the least normal multiplier
};

/// A moment of friction at a contact, against rolling (two rows) or spinning (one): m = 0 where the contact is open;
/// where it turns already: m = -friction f_n turn; where it is at rest: w = 0 and |m| <= friction f_n, or m against w
/// with |m| = friction f_n.
struct TurnLaw {
  std::size_t contact = 0;
  std::size_t rows = 1;
  double friction = 0.0;  ///< [m]
  std::array<double, 2>
      turn{};  ///< the unit vector in which it turns already, of one row 1 or -1. Zeros: it is at rest
};

/// w = A f + b. A has n rows of n numbers, symmetric and positive semidefinite; the first 3 k rows are those of k
/// contacts; then come those of `turns`, in the order of their contacts; the others have multipliers within bounds
/// (BoxProblem). Sought, for each contact:
///   f_n >= least, w_n >= 0, one of them equal;
///   where it slides already: f_t = -kinetic f_n slip;
///   where it is at rest: w_t = 0 and |f_t| <= static f_n, or f_t against w_t with |f_t| = kinetic f_n.
struct ContactProblem {
  std::span<const double> A, b;
  std::span<const ContactLaw> contacts;
  std::span<const double> lower, upper;
  std::span<const TurnLaw> turns{};
  int max_sweeps = 20000;  ///< of the relaxation, before it is given up
};

/// How a contact ended.
enum class ContactState : unsigned char {
  open,    ///< w_n >= 0 with the least normal multiplier
  sticks,  ///< w = 0
  slides,  ///< w_n = 0
};

struct [[nodiscard]] ContactReport {
  bool converged = true;
  int sweeps = 0;         ///< of the relaxation
  double residual = 0.0;  ///< the worst breach of a law, against the sum of the sizes of the terms of w
  int worst = -1;         ///< the contact, or the row after those of contacts, it is of
  /// A contact that slides and that no normal multiplier can keep from closing in: its friction presses it together as
  /// fast as it is pushed apart (Painleve). -1 without one.
  int wedges = -1;
};

/// Memory and results of `solve_contacts`.
class ContactWorkspace {
 public:
  /// For up to `contacts` points, `limit_rows` other rows, and `turns` moments of friction.
  ContactWorkspace(std::size_t contacts, std::size_t limit_rows, std::size_t turns = 0);

  std::size_t max_contacts, max_turns, max_rows;
  Buffer<ContactState> state;   ///< per contact
  Buffer<unsigned char> holds;  ///< per contact, then per turn: its friction holds
  Buffer<double> w;             ///< per row

  Buffer<double> scale;             ///< per row: of the terms of w
  Buffer<double> best;              ///< the multipliers with the smallest residual so far
  Buffer<double> J, r, step, root;  ///< of a step of Newton's method
  Buffer<std::size_t> unknown;      ///< the rows that take part in it
  Buffer<std::size_t> first_turn;   ///< per contact, and one more: in `turns`
  Buffer<std::size_t> turn_row;     ///< per turn: its first row
  Buffer<int> friction_of;          ///< per row: which friction it is of, a contact's or then a turn's; -1: of none
  MinNormWorkspace linear;
};

/// Solves a contact problem by relaxation, one contact after the other, each exactly; once it is plain who is open,
/// sticks and slides, by Newton's method on the equations that leaves. Where forces are not determined (four legs on
/// the ground) the ones found are near the start (`f` as given; zeros are good). Sizes must fit and bounds must be in
/// order, else UsageError. Allocates nothing.  [eq. contact-law]
ContactReport solve_contacts(const ContactProblem& problem, ContactWorkspace& work, std::span<double> f);

}  // namespace pintle
