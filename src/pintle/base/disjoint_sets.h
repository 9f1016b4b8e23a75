// DisjointSets: which of n things are connected, directly or through others (union-find).
#pragma once

#include <cstddef>
#include <vector>

namespace pintle {

class DisjointSets {
 public:
  /// n things, each on its own. Allocates at a new maximum only.
  void reset(std::size_t n) {
    parent_.resize(n);
    for (std::size_t i = 0; i < n; ++i) parent_[i] = i;
  }

  /// The smallest of those connected to i; halves the path to it.
  std::size_t smallest(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  void connect(std::size_t i, std::size_t j) {
    const std::size_t a = smallest(i), b = smallest(j);
    parent_[a > b ? a : b] = a > b ? b : a;
  }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace pintle
