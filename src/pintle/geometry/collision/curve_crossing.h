// Where a line and a circular edge, or two circular edges, cross when seen along the axis of one: the initial guess for
// their exact gap.
#pragma once

#include "pintle/geometry/collision/contact_feature.h"

namespace pintle {

/// One of the two crossings of two curves of which at least one is a rim; `second` chooses. Returns false when the
/// curves do not cross as seen along the axis: then the point is where they are nearest.
bool curve_crossing(const Primitive& a, const Primitive& b, bool second, Vec3<>& point);

}  // namespace pintle
