// Velocities of a joint that an engine gives in other axes, or in another order, than Pintle: v_peer = R v.
#pragma once

#include <vector>

#include "mechanism.h"

namespace peers {

struct TurnedBlock {
  std::size_t first = 0;          ///< number of the velocity
  std::size_t size = 0;           ///< up to 6
  double R[36] = {};              ///< size x size, row after row: a rotation or another order, R R' = 1
  double R_rate_times_v[6] = {};  ///< (dR/dt) v
};

/// The blocks of one state; every other number is the same in both conventions.
class TurnedVelocities {
 public:
  void add(const TurnedBlock& block) { blocks_.push_back(block); }

  /// Velocities or efforts, n of them: to the engine's axes.
  void to_peer(double* x) const { turn(x, false, 1); }
  /// And back. With a stride: along the columns of a matrix.
  void from_peer(double* x, std::size_t stride = 1) const { turn(x, true, stride); }

  void accelerations_to_peer(double* a) const {
    to_peer(a);
    for (const TurnedBlock& b : blocks_)
      for (std::size_t i = 0; i < b.size; ++i) a[b.first + i] += b.R_rate_times_v[i];
  }
  void accelerations_from_peer(double* a) const {
    for (const TurnedBlock& b : blocks_)
      for (std::size_t i = 0; i < b.size; ++i) a[b.first + i] -= b.R_rate_times_v[i];
    from_peer(a);
  }
  /// Rows of nv numbers that multiply a velocity, such as a Jacobian: J = J_peer R.
  void rows_from_peer(double* J, std::size_t rows, std::size_t nv) const {
    for (std::size_t r = 0; r < rows; ++r) from_peer(J + r * nv);
  }
  /// M = R' M_peer R, nv by nv.
  void square_from_peer(double* M, std::size_t nv) const {
    rows_from_peer(M, nv, nv);
    for (std::size_t c = 0; c < nv; ++c) from_peer(M + c, nv);
  }
  bool any() const { return !blocks_.empty(); }

 private:
  void turn(double* x, bool back, std::size_t stride) const {
    for (const TurnedBlock& b : blocks_) {
      double turned[6] = {};
      for (std::size_t i = 0; i < b.size; ++i)
        for (std::size_t j = 0; j < b.size; ++j)
          turned[i] += (back ? b.R[j * b.size + i] : b.R[i * b.size + j]) * x[(b.first + j) * stride];
      for (std::size_t i = 0; i < b.size; ++i) x[(b.first + i) * stride] = turned[i];
    }
  }

  std::vector<TurnedBlock> blocks_;
};

}  // namespace peers
