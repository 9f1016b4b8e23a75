#include "pintle/simulation/time_stepping/contact_counts.h"

#include <algorithm>

#include "pintle/base/size.h"

namespace pintle {

std::size_t ContactCounter::root_of(std::size_t tree) {
  while (parent_[tree] != tree) tree = parent_[tree] = parent_[parent_[tree]];
  return tree;
}

ContactCounts ContactCounter::count(std::span<const ActiveContact> contacts) {
  ContactCounts counts;
  counts.all = contacts.size();
  if (contacts.empty()) return counts;
  parent_.resize(trees_.count());
  for (std::size_t tree = 0; tree < parent_.size(); ++tree) parent_[tree] = tree;
  on_tree_.assign(trees_.count(), 0);
  in_island_.assign(trees_.count(), 0);
  const auto tree_of = [&](int part) { return trees_.of_link(setup_.parts[size(part)].link); };
  for (const ActiveContact& contact : contacts) {
    const ContactPair& pair = setup_.pairs[size(contact.pair)];
    const int a = tree_of(pair.a), b = tree_of(pair.b);
    if (a >= 0) ++on_tree_[size(a)];
    if (b >= 0 && b != a) ++on_tree_[size(b)];
    if (a < 0 || b < 0) continue;
    const std::size_t first = root_of(size(a)), second = root_of(size(b));
    parent_[std::max(first, second)] = std::min(first, second);
  }
  for (const ActiveContact& contact : contacts) {
    const ContactPair& pair = setup_.pairs[size(contact.pair)];
    const int a = tree_of(pair.a), tree = a >= 0 ? a : tree_of(pair.b);
    if (tree >= 0) counts.in_one_island = std::max(counts.in_one_island, ++in_island_[root_of(size(tree))]);
  }
  for (std::size_t tree = 0; tree < on_tree_.size(); ++tree)
    if (trees_.dofs(tree).size() > kManyDofs) counts.on_one_mechanism = std::max(counts.on_one_mechanism, on_tree_[tree]);
  return counts;
}

}  // namespace pintle
