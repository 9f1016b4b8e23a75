// FreeJoints: velocities of free joints over a step, in the axes of its start.
//
// The velocity of a free joint is in axes that rotate with the body. The velocities at both ends of a step add up, with
// one M^-1 and one J, only in the same axes: those of the start. Moved along such a velocity a body goes straight.
// [eq. start-axes]
#pragma once

#include <span>
#include <vector>

#include "pintle/model/compiled/model.h"

namespace pintle {

class FreeJoints {
 public:
  explicit FreeJoints(const Model& model);

  /// Velocities in the axes of a configuration become those in the axes of another one.
  void change_axes(std::span<const double> from_q, std::span<const double> to_q, std::span<double> v) const;
  /// result = q moved along `way`, whose free joints are in the axes of q. The two are different arrays.
  void move(std::span<const double> q, std::span<const double> way, std::span<double> result) const;

 private:
  struct Joint {
    std::size_t q, v;
  };

  const Model& model_;
  std::vector<Joint> joints_;
};

}  // namespace pintle
