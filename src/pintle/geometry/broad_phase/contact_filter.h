// ContactFilter: which objects may touch each other, by groups and by pairs. Objects are indices from 0 on: the filter
// knows neither bodies nor shapes.
#pragma once

#include <cstdint>
#include <vector>

namespace pintle {

/// The groups that an object belongs to and those it collides with, one bit each. Two objects may touch when each
/// collides with a group of the other.
struct ContactGroups {
  std::uint32_t belongs_to = 1;
  std::uint32_t meets = 0xffffffff;
};

/// The rule for one pair of objects; it overrides their groups. `first` < `second`.
struct PairRule {
  int first;
  int second;
  bool may_touch;
};

/// The groups of the objects, and rules for pairs: at most one per pair, in the order of (first, second). An object
/// without an entry in `groups` has the default ones. `set_pair` keeps the order.
struct ContactFilter {
  std::vector<ContactGroups> groups;
  std::vector<PairRule> rules;
};

/// Adds the rule for a pair, or replaces the one it has. Throws UsageError when the two are the same or one is
/// negative.
void set_pair(ContactFilter& filter, int a, int b, bool may_touch);

/// Removes the rule of a pair, if it has one: its groups decide again.
void clear_pair(ContactFilter& filter, int a, int b);

/// Whether two objects may touch, in any order: by the rule of the pair, else by the groups. An object never touches
/// itself.
bool may_touch(const ContactFilter& filter, int a, int b);

}  // namespace pintle
