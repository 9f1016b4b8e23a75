// The exact gap of two features: where they are nearest, found from a good start.
#pragma once

#include "pintle/geometry/collision/contact_feature.h"

namespace pintle {

/// Where two primitives, both in the frame of A, are nearest to each other or deepest in each other: the stationary
/// point that the start leads to, of which normal and points are about right. False when there is none, such as of
/// a flat feature against a flat one. That the points lie within the bounds of the features is for the caller to check.
/// [eq. feature-gap]
bool feature_gap(const Primitive& a, const Primitive& b, const Separation& start, Separation& gap);

}  // namespace pintle
