// attach: one mechanism made part of another.
#pragma once

#include <string>

#include "pintle/base/result.h"
#include "pintle/model/spec/model_spec.h"

namespace pintle {

struct AttachOptions {
  std::string prefix{};                   ///< put before every name of the other mechanism
  std::string to = kWorld;                ///< the body or frame of the base that takes the place of its world
  Pose<> X_TW = identity_pose<double>();  ///< its world seen from there
};

/// `base` with all bodies, joints, frames and couplings of `other` behind its own. What hung on the other's world hangs
/// on `options.to`, by the same joints. Name and gravity are those of the base; a note says so where the other's
/// gravity differs. Names that would then be double are errors, all of them at once; so is an unknown `to`, and
/// whatever check_spec finds in the two.
Result<ModelSpec> attach(const ModelSpec& base, const ModelSpec& other, const AttachOptions& options);

}  // namespace pintle
