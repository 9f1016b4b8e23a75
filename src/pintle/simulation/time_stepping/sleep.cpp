#include "pintle/simulation/time_stepping/sleep.h"

#include <cmath>

#include "pintle/base/size.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

/// A tree rests if its velocities are below this fraction of those that a step without contacts would give it.
constexpr double kAtRest = 1e-5;

/// Loads that differ by less are the same: steps on a grid of times differ by the rounding of time.
constexpr double kSameLoad = 1e-10;

}  // namespace

Sleep::Sleep(const Trees& trees, const ContactSetup& setup, std::size_t dofs) : trees_(trees), setup_(setup) {
  memory_.rest.resize(trees.count());
  memory_.load.resize(dofs);
}

void Sleep::wake_all() {
  for (double& rest : memory_.rest) rest = 0.0;
  any_ = false;
}

void Sleep::set_memory(const Memory& memory) {
  memory_ = memory;
  any_ = false;
  for (std::size_t tree = 0; tree < trees_.count(); ++tree) any_ = any_ || is_asleep(tree);
}

void Sleep::wake_where_loads_change(std::span<const double> free_v) {
  for (std::size_t tree = 0; tree < trees_.count(); ++tree) {
    if (!is_asleep(tree)) continue;
    double change = 0.0, scale = 0.0;
    for (const std::size_t dof : trees_.dofs(tree)) {
      change = max(change, std::abs(free_v[dof] - memory_.load[dof]));
      scale = max(scale, std::abs(memory_.load[dof]));
    }
    if (!(change <= kSameLoad * scale)) wake(tree);
  }
}

void Sleep::wake_connected(std::span<const ActiveContact> contacts) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const ActiveContact& contact : contacts) {
      const ContactPair& pair = setup_.pairs[size(contact.pair)];
      const int a = trees_.of_link(setup_.parts[size(pair.a)].link), b = trees_.of_link(setup_.parts[size(pair.b)].link);
      if (a < 0 || b < 0 || is_asleep(size(a)) == is_asleep(size(b))) continue;
      wake(size(a));
      wake(size(b));
      changed = true;
    }
  }
}

bool Sleep::holds(const ActiveContact& contact) const {
  const ContactPair& pair = setup_.pairs[size(contact.pair)];
  const int a = trees_.of_link(setup_.parts[size(pair.a)].link), b = trees_.of_link(setup_.parts[size(pair.b)].link);
  return (a >= 0 && is_asleep(size(a))) || (b >= 0 && is_asleep(size(b)));
}

void Sleep::count(const Islands& islands, std::span<const unsigned char> restless, std::span<const double> start_v,
                  std::span<const double> free_v, std::span<double> v) {
  any_ = false;
  for (std::size_t tree = 0; tree < trees_.count(); ++tree) {
    any_ = any_ || is_asleep(tree);
    if (!is_asleep(tree) && islands.of_tree(tree) < 0) wake(tree);  // nothing holds it
  }
  for (std::size_t island = 0; island < islands.count(); ++island) {
    bool rests = true;
    double fewest = kAsleep;
    for (const std::size_t tree : islands.trees(island)) {
      double moves = 0.0, scale = 0.0;
      for (const std::size_t dof : trees_.dofs(tree)) {
        moves = max(moves, std::abs(v[dof]));
        scale = max(scale, std::abs(free_v[dof] - start_v[dof]));
      }
      rests = rests && restless[tree] == 0 && moves <= kAtRest * scale;
      fewest = min(fewest, memory_.rest[tree]);
    }
    for (const std::size_t tree : islands.trees(island)) {
      memory_.rest[tree] = rests ? fewest + 1.0 : 0.0;
      if (memory_.rest[tree] < kAsleep - 1.0) continue;
      for (const std::size_t dof : trees_.dofs(tree)) {
        v[dof] = 0.0;
        memory_.load[dof] = free_v[dof];
      }
      any_ = any_ || is_asleep(tree);
    }
  }
}

}  // namespace pintle
