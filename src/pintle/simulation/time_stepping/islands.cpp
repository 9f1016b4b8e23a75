#include "pintle/simulation/time_stepping/islands.h"

#include "pintle/base/size.h"

namespace pintle {

void Islands::find(std::span<const StepContact> contacts, std::span<const unsigned char> needed) {
  connected_.reset(place_.size());
  for (std::size_t tree = 0; tree < place_.size(); ++tree) place_[tree] = needed[tree] != 0 ? 0 : -1;
  for (const StepContact& contact : contacts) {
    for (const int tree : contact.trees)
      if (tree >= 0) place_[size(tree)] = 0;
    if (contact.trees[1] >= 0) connected_.connect(size(contact.trees[0]), size(contact.trees[1]));
  }
  // Numbers, then the trees and contacts of each by counting.
  first_tree_.assign(1, 0);
  for (std::size_t tree = 0; tree < place_.size(); ++tree) {
    island_[tree] = -1;
    if (place_[tree] < 0) continue;
    const std::size_t root = connected_.smallest(tree);
    if (root == tree) {
      island_[tree] = static_cast<int>(first_tree_.size()) - 1;
      first_tree_.push_back(0);
    }
    island_[tree] = island_[root];
    place_[tree] = static_cast<int>(first_tree_[size(island_[tree]) + 1]++);
  }
  const std::size_t islands = first_tree_.size() - 1;
  first_contact_.assign(islands + 1, 0);
  const auto island_of = [&](const StepContact& contact) { return size(island_[size(contact.trees[0])]); };
  for (const StepContact& contact : contacts) ++first_contact_[island_of(contact) + 1];
  for (std::size_t i = 0; i < islands; ++i) {
    first_tree_[i + 1] += first_tree_[i];
    first_contact_[i + 1] += first_contact_[i];
  }
  trees_.resize(first_tree_[islands]);
  contacts_.resize(contacts.size());
  for (std::size_t tree = 0; tree < place_.size(); ++tree)
    if (island_[tree] >= 0) trees_[first_tree_[size(island_[tree])] + size(place_[tree])] = tree;
  for (std::size_t c = contacts.size(); c-- > 0;) contacts_[--first_contact_[island_of(contacts[c]) + 1]] = c;
  // Counting down has moved the ends of all to their starts.
  for (std::size_t i = 0; i < islands; ++i) first_contact_[i] = first_contact_[i + 1];
  first_contact_[islands] = contacts.size();
}

}  // namespace pintle
