// Where a line and a rim, or two rims, cross when looked at along the axis of a rim: the starts of their exact gaps.
#pragma once

#include "pintle/geometry/collision/contact_feature.h"

namespace pintle {

/// One of the two crossings of two curves of which at least one is a rim; `second` chooses. False when the curves do
/// not cross as seen along the axis: then the point is where they come nearest.
bool curve_crossing(const Primitive& a, const Primitive& b, bool second, Vec3<>& point);

}  // namespace pintle
