// IslandOrder: in which order the trees of an island are eliminated, and where the blocks of the factor of M + J'GJ
// lie.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pintle/constraints/island_view.h"

namespace pintle {

/// The symbolic part of the factorisation. It stays while the same trees touch.
class IslandOrder {
 public:
  /// Sets `factor` of each tree and each point. Eliminates the tree with the fewest velocities at its remaining
  /// neighbours first (minimum degree), of equals the first.  [eq. island-factor]
  void update(std::span<IslandTreeView> trees, std::span<IslandPointView> points);

  std::span<const IslandPivotView> pivots() const { return pivots_; }
  const IslandNeighbour* neighbours() const { return neighbours_.data(); }
  const std::size_t* targets() const { return targets_.data(); }
  std::size_t factor_size() const { return factor_size_; }

 private:
  using Word = std::uint64_t;

  bool same_graph(std::span<const IslandTreeView> trees, std::span<const IslandPointView> points) const;
  void keep_graph(std::span<const IslandTreeView> trees, std::span<const IslandPointView> points);
  void eliminate(std::span<const IslandTreeView> trees, std::span<const IslandPointView> points);
  void place_blocks(std::span<const IslandTreeView> trees);
  std::size_t block(std::size_t row, std::size_t column) const;
  void place_points(std::span<IslandTreeView> trees, std::span<IslandPointView> points) const;
  Word* touching(std::size_t tree) { return touching_.data() + tree * words_; }

  std::vector<std::size_t> dofs_;                ///< the graph: of each tree,
  std::vector<std::array<int, 2>> pairs_;        ///< and of each point
  std::vector<IslandPivotView> pivots_;
  std::vector<IslandNeighbour> neighbours_;
  std::vector<std::size_t> targets_, diagonal_, place_, degree_;
  std::vector<Word> touching_;                   ///< a bit per pair of trees that are neighbours
  std::size_t words_ = 0, factor_size_ = 0;
};

}  // namespace pintle
