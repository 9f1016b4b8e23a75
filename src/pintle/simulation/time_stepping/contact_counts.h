// ContactCounts: how crowded the points of contact are, by which a run chooses between events and time stepping.
#pragma once

#include <span>
#include <vector>

#include "pintle/base/disjoint_sets.h"
#include "pintle/simulation/contact/contacts.h"
#include "pintle/simulation/time_stepping/trees.h"

namespace pintle {

struct ContactCounts {
  std::size_t all = 0;
  std::size_t on_one_tree = 0;       ///< the most on a tree that touches no other
  std::size_t in_one_island = 0;     ///< the most in several trees that contacts connect
  std::size_t on_one_mechanism = 0;  ///< the most on a tree of more than kManyDofs dofs
};

class ContactCounter {
 public:
  /// A mechanism with more dofs is too large to look for all modes of its contacts.
  static constexpr std::size_t kManyDofs = 12;

  ContactCounter(const Trees& trees, const ContactSetup& setup) : trees_(trees), setup_(setup) {}

  ContactCounts count(std::span<const ActiveContact> contacts);

 private:
  const Trees& trees_;
  const ContactSetup& setup_;
  DisjointSets connected_;
  std::vector<std::size_t> on_tree_, in_island_;
  std::vector<unsigned char> is_alone_;  // per island, at its first tree
};

}  // namespace pintle
