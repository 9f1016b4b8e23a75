// ContactImpulses: the impulses of contacts, joint limits and joint friction over a step, island by island.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/island_solver.h"
#include "pintle/simulation/hybrid/scene_system.h"
#include "pintle/simulation/time_stepping/inverse_mass_blocks.h"
#include "pintle/simulation/time_stepping/islands.h"
#include "pintle/simulation/time_stepping/step_contacts.h"

namespace pintle {

/// A joint limit or the friction of a joint: a row of one dof.
struct StepBound {
  std::size_t dof = 0;
  double sign = 1.0;
  double lower = 0.0, upper = 0.0;  ///< [N s or N m s] of its impulse
  double room = 0.0;                ///< [m, rad] to the limit
  double restitution = 0.0;         ///< of the limit
  bool is_limit = false;
};

/// The velocities and impulses of a row.
struct StepRow {
  double start = 0.0;    ///< [m/s, rad/s] at the start of the step
  double free = 0.0;     ///< without impulses
  double gap = 0.0;      ///< [m, rad]
  double closing = 0.0;  ///< how fast it may close, negative: how fast it must open (a rebound)
  double end = 0.0;      ///< with impulses
  double P = 0.0;        ///< [N s, N m s]
  /// The restitution with which it rebounds within the step, and the fraction of the step after which it arrives.
  double restitution = 0.0, arrival = 1.0;
};

/// What the impulses are found for: velocities in the axes of the start of the step.
struct StepVelocities {
  double h;                            ///< [s]
  std::span<const double> start, free;  ///< nv values each
};

class ContactImpulses {
 public:
  ContactImpulses(const SceneSystem& system, const Trees& trees);

  /// Finds them, with M^-1 of the trees in islands. Allocates at new maxima only.
  void find(const StepVelocities& step, const StepContacts& contacts, std::span<const StepBound> bounds,
            const Islands& islands, const InverseMassBlocks& blocks);

  /// The rows of a contact: normal, two tangents, then those of spinning and rolling friction.
  std::span<const StepRow> rows(std::size_t contact) const {
    return std::span(rows_).subspan(first_row_[contact], row_counts_[contact]);
  }
  const StepRow& row_of_bound(std::size_t bound) const { return rows_[bound_row_[bound]]; }
  /// The coefficient of friction of a contact in this step: static where it was at rest, else kinetic.
  double friction(std::size_t contact) const { return friction_[contact]; }
  /// The velocity jump M^-1 J'P of the trees in islands; zero elsewhere.
  std::span<const double> jump() const { return jump_; }
  /// Whether any impulse acts on a tree.
  bool acts_on(std::size_t tree) const { return pushed_[tree] != 0; }

  /// The worst residual of the islands (IslandReport).
  double residual() const { return residual_; }

  /// Adds to `way` [m, rad] what opens the overlaps that the end of the step would have: the least change in the metric
  /// of M, without friction and without velocities, as far as a few sweeps find it. Flags the trees it moves. Returns
  /// the largest overlap [m].  [eq. time-stepping-overlap]
  double open_overlaps(const StepContacts& contacts, const Islands& islands, const InverseMassBlocks& blocks,
                       std::span<double> way, std::span<unsigned char> moved);

 private:
  void make_rows(const StepVelocities& step, const StepContacts& contacts, std::span<const StepBound> bounds,
                 const Islands& islands);
  void set_friction(const StepContact& contact, std::size_t c);
  void solve(std::size_t island, const StepVelocities& step, const StepContacts& contacts,
             std::span<const StepBound> bounds, const Islands& islands, const InverseMassBlocks& blocks);
  bool gains_energy(std::size_t first, std::size_t count) const;
  bool reduce_rebounds(std::size_t first, std::size_t count, int halvings);
  void apply(std::size_t island, const StepContacts& contacts, std::span<const StepBound> bounds,
             const Islands& islands, const InverseMassBlocks& blocks);
  double along(const StepContacts& contacts, std::size_t contact, std::span<const double> way) const;
  void push(const StepContacts& contacts, std::size_t contact, double p, const InverseMassBlocks& blocks,
            std::span<double> way) const;

  const SceneSystem& system_;
  const Trees& trees_;
  IslandSolver solver_;
  std::vector<StepRow> rows_;
  std::vector<std::size_t> first_row_, row_counts_;  // per contact
  std::vector<std::size_t> bound_row_;                // per bound
  std::vector<std::size_t> island_row_;               // the first of each island, and the end
  std::vector<std::size_t> island_bound_;             // of sorted_bounds_, likewise
  std::vector<std::size_t> sorted_bounds_;            // by islands
  std::vector<double> friction_;                      // per contact
  std::vector<double> b_, P_, jump_, effort_;
  std::vector<IslandTree> tree_problems_;
  std::vector<IslandContact> contact_problems_;
  std::vector<IslandBound> bound_problems_;
  std::vector<unsigned char> pushed_;
  std::vector<double> mobility_, opening_;  // per contact of an island: of its normal; impulses of open_overlaps
  double residual_ = 0.0, h_ = 0.0;
};

}  // namespace pintle
