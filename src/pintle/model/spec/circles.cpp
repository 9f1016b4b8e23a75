#include "pintle/model/spec/circles.h"

#include <cstddef>
#include <utility>

namespace pintle {

std::vector<std::vector<std::string>> circles(const std::vector<std::string>& names,
                                              const std::map<std::string, std::string>& hangs_on) {
  std::vector<std::vector<std::string>> found;
  std::map<std::string, bool> done;
  for (const std::string& name : names) {
    std::vector<std::string> path;
    std::map<std::string, std::size_t> place;
    std::string at = name;
    while (done.count(at) == 0 && place.count(at) == 0 && hangs_on.count(at) > 0) {
      place[at] = path.size();
      path.push_back(at);
      at = hangs_on.at(at);
    }
    if (place.count(at) > 0) {
      std::vector<std::string> circle{at};
      for (std::size_t i = path.size(); i-- > place[at];) circle.push_back(path[i]);
      found.push_back(std::move(circle));
    }
    for (const std::string& passed : path) done[passed] = true;
  }
  return found;
}

}  // namespace pintle
