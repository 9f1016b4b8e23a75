// Status of an algorithm that applies the inverse of the mass matrix.
#pragma once

namespace pintle {

struct [[nodiscard]] DynamicsReport {
  /// A joint (Model::joints) that moves a singular inertia in this configuration, which makes the result unusable; -1:
  /// none.
  int singular_joint = -1;
  /// False when a value of the state or of the result is infinite or NaN, or the motion is out of range.
  bool finite = true;

  bool ok() const { return singular_joint < 0 && finite; }
};

}  // namespace pintle
