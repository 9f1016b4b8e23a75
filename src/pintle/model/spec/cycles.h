// Cycles in what should be a tree.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace pintle {

/// Returns the cycles reached from the given names by going from each to its parent; each cycle once, its first name
/// repeated at the end, in the direction opposite to the steps.
std::vector<std::vector<std::string>> cycles(const std::vector<std::string>& names,
                                             const std::map<std::string, std::string>& parent_of);

}  // namespace pintle
