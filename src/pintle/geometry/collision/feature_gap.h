// The exact gap of two features: their nearest points, computed from a good initial guess.
#pragma once

#include "pintle/geometry/collision/contact_feature.h"

namespace pintle {

/// Computes where two primitives, both in the frame of A, are nearest to each other or deepest in each other: the
/// stationary point that the iteration reaches from the initial guess, whose normal and points are approximate. Returns
/// false when there is none, such as for two flat features. The caller checks that the points lie within the bounds of
/// the features. [eq. feature-gap]
bool feature_gap(const Primitive& a, const Primitive& b, const Separation& start, Separation& gap);

}  // namespace pintle
