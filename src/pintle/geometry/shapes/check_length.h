// The rule for the dimensions of shapes: finite and positive.
#pragma once

#include "pintle/base/diagnostic.h"

namespace pintle {

/// Appends a diagnostic unless the length [m] is finite and positive; `shape` and `length` name it in the text, such as
/// "cylinder" and "radius". Codes: shape-not-finite, shape-size.
void check_length(Diagnostics& problems, const char* shape, const char* length, double value);

}  // namespace pintle
