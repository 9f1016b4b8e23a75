// Sleep: trees that rest on each other are left alone until something changes.
//
// A tree falls asleep with its island when none of it has moved for some steps; its velocity is zero from then on and its
// configuration stays as it is, to the bit. It wakes when what acts on it changes by more than rounding, or when something that is
// awake reaches it, and with it all that rests on it.
#pragma once

#include <span>
#include <vector>

#include "pintle/simulation/contact/contacts.h"
#include "pintle/simulation/time_stepping/islands.h"

namespace pintle {

class Sleep {
 public:
  Sleep(const Trees& trees, const ContactSetup& setup, std::size_t dofs);

  bool is_asleep(std::size_t tree) const { return memory_.rest[tree] >= kAsleep; }
  bool any() const { return any_; }
  void wake_all();
  void wake(std::size_t tree) { memory_.rest[tree] = 0.0; }

  /// Wakes the trees whose velocities after the step without contacts are not those with which they fell asleep.
  void wake_where_loads_change(std::span<const double> free_v);
  /// Wakes what active contacts connect to a tree that is awake.
  void wake_connected(std::span<const ActiveContact> contacts);
  /// Whether an active contact has a tree that sleeps, and none that is awake.
  bool holds(const ActiveContact& contact) const;

  /// After a step from velocities `start_v`, which without contacts become `free_v`: counts the trees that rest. `v` are
  /// the velocities at its end; they become zero one step before a tree falls asleep, so that the step in which it does,
  /// and whose impulses held it, shows its load. `restless` trees stay awake.
  void count(const Islands& islands, std::span<const unsigned char> restless, std::span<const double> start_v,
             std::span<const double> free_v, std::span<double> v);

  /// What checkpoints store.
  struct Memory {
    std::vector<double> rest;  ///< per tree: steps in which it rested, up to those it takes to fall asleep
    std::vector<double> load;  ///< per dof: its velocity after the step without contacts, when it fell asleep
  };
  const Memory& memory() const { return memory_; }
  void set_memory(const Memory& memory);

 private:
  /// Steps at rest before a tree falls asleep.
  static constexpr double kAsleep = 32.0;

  const Trees& trees_;
  const ContactSetup& setup_;
  Memory memory_;
  bool any_ = false;
};

}  // namespace pintle
