// Islands: trees that contacts of a step connect. Nothing in one depends on another.
#pragma once

#include <span>
#include <vector>

#include "pintle/base/disjoint_sets.h"
#include "pintle/simulation/time_stepping/step_contacts.h"

namespace pintle {

class Islands {
 public:
  explicit Islands(std::size_t trees) : island_(trees), place_(trees) {}

  /// `needed`: trees that have rows without contacts, which are islands too. Islands are in the order of their first
  /// trees, the trees and the contacts of each in rising order.
  void find(std::span<const StepContact> contacts, std::span<const unsigned char> needed);

  std::size_t count() const { return first_tree_.empty() ? 0 : first_tree_.size() - 1; }
  std::span<const std::size_t> trees(std::size_t island) const {
    return std::span(trees_).subspan(first_tree_[island], first_tree_[island + 1] - first_tree_[island]);
  }
  std::span<const std::size_t> contacts(std::size_t island) const {
    return std::span(contacts_).subspan(first_contact_[island], first_contact_[island + 1] - first_contact_[island]);
  }
  /// The island of a tree, -1 if it is in none, and the tree's place there.
  int of_tree(std::size_t tree) const { return island_[tree]; }
  int place(std::size_t tree) const { return place_[tree]; }

 private:
  DisjointSets connected_;
  std::vector<std::size_t> trees_, contacts_, first_tree_, first_contact_;
  std::vector<int> island_, place_;
};

}  // namespace pintle
