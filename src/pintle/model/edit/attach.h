// attach: makes one mechanism part of another.
#pragma once

#include <string>

#include "pintle/base/result.h"
#include "pintle/model/spec/model_spec.h"

namespace pintle {

struct AttachOptions {
  std::string prefix{};                   ///< prepended to every name of the other mechanism
  std::string to = kWorld;                ///< the body or frame of the base that replaces its world
  Pose<> X_TW = identity_pose<double>();  ///< its world seen from there
};

/// Returns `base` with all bodies, joints, frames and couplings of `other` appended. What was attached to the other's
/// world is attached to `options.to`, by the same joints. Name and gravity are those of the base; a note says so where
/// the other's gravity differs. Duplicate names are errors, all reported at once; so are an unknown `to` and every
/// problem that check_spec reports for the two.
Result<ModelSpec> attach(const ModelSpec& base, const ModelSpec& other, const AttachOptions& options);

}  // namespace pintle
