#include "pintle/constraints/island_order.h"

#include <algorithm>
#include <bit>

namespace pintle {
namespace {

constexpr std::size_t kGone = static_cast<std::size_t>(-1);

template <class Visit>
void visit_bits(const std::uint64_t* words, std::size_t count, Visit&& visit) {
  for (std::size_t k = 0; k < count; ++k)
    for (std::uint64_t left = words[k]; left != 0; left &= left - 1)
      visit(64 * k + static_cast<std::size_t>(std::countr_zero(left)));
}

}  // namespace

bool IslandOrder::same_graph(std::span<const IslandTreeView> trees, std::span<const IslandPointView> points) const {
  if (trees.size() != dofs_.size() || points.size() != pairs_.size()) return false;
  for (std::size_t t = 0; t < trees.size(); ++t)
    if (trees[t].dofs != dofs_[t]) return false;
  for (std::size_t p = 0; p < points.size(); ++p)
    if (points[p].tree != pairs_[p]) return false;
  return true;
}

void IslandOrder::keep_graph(std::span<const IslandTreeView> trees, std::span<const IslandPointView> points) {
  dofs_.clear();
  pairs_.clear();
  for (const IslandTreeView& tree : trees) dofs_.push_back(tree.dofs);
  for (const IslandPointView& point : points) pairs_.push_back(point.tree);
}

void IslandOrder::update(std::span<IslandTreeView> trees, std::span<IslandPointView> points) {
  if (!same_graph(trees, points)) {
    keep_graph(trees, points);
    eliminate(trees, points);
    place_blocks(trees);
  }
  place_points(trees, points);
}

void IslandOrder::eliminate(std::span<const IslandTreeView> trees, std::span<const IslandPointView> points) {
  const std::size_t n = trees.size();
  words_ = (n + 63) / 64;
  touching_.assign(n * words_, 0);
  const auto join = [&](std::size_t a, std::size_t b) { touching(a)[b / 64] |= Word{1} << (b % 64); };
  for (const IslandPointView& point : points) {
    if (point.tree[0] < 0 || point.tree[1] < 0) continue;
    const auto a = static_cast<std::size_t>(point.tree[0]), b = static_cast<std::size_t>(point.tree[1]);
    join(a, b);
    join(b, a);
  }
  const auto find_degree = [&](std::size_t tree) {
    std::size_t sum = 0;
    visit_bits(touching(tree), words_, [&](std::size_t other) { sum += trees[other].dofs; });
    return sum;
  };
  degree_.clear();
  for (std::size_t t = 0; t < n; ++t) degree_.push_back(find_degree(t));
  pivots_.clear();
  neighbours_.clear();
  place_.assign(n, kGone);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t least = n;
    for (std::size_t t = 0; t < n; ++t)
      if (place_[t] == kGone && (least == n || degree_[t] < degree_[least])) least = t;
    place_[least] = k;
    IslandPivotView pivot{least, neighbours_.size(), 0, 0};
    visit_bits(touching(least), words_, [&](std::size_t other) { neighbours_.push_back({other, 0, 0}); });
    pivot.count = neighbours_.size() - pivot.first;
    for (std::size_t i = pivot.first; i < neighbours_.size(); ++i) {
      const std::size_t other = neighbours_[i].tree;
      Word* const row = touching(other);
      for (std::size_t w = 0; w < words_; ++w) row[w] |= touching(least)[w];
      row[other / 64] &= ~(Word{1} << (other % 64));
      row[least / 64] &= ~(Word{1} << (least % 64));
    }
    for (std::size_t i = pivot.first; i < neighbours_.size(); ++i)
      degree_[neighbours_[i].tree] = find_degree(neighbours_[i].tree);
    pivots_.push_back(pivot);
  }
}

void IslandOrder::place_blocks(std::span<const IslandTreeView> trees) {
  std::size_t next = 0;
  const auto take = [&](std::size_t row, std::size_t column) {
    const std::size_t at = next;
    next += trees[row].dofs * trees[column].stride;
    return at;
  };
  diagonal_.assign(trees.size(), 0);
  for (const IslandPivotView& pivot : pivots_) {
    diagonal_[pivot.tree] = take(pivot.tree, pivot.tree);
    const auto from = neighbours_.begin() + static_cast<std::ptrdiff_t>(pivot.first);
    std::sort(from, from + static_cast<std::ptrdiff_t>(pivot.count),
              [&](const IslandNeighbour& a, const IslandNeighbour& b) { return place_[a.tree] < place_[b.tree]; });
    for (std::size_t j = pivot.first; j < pivot.first + pivot.count; ++j) {
      neighbours_[j].upper = take(pivot.tree, neighbours_[j].tree);
      neighbours_[j].lower = take(neighbours_[j].tree, pivot.tree);
    }
  }
  factor_size_ = next;
  targets_.clear();
  for (IslandPivotView& pivot : pivots_) {
    pivot.target = targets_.size();
    for (std::size_t i = pivot.first; i < pivot.first + pivot.count; ++i)
      for (std::size_t j = pivot.first; j < pivot.first + pivot.count; ++j)
        targets_.push_back(block(neighbours_[i].tree, neighbours_[j].tree));
  }
}

/// Where the block of two trees begins, which must be neighbours or the same.
std::size_t IslandOrder::block(std::size_t row, std::size_t column) const {
  if (row == column) return diagonal_[row];
  const bool is_upper = place_[row] < place_[column];
  const IslandPivotView& pivot = pivots_[is_upper ? place_[row] : place_[column]];
  const std::size_t other = is_upper ? column : row;
  std::size_t low = pivot.first, high = pivot.first + pivot.count;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (place_[neighbours_[middle].tree] <= place_[other] ? low : high) = middle;
  }
  return is_upper ? neighbours_[low].upper : neighbours_[low].lower;
}

void IslandOrder::place_points(std::span<IslandTreeView> trees, std::span<IslandPointView> points) const {
  for (std::size_t t = 0; t < trees.size(); ++t) trees[t].factor = diagonal_[t];
  for (IslandPointView& point : points)
    for (std::size_t a = 0; a < 2; ++a)
      for (std::size_t b = 0; b < 2; ++b) {
        const int row = point.tree[a], column = point.tree[b];
        if (row < 0 || column < 0) continue;
        point.factor[2 * a + b] = block(static_cast<std::size_t>(row), static_cast<std::size_t>(column));
      }
}

}  // namespace pintle
