// JointEfforts: efforts that a caller sets and that act until they are set again, as a control loop does.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "pintle/simulation/system/force_element.h"

namespace pintle {

/// One effort for each independent dof [N m or N], all zero at the start.
class JointEfforts final : public ForceElement {
 public:
  explicit JointEfforts(const Model& model) : efforts_(static_cast<std::size_t>(model.nv())) {}

  std::span<double> efforts() { return efforts_; }
  std::span<const double> efforts() const { return efforts_; }

  std::string_view name() const override { return "efforts"; }
  ForcePower apply(const Model& model, const ForceInput& in, const ForceOutput& out) override;
  std::span<double> memory() override { return efforts_; }
  void reset() override;

 private:
  std::vector<double> efforts_;
};

}  // namespace pintle
