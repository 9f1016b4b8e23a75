// Whether an algorithm that divides by the mass matrix had an answer.
#pragma once

namespace pintle {

struct [[nodiscard]] DynamicsReport {
  /// A joint (Model::joints) that has no inertia to move in this configuration, -1 when all have. The result is then
  /// not usable.
  int singular_joint = -1;
  /// False when a number of the state or of the result is infinite or NaN, or the motion is out of all range.
  bool finite = true;

  bool ok() const { return singular_joint < 0 && finite; }
};

}  // namespace pintle
