// Circles in what should be a tree.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace pintle {

/// The circles one runs into from the given names by going from each to the one it hangs on; each circle once, its
/// first name also the last, in the direction opposite to the steps.
std::vector<std::vector<std::string>> circles(const std::vector<std::string>& names,
                                              const std::map<std::string, std::string>& hangs_on);

}  // namespace pintle
