#include "pintle/simulation/time_stepping/contact_impulses.h"

#include <cmath>

#include "pintle/base/size.h"
#include "pintle/math/scalar.h"
#include "pintle/math/sign.h"
#include "pintle/simulation/contact/mean_forces.h"

namespace pintle {
namespace {

/// Relative residuals of islands: up to so many contacts rounding is asked for.
constexpr std::size_t kFewContacts = 8;
constexpr double kTolerance = 1e-12, kToleranceOfMany = 1e-7;

/// Iterations of its solver, before an island keeps what it has: the next step goes on from there.
constexpr int kMaxIterations = 1000;

/// Of a sum of works, relative to its terms.
constexpr double kRounding = 1e-12;

/// How often the restitution of an island is halved before it is left out.
constexpr int kMaxHalvings = 3;

/// Sweeps over overlaps, and the change, relative to the largest overlap, at which they end.
constexpr int kSweeps = 30;
constexpr double kOpen = 1e-3;

/// Of the impulse, P'(u_free + u_end)/2, and what its row gains of the weight because the body is where it has rebounded
/// to, and not where it would have fallen.
double work_of(const StepRow& row) {
  return row.P * (0.5 * (row.free + row.end) - (1.0 - row.arrival) * (row.free - row.start));
}

/// With the velocity -e u of the arrival, changed by what acts for the rest of the step.
/// [eq. rebound-in-step]
void rebound(StepRow& row) {
  const double change = row.free - row.start, arrives = fma(row.arrival, change, row.start);
  row.closing = row.restitution * arrives - (1.0 - row.arrival) * change;
}

/// A gap may just close within the step. What arrives so fast that its rebound lasts longer than the step has forces to
/// end it rebounds within the step.
void set_closing(double h, double gap, double restitution, StepRow& row) {
  row.gap = max(gap, 0.0);
  row.closing = row.gap / h;
  const bool arrives = row.start < 0.0 && row.free < 0.0 && row.gap < -h * row.free;
  if (!arrives || !(restitution * -row.start > std::abs(row.free - row.start))) return;
  row.arrival = row.gap / (-h * row.free);
  row.restitution = restitution;
  rebound(row);
}

}  // namespace

ContactImpulses::ContactImpulses(const SceneSystem& system, const Trees& trees)
    : system_(system), trees_(trees), jump_(size(system.model().nv())), effort_(jump_.size()), pushed_(trees.count()) {}

void ContactImpulses::find(const StepVelocities& step, const StepContacts& contacts, std::span<const StepBound> bounds,
                           const Islands& islands, const InverseMassBlocks& blocks) {
  residual_ = 0.0;
  h_ = step.h;
  for (double& x : jump_) x = 0.0;
  for (unsigned char& mark : pushed_) mark = 0;
  make_rows(step, contacts, bounds, islands);
  for (std::size_t island = 0; island < islands.count(); ++island)
    solve(island, step, contacts, bounds, islands, blocks);
}

/// Numbers the rows by islands, contacts before bounds, and finds their velocities.
void ContactImpulses::make_rows(const StepVelocities& step, const StepContacts& contacts,
                                std::span<const StepBound> bounds, const Islands& islands) {
  const std::span<const StepContact> all = contacts.all();
  first_row_.resize(all.size());
  row_counts_.resize(all.size());
  friction_.resize(all.size());
  bound_row_.resize(bounds.size());
  island_bound_.assign(islands.count() + 1, 0);
  for (const StepBound& bound : bounds) ++island_bound_[size(islands.of_tree(size(trees_.of_dof(bound.dof)))) + 1];
  for (std::size_t i = 0; i < islands.count(); ++i) island_bound_[i + 1] += island_bound_[i];
  sorted_bounds_.resize(bounds.size());
  for (std::size_t k = bounds.size(); k-- > 0;)
    sorted_bounds_[--island_bound_[size(islands.of_tree(size(trees_.of_dof(bounds[k].dof)))) + 1]] = k;
  for (std::size_t i = 0; i < islands.count(); ++i) island_bound_[i] = island_bound_[i + 1];
  island_bound_[islands.count()] = bounds.size();

  island_row_.assign(1, 0);
  std::size_t row = 0;
  for (std::size_t island = 0; island < islands.count(); ++island) {
    for (const std::size_t c : islands.contacts(island)) {
      first_row_[c] = row;
      row_counts_[c] = all[c].rows();
      row += row_counts_[c];
    }
    for (std::size_t k = island_bound_[island]; k < island_bound_[island + 1]; ++k) bound_row_[sorted_bounds_[k]] = row++;
    island_row_.push_back(row);
  }
  rows_.assign(row, {});
  for (std::size_t c = 0; c < all.size(); ++c) {
    StepRow* const of = rows_.data() + first_row_[c];
    for (std::size_t side = 0; side < 2; ++side) {
      if (all[c].trees[side] < 0) continue;
      const double* J = contacts.J(c, side);
      for (std::size_t r = 0; r < row_counts_[c]; ++r)
        for (const std::size_t dof : trees_.dofs(size(all[c].trees[side]))) {
          of[r].start = fma(*J, step.start[dof], of[r].start);
          of[r].free = fma(*J++, step.free[dof], of[r].free);
        }
    }
    for (std::size_t t = 0; t < 2; ++t) {
      of[1 + t].start += all[c].surface_speed[t];
      of[1 + t].free += all[c].surface_speed[t];
    }
    set_friction(all[c], c);
    set_closing(step.h, all[c].room, system_.contacts().surface(size(all[c].contact.pair)).restitution, of[0]);
    for (std::size_t r = 1; r < row_counts_[c]; ++r) of[r].arrival = of[0].arrival;
  }
  for (std::size_t k = 0; k < bounds.size(); ++k) {
    StepRow& of = rows_[bound_row_[k]];
    of.start = bounds[k].sign * step.start[bounds[k].dof];
    of.free = bounds[k].sign * step.free[bounds[k].dof];
    if (bounds[k].is_limit) set_closing(step.h, bounds[k].room, bounds[k].restitution, of);
  }
}

/// Friction is static where a contact was at rest, or new and so slow that the forces of a step can stop it.
void ContactImpulses::set_friction(const StepContact& contact, std::size_t c) {
  const Surface& surface = system_.contacts().surface(size(contact.contact.pair));
  const StepRow* const of = rows_.data() + first_row_[c];
  const bool at_rest = contact.was_active ? contact.contact.mode == ContactMode::sticks
                                          : length(of[1].start, of[2].start) <= std::abs(of->free - of->start);
  friction_[c] = at_rest ? surface.static_friction : surface.friction;
}

void ContactImpulses::solve(std::size_t island, const StepVelocities& step, const StepContacts& contacts,
                            std::span<const StepBound> bounds, const Islands& islands,
                            const InverseMassBlocks& blocks) {
  const std::span<const StepContact> all = contacts.all();
  tree_problems_.clear();
  contact_problems_.clear();
  bound_problems_.clear();
  for (const std::size_t tree : islands.trees(island))
    tree_problems_.push_back({trees_.dofs(tree).size(), blocks.of(tree), nullptr});
  const std::size_t first = island_row_[island], count = island_row_[island + 1] - first;
  b_.resize(count);
  P_.assign(count, 0.0);
  for (const std::size_t c : islands.contacts(island)) {
    const StepContact& contact = all[c];
    const Surface& surface = system_.contacts().surface(size(contact.contact.pair));
    IslandContact problem;
    for (std::size_t side = 0; side < 2; ++side)
      if (contact.trees[side] >= 0)
        problem.sides[side] = {islands.place(size(contact.trees[side])), contacts.J(c, side)};
    problem.friction = friction_[c];
    problem.spins = contact.frame.spins;
    problem.rolls = contact.frame.rolls;
    problem.spinning = surface.spinning_friction;
    problem.rolling = surface.rolling_friction;
    contact_problems_.push_back(problem);
    if (!contact.was_active || !(contact.contact.mean_force.x > 0.0)) continue;
    // The warm start: the mean force of the last step.
    const Vec3<> f = step.h * in_axes_now(contact.contact.mean_force, contact.contact, contact.frame);
    const Vec3<> m = step.h * in_axes_now(contact.contact.mean_moment, contact.contact, contact.frame);
    double* P = P_.data() + (first_row_[c] - first);
    for (const double impulse : {f.x, f.y, f.z}) *P++ = impulse;
    if (contact.frame.spins) *P++ = m.x;
    if (contact.frame.rolls) *P++ = m.y, *P++ = m.z;
  }
  for (std::size_t k = island_bound_[island]; k < island_bound_[island + 1]; ++k) {
    const StepBound& bound = bounds[sorted_bounds_[k]];
    bound_problems_.push_back({islands.place(size(trees_.of_dof(bound.dof))), trees_.place(bound.dof), bound.sign,
                               bound.lower, bound.upper});
  }
  for (int halvings = 0;; ++halvings) {
    for (std::size_t r = 0; r < count; ++r) b_[r] = rows_[first + r].free + rows_[first + r].closing;
    const double tolerance = contact_problems_.size() <= kFewContacts ? kTolerance : kToleranceOfMany;
    const IslandReport report =
        solver_.solve({tree_problems_, contact_problems_, bound_problems_, std::span(b_).first(count), tolerance, kMaxIterations},
                      std::span(P_).first(count));
    for (std::size_t r = 0; r < count; ++r) {
      StepRow& of = rows_[first + r];
      of.P = P_[r];
      of.end = solver_.w()[r] - of.closing;
    }
    if (gains_energy(first, count) && reduce_rebounds(first, count, halvings)) continue;
    residual_ = max(residual_, std::isfinite(report.residual) ? report.residual : 1.0);
    break;
  }
  apply(island, contacts, bounds, islands, blocks);
}

/// Whether energy would be gained.
bool ContactImpulses::gains_energy(std::size_t first, std::size_t count) const {
  double work = 0.0, terms = 0.0;
  for (const StepRow& row : std::span(rows_).subspan(first, count)) {
    work += work_of(row);
    terms += std::abs(row.P) * (std::abs(row.free) + std::abs(row.end));
  }
  return work > kRounding * terms;
}

/// Halves the restitution of all rows, or leaves it out; false: there is none. What no longer rebounds may
/// just close.
bool ContactImpulses::reduce_rebounds(std::size_t first, std::size_t count, int halvings) {
  bool any = false;
  for (StepRow& row : std::span(rows_).subspan(first, count)) {
    if (row.restitution == 0.0) continue;
    any = true;
    row.restitution = halvings < kMaxHalvings ? 0.5 * row.restitution : 0.0;
    if (row.restitution > 0.0) {
      rebound(row);
    } else {
      row.closing = row.gap / h_;
    }
  }
  if (halvings >= kMaxHalvings)
    for (StepRow& row : std::span(rows_).subspan(first, count)) row.arrival = 1.0;
  return any;
}

/// The velocity jump M^-1 J'P.
void ContactImpulses::apply(std::size_t island, const StepContacts& contacts, std::span<const StepBound> bounds,
                            const Islands& islands, const InverseMassBlocks& blocks) {
  const std::span<const StepContact> all = contacts.all();
  for (const std::size_t tree : islands.trees(island))
    for (const std::size_t dof : trees_.dofs(tree)) effort_[dof] = 0.0;
  for (const std::size_t c : islands.contacts(island)) {
    const StepRow* const of = rows_.data() + first_row_[c];
    if (!(of->P > 0.0)) continue;
    for (std::size_t side = 0; side < 2; ++side) {
      if (all[c].trees[side] < 0) continue;
      pushed_[size(all[c].trees[side])] = 1;
      const double* J = contacts.J(c, side);
      for (std::size_t r = 0; r < row_counts_[c]; ++r)
        for (const std::size_t dof : trees_.dofs(size(all[c].trees[side])))
          effort_[dof] = fma(*J++, of[r].P, effort_[dof]);
    }
  }
  for (std::size_t k = island_bound_[island]; k < island_bound_[island + 1]; ++k) {
    const StepBound& bound = bounds[sorted_bounds_[k]];
    const double P = rows_[bound_row_[sorted_bounds_[k]]].P;
    if (P == 0.0) continue;
    effort_[bound.dof] = fma(bound.sign, P, effort_[bound.dof]);
    pushed_[size(trees_.of_dof(bound.dof))] = 1;
  }
  for (const std::size_t tree : islands.trees(island)) {
    if (pushed_[tree] == 0) continue;
    const std::span<const std::size_t> dofs = trees_.dofs(tree);
    const double* M_inverse = blocks.of(tree);
    for (const std::size_t i : dofs) {
      double sum = 0.0;
      for (const std::size_t j : dofs) sum = fma(*M_inverse++, effort_[j], sum);
      jump_[i] = sum;
    }
  }
}

/// The change of a gap along a way.
double ContactImpulses::along(const StepContacts& contacts, std::size_t contact, std::span<const double> way) const {
  const StepContact& of = contacts.all()[contact];
  double sum = 0.0;
  for (std::size_t side = 0; side < 2; ++side) {
    if (of.trees[side] < 0) continue;
    const double* J = contacts.J(contact, side);
    for (const std::size_t dof : trees_.dofs(size(of.trees[side]))) sum = fma(*J++, way[dof], sum);
  }
  return sum;
}

/// Adds M^-1 n p to a way, with n the normal row.
void ContactImpulses::push(const StepContacts& contacts, std::size_t contact, double p,
                           const InverseMassBlocks& blocks, std::span<double> way) const {
  const StepContact& of = contacts.all()[contact];
  for (std::size_t side = 0; side < 2; ++side) {
    if (of.trees[side] < 0) continue;
    const double* const J = contacts.J(contact, side);
    const double* M_inverse = blocks.of(size(of.trees[side]));
    const std::span<const std::size_t> dofs = trees_.dofs(size(of.trees[side]));
    for (const std::size_t i : dofs) {
      double sum = 0.0;
      for (std::size_t j = 0; j < dofs.size(); ++j) sum = fma(*M_inverse++, J[j], sum);
      way[i] = fma(sum, p, way[i]);
    }
  }
}

double ContactImpulses::open_overlaps(const StepContacts& contacts, const Islands& islands,
                                      const InverseMassBlocks& blocks, std::span<double> way,
                                      std::span<unsigned char> moved) {
  const std::span<const StepContact> all = contacts.all();
  double worst = 0.0;
  for (std::size_t island = 0; island < islands.count(); ++island) {
    const std::span<const std::size_t> own = islands.contacts(island);
    double deepest = 0.0;
    for (const std::size_t c : own) {
      const double gap = all[c].gap + along(contacts, c, way);
      if (gap < -all[c].tolerance) deepest = max(deepest, -gap);
    }
    worst = max(worst, deepest);
    if (deepest == 0.0) continue;
    for (const std::size_t tree : islands.trees(island)) moved[tree] = 1;
    mobility_.resize(own.size());
    opening_.assign(own.size(), 0.0);
    for (std::size_t k = 0; k < own.size(); ++k) {
      for (double& x : effort_) x = 0.0;
      push(contacts, own[k], 1.0, blocks, effort_);
      mobility_[k] = along(contacts, own[k], effort_);
    }
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      double change = 0.0;
      for (std::size_t k = 0; k < own.size(); ++k) {
        if (!(mobility_[k] > 0.0)) continue;
        const double gap = all[own[k]].gap + along(contacts, own[k], way);
        const double p = max(opening_[k] - gap / mobility_[k], 0.0), by = p - opening_[k];
        if (by == 0.0) continue;
        push(contacts, own[k], by, blocks, way);
        opening_[k] = p;
        change = max(change, std::abs(by) * mobility_[k]);
      }
      if (change <= kOpen * deepest) break;
    }
  }
  return worst;
}

}  // namespace pintle
