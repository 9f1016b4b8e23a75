// ContactFilter: which things may touch each other, by groups and by pairs. Things are numbers from 0 on: the filter
// knows neither bodies nor shapes.
#pragma once

#include <cstdint>
#include <vector>

namespace pintle {

/// The groups a thing belongs to and those it meets, one bit each. Two things may touch when each meets a group of the
/// other.
struct ContactGroups {
  std::uint32_t belongs_to = 1;
  std::uint32_t meets = 0xffffffff;
};

/// What is said about one pair of things; stronger than their groups. `first` < `second`.
struct PairRule {
  int first;
  int second;
  bool may_touch;
};

/// Groups of the things, and rules for pairs of them: at most one a pair, in the order of (first, second). A thing
/// without an entry in `groups` has the default ones. `set_pair` keeps the order.
struct ContactFilter {
  std::vector<ContactGroups> groups;
  std::vector<PairRule> rules;
};

/// Adds the rule for a pair, or replaces the one it has. Throws UsageError when the two are the same or one is
/// negative.
void set_pair(ContactFilter& filter, int a, int b, bool may_touch);

/// Takes the rule of a pair away, if it has one: its groups decide again.
void clear_pair(ContactFilter& filter, int a, int b);

/// Whether two things may touch, in any order: as the rule of the pair says, else as the groups do. A thing never
/// touches itself.
bool may_touch(const ContactFilter& filter, int a, int b);

}  // namespace pintle
