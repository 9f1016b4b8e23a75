#include "pintle/simulation/time_stepping/contact_counts.h"

#include <algorithm>

#include "pintle/base/size.h"

namespace pintle {

ContactCounts ContactCounter::count(std::span<const ActiveContact> contacts) {
  ContactCounts counts;
  counts.all = contacts.size();
  if (contacts.empty()) return counts;
  connected_.reset(trees_.count());
  on_tree_.assign(trees_.count(), 0);
  in_island_.assign(trees_.count(), 0);
  is_alone_.assign(trees_.count(), 1);
  const auto tree_of = [&](int part) { return trees_.of_link(setup_.parts[size(part)].link); };
  for (const ActiveContact& contact : contacts) {
    const ContactPair& pair = setup_.pairs[size(contact.pair)];
    const int a = tree_of(pair.a), b = tree_of(pair.b);
    if (a >= 0) ++on_tree_[size(a)];
    if (b >= 0 && b != a) ++on_tree_[size(b)];
    if (a >= 0 && b >= 0) connected_.connect(size(a), size(b));
  }
  for (const ActiveContact& contact : contacts) {
    const ContactPair& pair = setup_.pairs[size(contact.pair)];
    const int a = tree_of(pair.a), tree = a >= 0 ? a : tree_of(pair.b);
    if (tree < 0) continue;
    const std::size_t first = connected_.smallest(size(tree));
    ++in_island_[first];
    if (a >= 0 && tree_of(pair.b) >= 0 && tree_of(pair.b) != a) is_alone_[first] = 0;
  }
  for (std::size_t first = 0; first < in_island_.size(); ++first) {
    std::size_t& most = is_alone_[first] != 0 ? counts.on_one_tree : counts.in_one_island;
    most = std::max(most, in_island_[first]);
  }
  for (std::size_t tree = 0; tree < on_tree_.size(); ++tree)
    if (trees_.dofs(tree).size() > kManyDofs) counts.on_one_mechanism = std::max(counts.on_one_mechanism, on_tree_[tree]);
  return counts;
}

}  // namespace pintle
