#include "pintle/model/spec/cycles.h"

#include <cstddef>
#include <utility>

namespace pintle {

std::vector<std::vector<std::string>> cycles(const std::vector<std::string>& names,
                                             const std::map<std::string, std::string>& parent_of) {
  std::vector<std::vector<std::string>> found;
  std::map<std::string, bool> done;
  for (const std::string& name : names) {
    std::vector<std::string> path;
    std::map<std::string, std::size_t> place;
    std::string at = name;
    while (done.count(at) == 0 && place.count(at) == 0 && parent_of.count(at) > 0) {
      place[at] = path.size();
      path.push_back(at);
      at = parent_of.at(at);
    }
    if (place.count(at) > 0) {
      std::vector<std::string> cycle{at};
      for (std::size_t i = path.size(); i-- > place[at];) cycle.push_back(path[i]);
      found.push_back(std::move(cycle));
    }
    for (const std::string& passed : path) done[passed] = true;
  }
  return found;
}

}  // namespace pintle
