#include "pintle/geometry/broad_phase/contact_filter.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"

using namespace pintle;

TEST_CASE("contact filter: by default all things touch, but none itself") {
  const ContactFilter filter;
  CHECK(may_touch(filter, 0, 1));
  CHECK(may_touch(filter, 1000, 3));
  CHECK_FALSE(may_touch(filter, 4, 4));
}

TEST_CASE("contact filter: groups must meet each other, both ways") {
  ContactFilter filter;
  filter.groups = {
      {.belongs_to = 0b01, .meets = 0b10}, {.belongs_to = 0b10, .meets = 0b01}, {.belongs_to = 0b10, .meets = 0b10}};
  CHECK(may_touch(filter, 0, 1));
  CHECK(may_touch(filter, 1, 0));
  CHECK_FALSE(may_touch(filter, 0, 2));  // 0 meets 2, but 2 does not meet 0
  CHECK_FALSE(may_touch(filter, 2, 0));
  CHECK_FALSE(may_touch(filter, 1, 2));
  CHECK_FALSE(may_touch(filter, 0, 3));  // thing 3 has the default groups: it belongs to the first
  CHECK(may_touch(filter, 1, 3));
}

TEST_CASE("contact filter: a pair's rule is stronger than groups, and the last one said holds") {
  ContactFilter filter;
  filter.groups = {{}, {}, {.belongs_to = 2, .meets = 0}};
  for (const bool may : {false, true, false}) {
    set_pair(filter, 1, 0, may);
    set_pair(filter, 0, 2, may);
    set_pair(filter, 5, 4, may);
    CHECK(filter.rules.size() == 3);
    for (const auto& [a, b] : {std::pair{0, 1}, std::pair{1, 0}, std::pair{2, 0}, std::pair{4, 5}})
      CHECK(may_touch(filter, a, b) == may);
    CHECK(may_touch(filter, 1, 4));
  }
  clear_pair(filter, 0, 1);
  clear_pair(filter, 0, 2);
  clear_pair(filter, 7, 8);
  CHECK(filter.rules.size() == 1);
  CHECK(may_touch(filter, 0, 1));
  CHECK_FALSE(may_touch(filter, 0, 2));
  CHECK_THROWS_AS(set_pair(filter, 3, 3, true), UsageError);
  CHECK_THROWS_AS(set_pair(filter, -1, 3, true), UsageError);
}
