// The contact problem: unilateral contact with exact Coulomb friction (not a relaxation of it), together with joints
// that stick or rest at joint limits.
#pragma once

#include <array>
#include <span>

#include "pintle/base/buffer.h"
#include "pintle/constraints/cone_forces.h"
#include "pintle/constraints/min_norm.h"

namespace pintle {

/// The law of one contact point for its three rows: normal first, then two tangents at right angles.
struct ContactLaw {
  double static_friction = 0.0;   ///< maximum ratio of tangential to normal force where the point sticks
  double kinetic_friction = 0.0;  ///< the ratio where it slides; at most static_friction
  /// The slip direction, a unit vector in the tangents, of a point that already slides. Zeros: it is at rest.
  std::array<double, 2> slip{};
  double min_normal = 0.0;  ///< the minimum normal multiplier
};

/// A friction moment at a contact, against rolling (two rows) or spinning (one): m = 0 where the contact is open; where
/// it already rotates: m = -friction f_n direction; where it is at rest: w = 0 and |m| <= friction f_n, or m opposed to
/// w with |m| = friction f_n.
struct MomentLaw {
  std::size_t contact = 0;
  std::size_t rows = 1;
  double friction = 0.0;  ///< [m]
  /// Unit vector of a rotation already under way (for one row 1 or -1). Zeros: at rest
  std::array<double, 2> direction{};
};

/// w = A f + b. A is n x n, row-major, symmetric and positive semidefinite; the first 3 k rows are those of k contacts;
/// then come those of `moments`, in the order of their contacts; the others have multipliers within bounds
/// (BoxProblem). Find f such that for each contact:
///   f_n >= min_normal, w_n >= 0, with equality in one of them;
///   where it already slides: f_t = -kinetic f_n slip;
///   where it is at rest: w_t = 0 and |f_t| <= static f_n, or f_t opposed to w_t with |f_t| = kinetic f_n.
struct ContactProblem {
  std::span<const double> A, b;
  std::span<const ContactLaw> contacts;
  std::span<const double> lower, upper;
  std::span<const MomentLaw> moments{};
  int max_sweeps = 20000;  ///< of the relaxation, before it gives up
};

/// Final state of a contact.
enum class ContactState : unsigned char {
  open,    ///< w_n >= 0 with the minimum normal multiplier
  sticks,  ///< w = 0
  slides,  ///< w_n = 0
};

struct [[nodiscard]] ContactReport {
  bool converged = true;
  int sweeps = 0;         ///< of the relaxation
  double residual = 0.0;  ///< the worst violation of a law, relative to the sum of the absolute terms of w
  int worst = -1;         ///< its contact, or its row after those of contacts
  /// A sliding contact that no normal multiplier can keep from closing, because its friction closes it as fast as the
  /// normal force opens it (Painleve). -1: none.
  int wedges = -1;
  double work = 0.0;  ///< about how many multiplications it took
};

/// Memory and results of `solve_contacts`.
class ContactWorkspace {
 public:
  /// For up to `contacts` points, `limit_rows` other rows, and `moments` friction moments.
  ContactWorkspace(std::size_t contacts, std::size_t limit_rows, std::size_t moments = 0);

  std::size_t max_contacts, max_moments, max_rows;
  Buffer<ContactState> state;   ///< per contact
  Buffer<unsigned char> holds;  ///< per contact, then per friction moment: it sticks
  Buffer<double> w;             ///< per row

  Buffer<double> scale;              ///< per row: size of the terms of w
  Buffer<double> best;               ///< the multipliers with the smallest residual so far
  Buffer<double> J, r, step, root;   ///< of a step of Newton's method
  Buffer<std::size_t> unknown;       ///< the rows that are unknowns in it
  Buffer<std::size_t> first_moment;  ///< per contact, and one more: in `moments`
  Buffer<std::size_t> moment_row;    ///< per friction moment: its first row
  Buffer<int> friction_of;  ///< per row: the friction it belongs to, contacts first, then friction moments; -1: none
  MinNormWorkspace linear;
  ConeWorkspace cone_work;
  Buffer<ForceCone> cones;    ///< of the forces that hold everything
  Buffer<std::size_t> place;  ///< per row: among the unknowns
};

/// Solves a contact problem by nonlinear Gauss-Seidel relaxation, with an exact solution for each contact; once the set
/// of open, sticking and sliding contacts is known, by Newton's method on the remaining equations. Near the limits of
/// friction, where the relaxation hardly converges, an interior-point method seeks forces that hold all closed
/// contacts. Where forces are not unique (four legs on the ground), the result is near the initial `f` (zeros are
/// good). Throws UsageError on a size mismatch or if a lower bound exceeds its upper one. Allocates nothing.
/// [eq. contact-law]
ContactReport solve_contacts(const ContactProblem& problem, ContactWorkspace& work, std::span<double> f);

}  // namespace pintle
