#include "pintle/geometry/broad_phase/contact_filter.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

bool before(const PairRule& rule, const std::pair<int, int>& pair) {
  return rule.first != pair.first ? rule.first < pair.first : rule.second < pair.second;
}

bool is_of(const PairRule& rule, const std::pair<int, int>& pair) {
  return rule.first == pair.first && rule.second == pair.second;
}

ContactGroups groups_of(const ContactFilter& filter, int thing) {
  const auto i = static_cast<std::size_t>(thing);
  return i < filter.groups.size() ? filter.groups[i] : ContactGroups{};
}

}  // namespace

void set_pair(ContactFilter& filter, int a, int b, bool may_touch) {
  require(a != b, "set_pair", "b", "an object cannot form a pair with itself");
  require(a >= 0 && b >= 0, "set_pair", "a, b", "indices count from 0");
  const std::pair<int, int> pair = std::minmax(a, b);
  const auto place = std::lower_bound(filter.rules.begin(), filter.rules.end(), pair, before);
  if (place != filter.rules.end() && is_of(*place, pair)) {
    place->may_touch = may_touch;
  } else {
    filter.rules.insert(place, {pair.first, pair.second, may_touch});
  }
}

void clear_pair(ContactFilter& filter, int a, int b) {
  const std::pair<int, int> pair = std::minmax(a, b);
  const auto place = std::lower_bound(filter.rules.begin(), filter.rules.end(), pair, before);
  if (place != filter.rules.end() && is_of(*place, pair)) filter.rules.erase(place);
}

bool may_touch(const ContactFilter& filter, int a, int b) {
  if (a == b) return false;
  const std::pair<int, int> pair = std::minmax(a, b);
  const auto place = std::lower_bound(filter.rules.begin(), filter.rules.end(), pair, before);
  if (place != filter.rules.end() && is_of(*place, pair)) return place->may_touch;
  const ContactGroups groups_a = groups_of(filter, a), groups_b = groups_of(filter, b);
  return (groups_a.meets & groups_b.belongs_to) != 0 && (groups_b.meets & groups_a.belongs_to) != 0;
}

}  // namespace pintle
