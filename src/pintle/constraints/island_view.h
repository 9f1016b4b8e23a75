// IslandView: an island as plain arrays, and the table of the functions that do most of the work of its solver. For
// island_solver.h.
#pragma once

#include <array>
#include <cstddef>

namespace pintle {

/// Rows of matrices are padded with zeros to a multiple of this many numbers.
inline constexpr std::size_t kIslandLanes = 8;

struct IslandTreeView {
  std::size_t dofs = 0;
  std::size_t stride = 0;     ///< dofs, padded
  std::size_t first = 0;      ///< where its velocities begin
  std::size_t mass = 0;       ///< where its matrix begins in `M` and `M_inverse`
  std::size_t factor = 0;     ///< where its diagonal block begins in the factor
};

/// Rows that act on at most two trees.
struct IslandPointView {
  std::size_t rows = 0;
  std::size_t first = 0;            ///< its first row
  std::size_t local = 0;            ///< where its rows x rows blocks begin in `local` and `gain`
  std::array<int, 2> tree{-1, -1};
  std::array<std::size_t, 2> J{};   ///< where the rows of each side begin in `J` and `Y`
  std::array<std::size_t, 4> factor{};  ///< the blocks of the factor: (0, 0), (0, 1), (1, 0), (1, 1)
};

struct IslandBarView {
  int tree = -1;
  std::size_t dof = 0;
  double sign = 1.0;
  std::size_t row = 0;
};

/// One pivot of the factorisation by blocks, and its neighbours that come later.
struct IslandPivotView {
  std::size_t tree = 0;
  std::size_t first = 0, count = 0;  ///< of its neighbours
  std::size_t target = 0;            ///< where the blocks that it changes begin in `targets`: count x count
};

/// A later neighbour j of pivot k: the blocks (k, j) and (j, k).
struct IslandNeighbour {
  std::size_t tree = 0;
  std::size_t upper = 0, lower = 0;
};

struct IslandView {
  std::size_t trees = 0, points = 0, bars = 0, rows = 0, pivots = 0, velocities = 0, factor_size = 0;
  const IslandTreeView* tree = nullptr;
  const IslandPointView* point = nullptr;
  const IslandBarView* bar = nullptr;
  const double* M = nullptr;          ///< per tree, dofs x stride
  const double* M_inverse = nullptr;  ///< the same
  const double* J = nullptr;          ///< per side, rows x stride
  double* Y = nullptr;                ///< J M^-1
  double* local = nullptr;            ///< A of each point by itself, then of each bar
  const double* gain = nullptr;       ///< G in M + J'GJ, laid out as `local`
  std::size_t bar_gain = 0;           ///< where the numbers of bars begin in `local` and `gain`
  const IslandPivotView* pivot = nullptr;
  const IslandNeighbour* neighbour = nullptr;
  const std::size_t* targets = nullptr;
  double* factor = nullptr;
  double* pivots_inverse = nullptr;  ///< of the diagonals, per velocity
  double* scratch = nullptr;         ///< 8 x the longest stride, or as many as a diagonal block
};

/// The functions of one instruction set.
struct IslandKernels {
  void (*find_local)(const IslandView& island);                                       ///< Y and `local`
  void (*find_jump)(const IslandView& island, const double* P, double* effort, double* jump);  ///< J'P, M^-1 J'P
  void (*find_rows)(const IslandView& island, const double* jump, const double* b, double* w);  ///< J jump (+ b)
  void (*add_effort)(const IslandView& island, const double* P, double* effort);      ///< effort = J'P
  bool (*factorise)(const IslandView& island);                                        ///< M + J'GJ. False: singular
  void (*solve)(const IslandView& island, double* x);                                 ///< effort to velocity
};

/// The kernels of the instruction set in use.
const IslandKernels& island_kernels_in_use();

}  // namespace pintle
